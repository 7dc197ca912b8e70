/* Feedback and residency maps for people and programs: grey or false-colour images, JSON.
 *
 * Grey images hold the raw bytes, a pixel a texel. False colour runs from warm (most detailed) to
 * cold, what was never sampled is dark; below the map a legend has one swatch a mip, and one with a
 * dash for "none". The caller owns what is returned. Nothing here can fail.
 */
#pragma once

#include "hw/feedback-map.h"
#include "hw/residency-filter.h"
#include "io/image.h"

/* A zoom that brings a small map to about the size of a picture. */
uint32_t tsim_feedback_dump_zoom(uint32_t width);

/* One layer of one level. */
TsimImage *tsim_feedback_dump_grey(const TsimFeedbackMap *map, uint32_t level, uint32_t layer);

/* The same in false colour with a legend, zoom x zoom pixels a texel. */
TsimImage *tsim_feedback_dump_colour(const TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                                     uint32_t zoom);

/* A residency map (2D) in false colour; coarsest is the last mip of the legend. */
TsimImage *tsim_feedback_dump_residency(const TsimResidencyMap *map, uint32_t coarsest,
                                        uint32_t zoom);

/* One JSON object: kind, texture, region, and for each level its size and, layer by layer, the raw
 * bytes row by row. */
GString *tsim_feedback_dump_json(const TsimFeedbackMap *map);
