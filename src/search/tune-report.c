#include "search/tune-report.h"

#include "io/encode.h"
#include "io/flat-line.h"
#include "io/paste.h"

#include <math.h>
#include <string.h>

#define LABEL_COLUMNS   18
#define OTHER_MODE_GAIN 1.005 /* less is not worth a word */

static const char *file_of(const TsimTuneReport *report, guint file)
{
    return report->task->files[file]->path;
}

static const TsimDrawResult *first_draw(const TsimResult *result)
{
    for (uint32_t i = 0; i < result->draws_n; i++) {
        if (result->draws[i].is_draw) {
            return &result->draws[i];
        }
    }
    return NULL;
}

/* ---- Text ---- */

static char *figure_text(const TsimTuneReport *report, const TsimResult *result)
{
    return tsim_text_fixed(tsim_goal_figure(report->task->goal, result), 0);
}

static void print_settings(TsimPage *page, const TsimResult *result)
{
    const TsimDrawResult *draw = first_draw(result);

    if (draw == NULL) {
        tsim_page_print(page, TSIM_INK_PLAIN, "no draw");
        return;
    }
    g_autofree char *threshold = tsim_text_fixed(draw->tf_threshold, 2);
    tsim_page_printf(page, TSIM_INK_PLAIN,
                     "PatchesPerThreadgroup %u, TfThreshold %s, "
                     "DsWaveThreshold %u",
                     draw->patches_per_threadgroup, threshold, draw->ds_wave_threshold);
}

static void print_run(TsimPage *page, const TsimTuneReport *report, const char *label,
                      const TsimResult *result, TsimInk ink)
{
    g_autofree char *figure = figure_text(report, result);

    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, LABEL_COLUMNS, label);
    tsim_page_right(page, ink, 14, figure);
    tsim_page_spaces(page, 2);
    print_settings(page, result);
    tsim_page_line(page);
}

/* "1.13x (1.12x to 1.14x)": how much better the best is. */
static void print_gain(TsimPage *page, const TsimTuneReport *report, guint file)
{
    const TsimInterval *ratio = &report->tuned->ratios[file];
    const gboolean win = tsim_interval_excludes(ratio, 1.0) && ratio->mean < 1.0;

    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, LABEL_COLUMNS, "gain");
    tsim_page_printf(page, win ? TSIM_INK_GOOD : TSIM_INK_PLAIN, "%13.3f%s", 1.0 / ratio->mean,
                     tsim_page_times(page));
    if (ratio->n > 1) {
        tsim_page_printf(page, TSIM_INK_FAINT, "  95 %% of %.3f to %.3f over %u seeds",
                         1.0 / ratio->high, 1.0 / ratio->low, (guint)ratio->n);
    } else if (report->tuned->is_random) {
        tsim_page_print(page, TSIM_INK_FAINT, "  of one seed");
    }
    if (!win) {
        tsim_page_print(page, TSIM_INK_FAINT,
                        report->task->files_n > 1 ? "  this file loses or does not care"
                                                  : "  no win: the driver's defaults are as good");
    }
    tsim_page_line(page);
}

/* What the file gives up for the sake of the others. */
static void print_alone(TsimPage *page, const TsimTuneReport *report, guint file)
{
    const TsimTuned *alone = report->alone[file];
    const double lost = report->tuned->ratios[file].mean / MIN(alone->ratios[0].mean, 1.0) - 1.0;

    print_run(page, report, "best alone", alone->best[0], TSIM_INK_PLAIN);
    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, LABEL_COLUMNS, "gives up");
    tsim_page_printf(page, TSIM_INK_PLAIN, "%13.1f%%", 100.0 * MAX(lost, 0.0));
    tsim_page_line(page);
}

static void print_file(TsimPage *page, const TsimTuneReport *report, guint file)
{
    g_autofree char *name = tsim_page_clean(file_of(report, file));

    tsim_page_printf(page, TSIM_INK_STRONG, "%s", name);
    if (report->task->files_n > 1) {
        tsim_page_printf(page, TSIM_INK_FAINT, " (weight %g)", report->task->weights[file]);
    }
    tsim_page_printf(page, TSIM_INK_FAINT, ": %s", tsim_goal_words[report->task->goal]);
    tsim_page_line(page);
    print_run(page, report, "driver default", report->tuned->defaults[file], TSIM_INK_PLAIN);
    print_run(page, report, "best", report->tuned->best[file], TSIM_INK_GOOD);
    print_gain(page, report, file);
    if (report->alone != NULL) {
        print_alone(page, report, file);
    }
    tsim_page_line(page);
}

static const char *default_words(const TsimTuneReport *report)
{
    return *report->task->defaults != NULL ? "the driver's defaults"
                                           : "the scenario's own settings";
}

/* "takes 12 345 cycles", of one file; of several there is no such number. */
static char *other_figure(const TsimTuneReport *report)
{
    g_autofree char *figure = figure_text(report, report->tuned->other[0]);

    if (report->task->files_n > 1) {
        return g_strdup("does better over all files");
    }
    return report->task->goal == TSIM_GOAL_ELAPSED
               ? g_strdup_printf("takes %s cycles", figure)
               : g_strdup_printf("has %s of %s", figure, tsim_goal_words[report->task->goal]);
}

static void print_other_mode(TsimPage *page, const TsimTuneReport *report)
{
    const TsimTuned *tuned = report->tuned;

    if (tuned->other_mode == NULL || tuned->other_gain < OTHER_MODE_GAIN) {
        return;
    }
    const char *mode = tuned->other_mode;
    g_autofree char *figure = other_figure(report);
    const char *words =
        report->task->goal == TSIM_GOAL_ELAPSED ? "times as fast" : "times as good as the best";
    g_autofree char *text =
        g_strdup_printf("%s, which was not tried, %s with %s (%.2f %s): tune --mode %s, or --vary "
                        "mode=onchip,offchip beside the other keys.",
                        strcmp(mode, "offchip") == 0 ? "Off-chip" : "On-chip", figure,
                        default_words(report), tuned->other_gain, words, mode);
    tsim_page_wrap(page, TSIM_INK_ALERT, 0, text);
    tsim_page_line(page);
}

static void print_flat(TsimPage *page, const TsimTuneReport *report)
{
    tsim_page_print(page, TSIM_INK_STRONG, "Within 1 % of it, the other settings as they are");
    tsim_page_line(page);
    for (guint axis = 0; axis < report->task->axes_n; axis++) {
        const TsimAxis *values = &report->task->axes[axis];
        const TsimFlatRange range = report->tuned->flat[axis];
        const char *low = values->values[0][range.low], *high = values->values[0][range.high];
        const char *tried = range.is_open ? ", of those tried" : "";
        g_autofree char *text =
            range.is_idle ? g_strdup_printf("  %s: makes no difference", values->keys[0])
            : range.low < range.high
                ? g_strdup_printf("  %s: anything from %s to %s%s", values->keys[0], low, high,
                                  tried)
                : g_strdup_printf("  %s: %s only%s", values->keys[0], low, tried);
        g_autofree char *clean = tsim_page_clean(text);
        tsim_page_printf(page, TSIM_INK_PLAIN, "%s", clean);
        tsim_page_line(page);
    }
    tsim_page_line(page);
}

static void print_lines(TsimPage *page, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        if (**line != '\0') {
            tsim_page_printf(page, TSIM_INK_PLAIN, "  %s", *line);
            tsim_page_line(page);
        }
    }
}

/* What is pasted for a draw. */
static char *json_block(const TsimDrawResult *draw)
{
    char threshold[G_ASCII_DTOSTR_BUF_SIZE];

    return g_strdup_printf("\"tessellation\": { \"mode\": \"%s\", \"patches_per_threadgroup\": %u, "
                           "\"tf_threshold\": %s, \"ds_wave_threshold\": %u }",
                           draw->mode, draw->patches_per_threadgroup,
                           tsim_encode_real_text(draw->tf_threshold, threshold),
                           draw->ds_wave_threshold);
}

static char *code_block(const TsimDrawResult *draw)
{
    const TsimPasteBlock block = tsim_paste_block_of_result(draw);

    return tsim_paste_block(&block);
}

/* Draws of all files, those that are told the same thing together. */
typedef struct {
    const TsimDrawResult *draw; /* the first of them */
    char *code, *names;
} Pasted;

static void clear_pasted(void *user)
{
    Pasted *pasted = user;

    g_free(pasted->code);
    g_free(pasted->names);
}

static void add_pasted(GArray *list, const TsimDrawResult *draw, const char *name)
{
    g_autofree char *code = code_block(draw);

    for (guint i = 0; i < list->len; i++) {
        Pasted *known = &g_array_index(list, Pasted, i);
        if (strcmp(known->code, code) == 0) {
            char *names = g_strconcat(known->names, ", ", name, NULL);
            g_free(known->names);
            known->names = names;
            return;
        }
    }
    const Pasted pasted = {draw, g_steal_pointer(&code), g_strdup(name)};
    g_array_append_val(list, pasted);
}

/* "draw_0", with its file where there are several. */
static char *draw_name(const TsimTuneReport *report, guint file, const TsimDrawResult *draw)
{
    const char *name = draw->name != NULL ? draw->name : "";

    return report->task->files_n > 1 ? g_strconcat(file_of(report, file), ": ", name, NULL)
                                     : g_strdup(name);
}

static GArray *pasted_draws(const TsimTuneReport *report)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Pasted));

    g_array_set_clear_func(list, clear_pasted);
    for (guint file = 0; file < report->task->files_n; file++) {
        const TsimResult *best = report->tuned->best[file];
        for (uint32_t i = 0; i < best->draws_n; i++) {
            if (best->draws[i].is_draw) {
                g_autofree char *name = draw_name(report, file, &best->draws[i]);
                add_pasted(list, &best->draws[i], name);
            }
        }
    }
    return list;
}

static void print_heading(TsimPage *page, const char *text, const GArray *list,
                          const Pasted *pasted)
{
    g_autofree char *names = tsim_page_clean(pasted->names);

    tsim_page_print(page, TSIM_INK_STRONG, text);
    if (list->len > 1) {
        tsim_page_print(page, TSIM_INK_FAINT, ": ");
        tsim_page_wrap(page, TSIM_INK_FAINT, 2, names);
    } else {
        tsim_page_line(page);
    }
}

static void print_blocks(TsimPage *page, const TsimTuneReport *report)
{
    g_autoptr(GArray) list = pasted_draws(report);

    for (guint i = 0; i < list->len; i++) {
        const Pasted *pasted = &g_array_index(list, Pasted, i);
        g_autofree char *json = json_block(pasted->draw);
        print_heading(page, "For a scenario", list, pasted);
        print_lines(page, json);
        tsim_page_line(page);
        print_heading(page, "For a title", list, pasted);
        print_lines(page, pasted->code);
        if (i + 1 < list->len) {
            tsim_page_line(page);
        }
    }
}

static void print_sets(TsimPage *page, const TsimTuneReport *report)
{
    g_auto(GStrv) sets = tsim_tuned_sets(report->tuned, report->task);

    tsim_page_print(page, TSIM_INK_STRONG, "On a command line");
    tsim_page_line(page);
    for (char **set = sets; *set != NULL; set++) {
        g_autofree char *clean = tsim_page_clean(*set);
        tsim_page_printf(page, TSIM_INK_PLAIN, "%s--set %s", set == sets ? "  " : " ", clean);
    }
    tsim_page_line(page);
    tsim_page_line(page);
}

void tsim_tune_text(TsimPage *page, const TsimTuneReport *report)
{
    g_autofree char *tried = tsim_text_count(report->tuned->candidates);
    g_autofree char *grid = tsim_text_count(report->tuned->grid);

    for (guint file = 0; file < report->task->files_n; file++) {
        print_file(page, report, file);
    }
    tsim_page_printf(page, TSIM_INK_FAINT, "Tried %s of %s settings.", tried, grid);
    tsim_page_line(page);
    tsim_page_line(page);
    print_other_mode(page, report);
    print_flat(page, report);
    print_sets(page, report);
    print_blocks(page, report);
}

/* ---- JSON ---- */

static void add_real(GString *line, const char *key, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    tsim_flat_line_raw(line, key, tsim_encode_real_text(value, text));
}

static void add_bool(GString *line, const char *key, gboolean value)
{
    tsim_flat_line_raw(line, key, value ? "true" : "false");
}

/* What to paste for each draw. */
static void add_draws(GString *line, const TsimTuneReport *report, guint file)
{
    const TsimResult *best = report->tuned->best[file];

    for (uint32_t i = 0; i < best->draws_n; i++) {
        const TsimDrawResult *draw = &best->draws[i];
        if (!draw->is_draw) {
            continue;
        }
        g_autofree char *prefix = g_strdup_printf("files.%u.draws.%u.", file, i);
        g_autofree char *name = g_strconcat(prefix, "name", NULL);
        g_autofree char *mode = g_strconcat(prefix, "mode", NULL);
        g_autofree char *patches = g_strconcat(prefix, "patches_per_threadgroup", NULL);
        g_autofree char *threshold = g_strconcat(prefix, "tf_threshold", NULL);
        g_autofree char *waves = g_strconcat(prefix, "ds_wave_threshold", NULL);
        g_autofree char *paste = g_strconcat(prefix, "paste", NULL);
        g_autofree char *code = code_block(draw);
        tsim_flat_line_text(line, name, draw->name != NULL ? draw->name : "");
        tsim_flat_line_text(line, mode, draw->mode);
        tsim_flat_line_count(line, patches, draw->patches_per_threadgroup);
        add_real(line, threshold, draw->tf_threshold);
        tsim_flat_line_count(line, waves, draw->ds_wave_threshold);
        tsim_flat_line_text(line, paste, code);
    }
}

static void add_file(GString *line, const TsimTuneReport *report, guint file)
{
    const TsimTuned *tuned = report->tuned;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"weight", report->task->weights[file]},
        {"default", tsim_goal_figure(report->task->goal, tuned->defaults[file])},
        {"best", tsim_goal_figure(report->task->goal, tuned->best[file])},
        {"ratio", tuned->ratios[file].mean},
        {"ratio_low", tuned->ratios[file].low},
        {"ratio_high", tuned->ratios[file].high},
        {"ratio_alone",
         report->alone != NULL ? report->alone[file]->ratios[0].mean : tuned->ratios[file].mean},
    };
    g_autofree char *name = g_strdup_printf("files.%u.file", file);

    tsim_flat_line_text(line, name, file_of(report, file));
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autofree char *key = g_strdup_printf("files.%u.%s", file, numbers[i].key);
        add_real(line, key, numbers[i].value);
    }
    add_draws(line, report, file);
}

static void add_axis(GString *line, const TsimTuneReport *report, guint axis)
{
    const TsimAxis *values = &report->task->axes[axis];
    const TsimFlatRange range = report->tuned->flat[axis];

    for (guint key = 0; key < values->keys_n; key++) {
        g_autofree char *set = g_strconcat("set.", values->keys[key], NULL);
        g_autofree char *low = g_strconcat("flat_low.", values->keys[key], NULL);
        g_autofree char *high = g_strconcat("flat_high.", values->keys[key], NULL);
        g_autofree char *is_open = g_strconcat("flat_open.", values->keys[key], NULL);
        g_autofree char *is_idle = g_strconcat("flat_idle.", values->keys[key], NULL);
        tsim_flat_line_value(line, set, values->values[key][report->tuned->levels[axis]]);
        tsim_flat_line_value(line, low, values->values[key][range.low]);
        tsim_flat_line_value(line, high, values->values[key][range.high]);
        add_bool(line, is_open, range.is_open);
        add_bool(line, is_idle, range.is_idle);
    }
}

static void add_other_mode(GString *line, const TsimTuneReport *report)
{
    const TsimTuned *tuned = report->tuned;

    if (tuned->other_mode == NULL) {
        return;
    }
    tsim_flat_line_text(line, "other_mode.mode", tuned->other_mode);
    if (isfinite(tuned->other_gain)) {
        add_real(line, "other_mode.gain", tuned->other_gain);
    }
    for (guint file = 0; file < report->task->files_n; file++) {
        g_autofree char *key = g_strdup_printf("other_mode.files.%u", file);
        add_real(line, key, tsim_goal_figure(report->task->goal, tuned->other[file]));
    }
}

char *tsim_tune_line(const TsimTuneReport *report)
{
    GString *line = g_string_new("{");

    tsim_flat_line_text(line, "goal", tsim_goal_names[report->task->goal]);
    add_bool(line, "is_default", report->tuned->is_default);
    add_real(line, "score", report->tuned->score);
    tsim_flat_line_count(line, "tried", report->tuned->candidates);
    tsim_flat_line_count(line, "grid", report->tuned->grid);
    tsim_flat_line_count(line, "replications", report->task->replications);
    for (guint axis = 0; axis < report->task->axes_n; axis++) {
        add_axis(line, report, axis);
    }
    add_other_mode(line, report);
    for (guint file = 0; file < report->task->files_n; file++) {
        add_file(line, report, file);
    }
    g_string_append(line, "}\n");
    return g_string_free(line, FALSE);
}
