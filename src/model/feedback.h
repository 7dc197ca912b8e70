/* Waves of sample_feedback work: launched as pixel or compute waves, frame after frame, replaying
 * what their trace says (model section 7; workload/feedback-trace.h).
 *
 * A wave looks its clamps up where the texture is streamed, writes feedback, reads the texture,
 * then runs its shader. All three go through the texture unit of its CU, a quad a clock. Feedback
 * filters nothing and returns nothing: the wave goes on when its addresses are out, and ends when
 * the atomics are acknowledged.
 */
#pragma once

#include "model/machine.h"

#define TSIM_FEEDBACK_QUAD_LANES 4

/* Takes a reference to the trace. streams counts the address streams given out so far. */
void tsim_feedback_init(TsimMachine *machine, uint32_t work, TsimFeedbackTrace *trace,
                        uint32_t *streams);

/* The first frame with something to see begins; there is one. */
void tsim_feedback_begin(TsimMachine *machine, uint32_t work);

/* All waves so far have ended: TRUE when another frame has begun. */
gboolean tsim_feedback_next_frame(TsimMachine *machine, uint32_t work);

/* Makes a reserved wave the next one of its trace. Other work is left alone. */
void tsim_feedback_name_wave(TsimMachine *machine, TsimWave *wave);

void tsim_feedback_result(const TsimMachine *machine, TsimFeedbackResult *result);

/* Of the first such work item; NULL: there is none. */
TsimFeedbackTrace *tsim_feedback_first_trace(const TsimMachine *machine);

/* Steps: each returns the cycle at which it is complete. */
uint64_t tsim_feedback_look_up(TsimMachine *machine, const TsimWave *wave);
uint64_t tsim_feedback_address(TsimMachine *machine, const TsimWave *wave);
uint64_t tsim_feedback_write(TsimMachine *machine, TsimWave *wave);
uint64_t tsim_feedback_read(TsimMachine *machine, const TsimWave *wave);
