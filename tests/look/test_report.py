#!/usr/bin/env python3
"""The page of --report in a real browser: its numbers, its controls, and that nothing goes wrong.

Usage: test_report.py TESSSIM SOURCE_ROOT. Skipped (exit code 77) where there is no Chromium.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser
import test_timelines

TESSSIM, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])

# Sum over a run's tracks of a metric, from buckets and from exact changes.
INTEGRALS = """(() => {
  const run = tesssim.runs[RUN], sums = {}, exact = {};
  for (const [key, track] of run.tracks) {
    const metric = key.split("/")[0];
    sums[metric] = (sums[metric] || 0) + track.sums.reduce((a, b) => a + b, 0);
    if (track.times) {
      let sum = 0;
      track.times.forEach((t, i) => { sum += track.values[i] * ((track.times[i + 1] ?? run.to) - t); });
      exact[metric] = (exact[metric] || 0) + sum;
    }
  }
  return [sums, exact];
})()"""


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.page = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        shutil.rmtree(cls.folder)

    def tearDown(self):
        self.assertEqual(self.page.complaints, [])
        self.assertEqual([url for url in self.page.requests if not url.startswith(("file:", "data:"))],
                         [])

    def make(self, *words, kind="run"):
        path = self.folder / "page.html"
        done = subprocess.run([TESSSIM, kind, *words, "--format", "json", "--report", path],
                              capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path, json.loads(done.stdout)

    def span(self):
        return self.page.evaluate("[tesssim.state.from, tesssim.state.to]")

    def check_integrals(self, result, run=0):
        sums, exact = self.page.evaluate(INTEGRALS.replace("RUN", str(run)))
        for metric, value in test_timelines.expected(result).items():
            self.assertEqual(sums.get(metric, 0), value, metric)
            if metric in exact:
                self.assertEqual(exact[metric], value, metric)
        return exact

    def test_numbers_are_the_statistics(self):
        path, result = self.make(ROOT / "scenarios/fragmentation.json")
        self.page.open(path)
        self.assertEqual(self.check_integrals(result), {})
        path, result = self.make(ROOT / "scenarios/mixed_tf.json", "--timeline-detail", "full")
        self.page.open(path)
        self.assertIn("waves.ds", self.check_integrals(result))
        cycles = f"{result['elapsed_cycles']:,} cycles"
        self.assertIn(cycles, self.page.evaluate("document.querySelector('header').innerText"))
        self.assertIn(result["bottleneck"]["text"][:40],
                      self.page.evaluate("document.querySelector('.verdict').innerText"))
        self.assertEqual(self.page.evaluate("tesssim.runs[0].groups.length"),
                         result["totals"]["threadgroups"])

    def test_lds_map_shows_who_holds_what(self):
        path, _ = self.make(ROOT / "scenarios/fragmentation.json")
        self.page.open(path)
        # The pixel in the middle of a long block has the colour of its owner, darkened at most.
        pixel = self.page.evaluate("""(() => {
          const run = tesssim.runs[0], block = run.blocks[0].filter(b => b.owner === 0)
            .sort((a, b) => b.end - b.begin - a.end + a.begin)[0];
          const canvas = document.querySelector("#lds-maps canvas"), span = tesssim.state.to - tesssim.state.from;
          const x = ((block.begin + block.end) / 2 - tesssim.state.from) / span * canvas.width;
          const y = canvas.height * (1 - (block.first + block.size / 2) / (run.ldsBytes / run.granule));
          return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
        })()""")
        shades = [[round(c * s) for c in (0x56, 0xb4, 0xe9)] for s in (1, .82, .66)]
        self.assertIn(pixel[:3], shades)

    def test_zoom(self):
        path, result = self.make(ROOT / "scenarios/mixed_tf.json", "--timeline-detail", "full")
        self.page.open(path)
        whole = [0, result["elapsed_cycles"]]
        self.assertEqual(self.span(), whole)
        self.page.click("#zoom-in")
        first, last = self.span()
        self.assertAlmostEqual(last - first, whole[1] / 2, delta=1)
        self.page.click("#pan-right")
        self.assertGreater(self.span()[0], first)
        self.page.click("#zoom-reset")
        self.assertEqual(self.span(), whole)
        self.page.drag("#waves .u-over", 0.25, 0.5)
        first, last = self.span()
        self.assertAlmostEqual(first, whole[1] * 0.25, delta=whole[1] * 0.01)
        self.assertAlmostEqual(last, whole[1] * 0.5, delta=whole[1] * 0.01)
        self.page.press("0", "Digit0")
        self.assertEqual(self.span(), whole)
        self.page.press("ArrowRight")
        self.page.press("+")
        self.assertLess(self.span()[1] - self.span()[0], whole[1])
        for _ in range(30):
            self.page.press("+")
        self.assertAlmostEqual(self.span()[1] - self.span()[0], 16, delta=1)

    def test_units_and_selectors(self):
        path, _ = self.make(ROOT / "scenarios/async_compute.json", "--set", "patches=400")
        self.page.open(path)
        for select in ("unit", "lds-cu", "stall-stage", "other", "balance-what"):
            for value in self.page.evaluate(f"[...document.getElementById('{select}').options].map(o => o.value)"):
                self.page.evaluate(f"""(() => {{ const s = document.getElementById("{select}");
                    s.value = "{value}"; s.dispatchEvent(new Event("change", {{bubbles: true}})); }})()""")
        self.page.click("#groups thead th:nth-child(9) button")
        ds = self.page.evaluate("[...document.querySelectorAll('#groups tbody td:nth-child(9)')].map(c => +c.innerText.replaceAll(',', ''))")
        self.assertEqual(ds, sorted(ds))

    def test_compare(self):
        path, result = self.make(ROOT / "scenarios/high_tf.json", "--set", "patches=400",
                                 kind="compare")
        self.page.open(path)
        self.check_integrals(result["a"], 0)
        self.check_integrals(result["b"], 1)
        labels = "tesssim.charts.waves.series.map(s => s.label)"
        self.assertEqual(self.page.evaluate(labels), ["cycle", "A", "B", "B - A"])
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#lds-maps canvas').length"), 2)
        self.assertTrue(self.page.evaluate("""(() => { const [x, a, b, d] = tesssim.charts.waves.data;
            return x.length > 10 && x.every((t, i) => Math.abs(b[i] - a[i] - d[i]) < 1e-9); })()"""))
        self.page.click("#runs button:nth-child(2)")
        self.assertEqual(self.page.evaluate("tesssim.state.side"), 1)
        self.assertIn("DS", self.page.evaluate(labels))
        self.assertEqual(self.page.evaluate("document.querySelectorAll('#lds-maps canvas').length"), 1)
        for reason in result["reasons"]:
            self.assertIn(reason, self.page.evaluate("document.querySelector('header').innerText"))

    def test_readers_of_all_kinds(self):
        path, _ = self.make(ROOT / "scenarios/hello.json")
        self.page.open(path)
        self.assertEqual(self.page.evaluate("document.documentElement.lang"), "en")
        self.assertIn("hello", self.page.evaluate("document.title"))
        nameless = """[...document.querySelectorAll('button, select, canvas:not(.uplot canvas), img')].filter(e =>
          !(e.innerText || e.ariaLabel || e.alt || e.labels?.length)).map(e => e.outerHTML)"""
        self.assertEqual(self.page.evaluate(nameless), [])
        before = self.page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.page.call("Emulation.setEmulatedMedia",
                       features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertNotEqual(self.page.evaluate("getComputedStyle(document.body).backgroundColor"), before)
        self.page.call("Emulation.setEmulatedMedia", features=[])
        self.page.call("Emulation.setDeviceMetricsOverride", width=390, height=800,
                       deviceScaleFactor=2, mobile=True)
        self.page.open(path)
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)
        self.page.call("Emulation.clearDeviceMetricsOverride")
        self.assertGreater(len(self.page.call("Page.printToPDF")["data"]), 20000)

    def test_a_million_changes(self):
        """Under 5 MB, and open in under 3 s on a machine that does nothing else."""
        path, result = self.make(ROOT / "scenarios/high_tf.json", "--set", "patches=14000",
                                 "--timeline-detail", "full")
        self.assertLess(path.stat().st_size, 5e6)
        self.page.open(path)
        changes = self.page.evaluate(
            "[...tesssim.runs[0].tracks.values()].reduce((n, t) => n + (t.times?.length ?? 0), 0)")
        self.assertGreater(changes, 1e6)
        self.check_integrals(result)

    def test_page_cannot_be_broken_by_names(self):
        scenario = (ROOT / "scenarios/hello.json").read_text()
        text = re.sub(r'"name": *"[^"]*"', '"name": "</title><script>alert(1)</script>&"', scenario, 1)
        path = self.folder / "evil.json"
        path.write_text(text)
        page, _ = self.make(path)
        self.page.open(page)
        self.assertIn("</title><script>", self.page.evaluate("document.title"))


if __name__ == "__main__":
    if browser.find_chromium() is None:
        print("skipped: there is no chromium")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
