/* A program outside the project that uses the installed library: prints the cycles that a scenario
 * takes. scripts/test builds it with nothing but pkg-config. */
#include <tesssim.h>

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimScenarioFile) file =
        tsim_scenario_file_load(argc > 1 ? argv[1] : "-", NULL, NULL, &error);
    g_autoptr(TsimRun) run = file != NULL ? tsim_run(file, &error) : NULL;

    if (run == NULL) {
        g_printerr("%s\n", error->message);
        return 1;
    }
    g_print("%" G_GUINT64_FORMAT "\n", tsim_run_elapsed_cycles(run));
    return 0;
}
