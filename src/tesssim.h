/* tesssim: an event-driven simulator of an AMD GPU's tessellation front end and LDS scheduling.
 *
 * The only installed header. Load a scenario, run it, write the result:
 *
 *     g_autoptr(TsimScenarioFile) file = tsim_scenario_file_load("high_tf.json", NULL, NULL,
 * &error); g_autoptr(TsimRun) run = tsim_run(file, &error); g_autofree char *text =
 * tsim_run_format(run, TSIM_FORMAT_TEXT, NULL);
 *
 * The library never prints, never exits and has no globals: two runs may go on in two threads.
 * Errors are GErrors with complete messages. Strings are returned to the caller, who g_frees them.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define TSIM_API __attribute__((visibility("default")))

typedef struct TsimScenarioFile
    TsimScenarioFile;           /* a scenario as loaded: plain data plus where it came from */
typedef struct TsimRun TsimRun; /* the result of one run */

TSIM_API const char *tsim_version(void);

typedef enum {
    TSIM_FAILURE_RUN,   /* a run that cannot make progress, a machine that fails */
    TSIM_FAILURE_USAGE, /* the caller asked for something that does not exist */
    TSIM_FAILURE_INPUT, /* a file is missing, wrong, or asks for more than the GPU can ever give */
} TsimFailure;

/* Who is to blame for an error of this library. */
TSIM_API TsimFailure tsim_failure(const GError *error);

/* ---- Loading ---- */

typedef struct {
    const char *const *sets; /* "KEY=VALUE" overrides in order, NULL-terminated; may be NULL */
    const char *gpu;         /* GPU name or file in place of the scenario's own; may be NULL */
    const char *const
        *search_paths; /* folders that hold configs/ and scenarios/; NULL-terminated; may be NULL */
} TsimLoadOptions;

/* path "-" reads standard input. All errors of a file are in one GError message, one a line.
 * warnings (may be NULL) receives char * lines that the caller frees. */
TSIM_API TsimScenarioFile *tsim_scenario_file_load(const char *path, const TsimLoadOptions *options,
                                                   GPtrArray *warnings, GError **error);
TSIM_API void tsim_scenario_file_free(TsimScenarioFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimScenarioFile, tsim_scenario_file_free)

/* Checks a scenario file or a GPU file, whichever it is; in GPU files every number needs a source.
 * ret_kind (may be NULL) gets "scenario" or "GPU". */
TSIM_API gboolean tsim_file_check(const char *path, const TsimLoadOptions *options,
                                  GPtrArray *warnings, const char **ret_kind, GError **error);

/* Runs keep what every pixel of the first rays of the scenario cost and saw. */
TSIM_API void tsim_scenario_file_keep_ray_images(TsimScenarioFile *file);

/* ---- Running ---- */

TSIM_API TsimRun *tsim_run(const TsimScenarioFile *file, GError **error);

/* What to keep of a run besides its result. Recording changes no result. */
typedef enum {
    TSIM_RECORD_NOTHING,
    TSIM_RECORD_BUCKETS, /* least, mean and greatest values over time, in bounded memory */
    TSIM_RECORD_FULL, /* every change and every wave as well, kept on disk until the run is freed */
} TsimRecord;

typedef struct {
    TsimRecord record;
    uint64_t from_cycle, to_cycle; /* what part of the run; to_cycle 0: to the end */
    const char *units;             /* "gpu,se0,cu4-7" (an SE with its CUs); NULL: all */
    const char *spool_folder; /* TSIM_RECORD_FULL: where to keep it; NULL: the current folder */
    /* Called now and then from the same thread with the share of the work that is done, 0..1; may
     * be NULL. */
    void (*progress)(double share, void *user);
    void *user;
} TsimRunOptions;

TSIM_API TsimRun *tsim_run_recorded(const TsimScenarioFile *file, const TsimRunOptions *options,
                                    GError **error);

/* About how many bytes TSIM_RECORD_FULL will keep on disk for all of this scenario. */
TSIM_API uint64_t tsim_record_estimate(const TsimScenarioFile *file);

typedef struct {
    uint32_t n;    /* seeds, at least 2; that of the run is the first */
    guint threads; /* 0: one a processor */
    gint *stop;    /* atomic; once it is not 0, nothing new is begun; may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL */
    void *user;
} TsimReplicationOptions;

/* Adds how long the scenario takes with other seeds, which are the same for every run that begins
 * with the same seed. Comparisons of two such runs are paired and have confidence intervals: a
 * difference that may be chance is no win. path and load are those of the run's file. */
TSIM_API gboolean tsim_run_replicate(TsimRun *run, const char *path, const TsimLoadOptions *load,
                                     const TsimReplicationOptions *options, GError **error);

TSIM_API void tsim_run_free(TsimRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimRun, tsim_run_free)

TSIM_API uint64_t tsim_run_elapsed_cycles(const TsimRun *run);
TSIM_API uint64_t tsim_run_events(const TsimRun *run);

/* ---- Writing ---- */

typedef enum {
    TSIM_FORMAT_TEXT,
    TSIM_FORMAT_JSON,
    TSIM_FORMAT_CSV,
} TsimFormat;

typedef struct {
    guint columns;  /* width of the terminal, 0: 80 */
    gboolean color; /* ANSI colours */
    gboolean utf8;  /* block characters; plain ASCII otherwise */
} TsimStyle;

/* style matters for TSIM_FORMAT_TEXT only and may be NULL. */
TSIM_API char *tsim_run_format(const TsimRun *run, TsimFormat format, const TsimStyle *style);

typedef enum {
    TSIM_RAY_IMAGE_COST, /* nodes visited */
    TSIM_RAY_IMAGE_HIT,  /* what was hit */
} TsimRayImage;

/* PNG by suffix, else PPM; whole or not at all. Fails when the run kept no images. The check tells
 * before a run whether the file could be written after it. */
TSIM_API gboolean tsim_ray_image_check(const char *path, GError **error);
TSIM_API gboolean tsim_run_write_ray_image(const TsimRun *run, TsimRayImage image, const char *path,
                                           GError **error);

/* a and b side by side; the labels say what each was set to. */
TSIM_API char *tsim_compare_format(const TsimRun *a, const char *label_a, const TsimRun *b,
                                   const char *label_b, TsimFormat format, const TsimStyle *style);

/* Files appear whole or not at all. The run must have been recorded. */

/* By extension: .pftrace, .json (Perfetto, Chrome), .vcd (GTKWave; and a .gtkw beside it), .csv.
 * The check tells before a run whether the file could be written after it. */
TSIM_API gboolean tsim_timeline_check(const char *path, GError **error);
TSIM_API gboolean tsim_run_write_timeline(const TsimRun *run, const char *path, GError **error);

/* One HTML page that opens anywhere, without a network. */
TSIM_API gboolean tsim_report_check(const char *path, GError **error);
TSIM_API gboolean tsim_run_write_report(const TsimRun *run, const char *path, GError **error);
TSIM_API gboolean tsim_compare_write_report(const TsimRun *a, const char *label_a, const TsimRun *b,
                                            const char *label_b, const char *path, GError **error);

/* .svg, .png or .pdf by extension. A TSIM_FAILURE_USAGE where this was built without Cairo. */
TSIM_API gboolean tsim_plot_check(const char *path, GError **error);
TSIM_API gboolean tsim_run_write_plot(const TsimRun *run, const char *path, GError **error);
TSIM_API gboolean tsim_compare_write_plot(const TsimRun *a, const char *label_a, const TsimRun *b,
                                          const char *label_b, const char *path, GError **error);
/* ---- Single rays ---- */

/* Runs a file of ray-intersection cases; the text has a line for each of its lists, and with
 * `verbose` one for each difference. sets: "KEY=VALUE" settings of the unit; may be NULL.
 * ret_passed: whether all strict cases passed. */
TSIM_API char *tsim_ray_check(const char *path, const char *const *sets, gboolean verbose,
                              gboolean *ret_passed, GError **error);

typedef struct {
    const char *path;               /* mesh, or encoded BVH */
    const char *const *sets;        /* "KEY=VALUE": unit and BVH; may be NULL */
    const char *origin, *direction; /* "X,Y,Z"; both NULL: no ray is traced */
    const char *extent;             /* NULL: no end */
    gboolean any_hit;               /* the first hit will do */
    const char *write_bvh;          /* file to write the BVH to; NULL: none */
} TsimRayQuery;

/* Every node that the ray visits, every test with its operands and results. */
TSIM_API char *tsim_ray_trace(const TsimRayQuery *query, GError **error);

/* ---- Sweeps ---- */

/* Many runs of one scenario with other settings, and their results: one line of flat JSON a run. */
typedef struct TsimSweep TsimSweep;

/* Zeros and NULLs stand for defaults. */
typedef struct {
    const char *const *vary; /* "KEY=LO:HI:STEP|LO:HI:xFACTOR|V1,V2,...", keys that change together
                                joined by ';'; one an axis, NULL-terminated */
    const char *sampling;    /* "grid", "random", "sobol", "latin" */
    const char *metrics;     /* "elapsed_cycles,totals.ds_waves", "all"; the first one ranks */
    uint64_t points;         /* of designs other than the grid */
    uint64_t design_seed;
    uint32_t replications; /* runs a point, with seeds that all points share */
} TsimSweepDesign;

TSIM_API TsimSweep *tsim_sweep_new(const char *path, const TsimLoadOptions *load,
                                   const TsimSweepDesign *design, GError **error);

/* The folder that the relative paths of a kept sweep begin in: the current one of whoever began it.
 * tsim_sweep_open finds files in the current folder only. NULL when path keeps no sweep. */
TSIM_API char *tsim_sweep_folder(const char *path);

/* From a plan file, or from a folder that keeps a sweep: which is then taken over. load may have
 * search_paths only. name: of this process among those that share the folder; warnings (may be
 * NULL) receives char * lines that the caller frees. */
TSIM_API TsimSweep *tsim_sweep_open(const char *path, const TsimLoadOptions *load, const char *name,
                                    GPtrArray *warnings, GError **error);

/* The same only to read. A folder whose sweep has become another one (scenario, GPU, files,
 * version) is read as it was kept, with a warning (not NULL here) that has the differences; it is
 * not to be run. */
TSIM_API TsimSweep *tsim_sweep_look(const char *path, const TsimLoadOptions *load,
                                    GPtrArray *warnings, GError **error);
TSIM_API void tsim_sweep_free(TsimSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimSweep, tsim_sweep_free)

/* Keeps results in folder from now on: nothing is lost when the process is killed. resume: go on
 * with what is there; refused, with the differences, when scenario, GPU, files, settings or version
 * have changed. */
TSIM_API gboolean tsim_sweep_keep(TsimSweep *sweep, const char *folder, gboolean resume,
                                  const char *name, GPtrArray *warnings, GError **error);

typedef struct {
    guint threads;       /* 0: one a processor */
    guint shard, shards; /* runs every shards-th point from shard on; shards 0: all */
    gint *stop;          /* atomic; once it is not 0, the runs in hand are the last; may be NULL */
    void (*progress)(void *user, uint64_t done,
                     uint64_t total); /* never two at once; may be NULL */
    void *user;
} TsimSweepOptions;

/* Runs what is missing. TRUE also when it was stopped. */
TSIM_API gboolean tsim_sweep_run(TsimSweep *sweep, const TsimSweepOptions *options, GError **error);

TSIM_API uint64_t tsim_sweep_runs(const TsimSweep *sweep);
TSIM_API uint64_t tsim_sweep_done(const TsimSweep *sweep);   /* failed ones too */
TSIM_API uint64_t tsim_sweep_failed(const TsimSweep *sweep); /* of those that are done */
TSIM_API uint64_t tsim_sweep_missing(const TsimSweep *sweep, guint shard, guint shards);

TSIM_API char *tsim_sweep_plan(const TsimSweep *sweep); /* JSON */

/* Text: what was found. JSON: the lines. CSV: one table. Bytes depend on the plan alone. */
TSIM_API char *tsim_sweep_format(const TsimSweep *sweep, TsimFormat format, const TsimStyle *style);
TSIM_API gboolean tsim_sweep_write_sqlite(const TsimSweep *sweep, const char *path, GError **error);

/* One HTML page that opens anywhere: what is best and by how much, heat maps, trade-offs, all
 * points. The check tells before the runs whether the page could be written after them. */
TSIM_API gboolean tsim_sweep_check_report(const TsimSweep *sweep, const char *path, GError **error);
TSIM_API gboolean tsim_sweep_write_report(const TsimSweep *sweep, const char *path, GError **error);

/* ---- The best settings ---- */

typedef struct {
    const char *path;
    double weight; /* above 0 */
} TsimTuneFile;

/* Zeros and NULLs stand for defaults. */
typedef struct {
    const char *goal; /* "elapsed", "lds", "bandwidth", "occupancy", "p99-group" */
    const char *const *
        vary; /* axes as of a sweep; default: PatchesPerThreadgroup, TfThreshold, DsWaveThreshold */
    uint32_t replications;
    uint64_t tries; /* settings that may be tried; default: a tenth of all */
    guint threads;
    gint *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *user;
} TsimTuneOptions;

/* The settings that are best for all files together, beside the driver's defaults; NULL and error
 * when these cannot be run. */
TSIM_API char *tsim_tune(const TsimTuneFile *files, guint files_n, const TsimLoadOptions *load,
                         const TsimTuneOptions *options, TsimFormat format, const TsimStyle *style,
                         GError **error);

/* ---- What holds it back ---- */

typedef struct {
    uint32_t replications;
    guint threads;
    gint *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *user;
} TsimWhatIfOptions;

/* The scenario with twice of each resource in turn, and with no limit on it. JSON and CSV: one row
 * a resource. */
TSIM_API char *tsim_explain(const char *path, const TsimLoadOptions *load,
                            const TsimWhatIfOptions *options, TsimFormat format,
                            const TsimStyle *style, GError **error);

/* ---- Static answers ---- */

/* What fits and what stops the next one, for every stage of the scenario. warnings (may be NULL)
 * receives char * lines that the caller frees. */
TSIM_API char *tsim_limits(const TsimScenarioFile *file, TsimFormat format, GPtrArray *warnings,
                           GError **error);

/* The same for one kind of threadgroup, as given on a command line; 0 and NULL: not given. */
typedef struct {
    const char *gpu;   /* name or file */
    const char *stage; /* "vs", "hs", "ds", "gs", "ps" or "cs" */
    uint32_t vgprs, sgprs;
    uint32_t lds_bytes;
    uint32_t threads;   /* of a threadgroup; 0: one wave */
    uint32_t wave_size; /* 0: the GPU's */
    gboolean wgp;       /* place threadgroups in WGPs, whatever the GPU file says */
    const char *sweep;  /* "lds=LO:HI:STEP", also vgprs, sgprs, threads */
} TsimLimitsOptions;

/* An option beyond what the GPU or the stage has is a TSIM_ERROR_USAGE with number and limit. */
TSIM_API char *tsim_limits_of_stage(const TsimLimitsOptions *options, const TsimLoadOptions *load,
                                    TsimFormat format, GPtrArray *warnings, GError **error);

/* ---- Sampler feedback ---- */

/* Runs a file of sampler feedback cases against the functional units and says what passed and
 * failed, with verbose every failure. ret_passed: no case of a strict list failed. */
TSIM_API char *tsim_feedback_cases(const char *path, gboolean verbose, gboolean *ret_passed,
                                   GError **error);

typedef struct {
    const char *const *paths; /* files to write, NULL-terminated: .png, .ppm, .pgm (grey), .json */
    gboolean residency;       /* the residency map instead of the feedback map */
    uint32_t level;           /* of the map, in images */
    uint32_t zoom;            /* pixels a texel in false colour; 0: as fits half a screen */
} TsimFeedbackDumpOptions;

/* Samples all frames of the scenario's first sample_feedback work, without simulating it, and
 * writes its map as after the last frame. Returns the feedback map as JSON. */
TSIM_API char *tsim_feedback_dump(const TsimScenarioFile *file,
                                  const TsimFeedbackDumpOptions *options, GError **error);

/* "gpus", "scenarios", "metrics"; NULL and error for another topic. */
TSIM_API char *tsim_list(const char *topic, const TsimLoadOptions *options, TsimFormat format,
                         const TsimStyle *style, GError **error);

/* JSON Schema (draft-07) of "scenario", "gpu" or "result"; NULL and error for another name. */
TSIM_API char *tsim_schema(const char *name, GError **error);

G_END_DECLS
