#!/usr/bin/env python3
"""The page of sweep --report in a real browser: every number is that of the results file.

Usage: test_sweep_page.py TESSSIM SOURCE_ROOT. Skipped (exit code 77) where there is no Chromium.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import unittest

import browser

TESSSIM, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
GRID = ["--set", "patches=300", "--vary", "patches_per_threadgroup=10:90:20", "--vary",
        "tf_threshold=1,4,16", "--vary", "ds_wave_threshold=0,4"]

CELLS = """[...document.querySelectorAll('#map tbody tr')].map(row => [row.cells[0].innerText,
  ...[...row.querySelectorAll('td')].map(cell => cell.dataset.value === undefined ? cell.innerText : +cell.dataset.value)])"""
COLUMNS = "[...document.querySelectorAll('#map thead th')].slice(1).map(cell => cell.innerText)"
FRONT = "tesssim.front().map(point => point.number)"


class SweepPage(browser.PageTest):
    def make(self, scenario, *words):
        path = self.folder / "page.html"
        done = subprocess.run([TESSSIM, "sweep", scenario, *words, "--format", "json", "--report", path],
                              capture_output=True, text=True, cwd=ROOT)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.page.open(path)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def choose(self, select, value):
        self.page.evaluate(f"""(() => {{ const s = document.querySelector({json.dumps(select)}); s.value = {json.dumps(value)};
            s.dispatchEvent(new Event("change", {{bubbles: true}})); }})()""")

    def text(self, selector):
        return self.page.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def check_map(self, lines, metric, fixed=None):
        columns, cells = self.page.evaluate(COLUMNS), self.page.evaluate(CELLS)
        self.assertEqual(columns, ["1", "4", "16"])
        self.assertEqual([row[0] for row in cells], ["10", "30", "50", "70", "90"])
        for patches, *row in cells:
            for threshold, shown in zip(columns, row):
                here = [line for line in lines if line["set.patches_per_threadgroup"] == int(patches)
                        and line["set.tf_threshold"] == int(threshold)
                        and fixed in (None, line["set.ds_wave_threshold"])]
                done = [line for line in here if line["status"] == "done"]
                best = min(done, key=lambda line: line["elapsed_cycles"], default=None)
                self.assertEqual(shown, best[metric] if best else "failed")

    def test_heat_map_shows_the_results(self):
        lines = self.make("mixed_tf", *GRID)
        self.check_map(lines, "elapsed_cycles")
        self.choose("#map-metric", "lds.mean_fraction")
        self.check_map(lines, "lds.mean_fraction")
        self.choose("#map-fixed select", "1")
        self.check_map(lines, "lds.mean_fraction", fixed=4)
        self.choose("#map-x", "2")
        self.assertEqual(self.page.evaluate(COLUMNS), ["0", "4"])
        self.choose("#map-y", "")
        self.assertEqual(self.page.evaluate("tesssim.charts.curve.data[0]"), [0, 4])
        least = min(line["elapsed_cycles"] for line in lines
                    if line["status"] == "done" and line["set.ds_wave_threshold"] == 4)
        self.choose("#map-metric", "elapsed_cycles")
        self.assertEqual(self.page.evaluate("tesssim.charts.curve.data[1][1]"), least)

    def test_best_and_its_gain(self):
        lines = self.make("mixed_tf", *GRID)
        best = min((line for line in lines if line["status"] == "done"),
                   key=lambda line: line["elapsed_cycles"])
        own = json.loads(subprocess.run([TESSSIM, "run", "mixed_tf", "--set", "patches=300", "--format",
                                         "json"], capture_output=True, text=True, cwd=ROOT).stdout)
        words = self.text("#best")
        self.assertIn(f"{best['elapsed_cycles']:,} cycles, at point {best['point']}.", words)
        self.assertIn(f"{own['elapsed_cycles']:,} cycles", words)
        self.assertIn(f"{own['elapsed_cycles'] / best['elapsed_cycles']:.3f} times", words)
        self.assertEqual(self.text("#points tbody th"), str(best["point"]))
        self.assertEqual(self.page.evaluate("document.querySelector('#map td.best').dataset.value"),
                         str(best["elapsed_cycles"]))

    def test_pareto_front(self):
        lines = [line for line in self.make("mixed_tf", *GRID) if line["status"] == "done"]

        def front(x, y, sign):
            rest = [(line[x], sign * line[y], line["point"]) for line in lines]
            return {(a, b) for a, b, _ in rest
                    if not any(c <= a and d <= b and (c, d) != (a, b) for c, d, _ in rest)}

        self.assertEqual(self.page.evaluate("document.getElementById('pareto-x').value"),
                         "elapsed_cycles")
        for metric, sign in (("lds.mean_fraction", 1), ("memory.dram_bytes_read", 1),
                             ("occupancy.mean_waves_per_cu", -1)):
            self.choose("#pareto-y", metric)
            if self.page.evaluate("document.getElementById('pareto-y-up').checked") != (sign < 0):
                self.page.click("#pareto-y-up")
            numbers = self.page.evaluate(FRONT)
            of = {line["point"]: line for line in lines}
            found = [(of[n]["elapsed_cycles"], sign * of[n][metric]) for n in numbers]
            self.assertEqual(set(found), front("elapsed_cycles", metric, sign))
            self.assertEqual(len(found), len(set(found)))
            listed = self.page.evaluate("[...document.querySelectorAll('#front tbody th')].map(c => +c.innerText)")
            self.assertEqual(listed, numbers)

    def test_replications_and_failures(self):
        lines = self.make("mixed_tf", "--set", "patches=200", "--vary", "patches_per_threadgroup=20,60,200",
                          "--replications", "3")
        runs = [line["elapsed_cycles"] for line in lines if line["point"] == 0]
        half = statistics.stdev(runs) / 3 ** 0.5 * 4.302652729911275  # t of two degrees of freedom
        mean = statistics.mean(runs)
        data = self.page.evaluate("tesssim.charts.curve.data.map(column => [...column])")
        self.assertAlmostEqual(data[1][0], mean, places=6)
        self.assertAlmostEqual(data[2][0], mean + half, places=3)
        self.assertAlmostEqual(data[3][0], mean - half, places=3)
        self.assertIsNone(data[1][2])
        self.assertIn("failed: ", self.text("#points tbody tr:last-child"))
        self.assertIn("±", self.text("#points tbody tr"))
        self.page.evaluate("""(() => { const f = document.getElementById("points-filter"); f.value = "failed";
            f.dispatchEvent(new Event("input")); })()""")
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#points tbody tr').length"), 1)

    def test_one_metric_has_no_trade_offs(self):
        self.make("hello", "--vary", "patches=1:4", "--metrics", "elapsed_cycles")
        self.assertTrue(self.page.evaluate("document.getElementById('pareto-view').hidden"))
        self.assertIn("--metrics", self.text("#pareto-hint"))

    def test_words_have_colours(self):
        self.make("mixed_tf", *GRID, "--metrics", "elapsed_cycles,bottleneck.resource,draws.0.patches_per_threadgroup")
        self.choose("#map-metric", "bottleneck.resource")
        words = {cell for row in self.page.evaluate(
            "[...document.querySelectorAll('#map tbody tr')].map(row => [...row.querySelectorAll('td[data-value]')].map(cell => cell.dataset.value))")
            for cell in row}
        self.assertEqual(set(self.page.evaluate(
            "[...document.querySelectorAll('#map-legend span')].map(item => item.innerText)")), words)

    def test_keyboard(self):
        lines = self.make("mixed_tf", *GRID)
        self.page.evaluate("document.querySelector('#map tbody td').focus()")
        self.page.press("ArrowRight")
        self.page.press("ArrowDown")
        best = min(line["elapsed_cycles"] for line in lines if line["set.patches_per_threadgroup"] == 30
                   and line["set.tf_threshold"] == 4)
        self.assertIn(f"{best:,} cycles", self.text("#map-readout"))
        self.page.evaluate("document.getElementById('pareto').focus()")
        self.page.press("ArrowRight")
        first = self.page.evaluate("tesssim.front()[0].number")
        self.assertIn(f"point {first}:", self.text("#pareto-readout"))
        self.page.click("#points thead th:nth-child(2) button")
        shown = self.page.evaluate("[...document.querySelectorAll('#points tbody td:nth-child(2)')].map(c => +c.innerText)")
        done = [value for value in shown if value < 90]
        self.assertEqual(done, sorted(done))

    def test_readers_of_all_kinds(self):
        self.make("mixed_tf", *GRID)
        self.assertEqual(self.page.evaluate("document.documentElement.lang"), "en")
        self.assertIn("mixed_tf", self.page.evaluate("document.title"))
        nameless = """[...document.querySelectorAll('button, select, input, td[tabindex]')].filter(e =>
          !(e.innerText || e.ariaLabel || e.labels?.length)).map(e => e.outerHTML)"""
        self.assertEqual(self.page.evaluate(nameless), [])
        for theme in ("dark", "light"):
            self.page.call("Emulation.setEmulatedMedia",
                           features=[{"name": "prefers-color-scheme", "value": theme}])
        self.page.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2,
                       mobile=True)
        self.make("mixed_tf", *GRID)
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)
        self.page.call("Emulation.clearDeviceMetricsOverride")
        self.assertGreater(len(self.page.call("Page.printToPDF")["data"]), 20000)

    def test_ten_thousand_points(self):
        """Under 1 MB; opens in about a second on a machine that does nothing else."""
        path = self.folder / "page.html"
        lines = self.make("hello", "--vary", "patches=1:50", "--vary", "tf_threshold=1:50", "--vary",
                          "ds_wave_threshold=0,4,8,12")
        self.assertEqual(len(lines), 10000)
        self.assertEqual(self.page.evaluate("tesssim.points.length"), 10000)
        self.assertLess(path.stat().st_size, 1e6)
        self.assertLess(self.page.open(path), 10)
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#points tbody tr').length"), 100)
        self.page.click("#points-more")
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#points tbody tr').length"), 600)

    def test_page_cannot_be_broken_by_names(self):
        scenario = json.loads((ROOT / "scenarios/hello.json").read_text())
        scenario["name"] = "</title><script>alert(1)</script>&"
        path = self.folder / "evil.json"
        path.write_text(json.dumps(scenario))
        self.make(path, "--vary", "name=</script><b>x,y", "--vary", "patches=1,2", "--gpu", ROOT / "configs/xbox_one.json")
        self.assertIn("</title><script>", self.page.evaluate("document.title"))
        self.assertIn("</script><b>x", self.text("#points tbody"))


if __name__ == "__main__":
    if browser.find_chromium() is None:
        print("skipped: there is no chromium")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
