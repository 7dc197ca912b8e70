#!/usr/bin/env python3
"""The page of --report in a real browser: its numbers, its controls, and that nothing goes wrong.

Usage: test_report.py TESSSIM SOURCE_ROOT. Skipped (exit code 77) where there is no Chromium.
"""
import json
import pathlib
import re
import subprocess
import sys
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


class Report(browser.PageTest):
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
        # It opens on the CU where tessellation holds the most.
        held = self.page.evaluate("""tesssim.runs[0].blocks.map(blocks => blocks.filter(b => b.owner === 0)
          .reduce((sum, b) => sum + b.size * (b.end - b.begin), 0))""")
        shown = self.page.evaluate("+document.querySelector('#lds-cu').value")
        self.assertEqual(held[shown], max(held))
        # The pixel in the middle of a long block has the colour of its owner, darkened at most.
        pixel = self.page.evaluate("""(() => {
          const run = tesssim.runs[0], cu = +document.querySelector("#lds-cu").value;
          const block = run.blocks[cu].filter(b => b.owner === 0)
            .sort((a, b) => b.end - b.begin - a.end + a.begin)[0];
          const canvas = document.querySelector("#lds-maps canvas"), span = tesssim.state.to - tesssim.state.from;
          const x = ((block.begin + block.end) / 2 - tesssim.state.from) / span * canvas.width;
          const y = canvas.height * (1 - (block.first + block.size / 2) / (run.ldsBytes / run.granule));
          return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
        })()""")
        shades = [[round(c * s) for c in (0x56, 0xb4, 0xe9)] for s in (1, .85, .7)]
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

    def sections(self):
        return self.page.evaluate("""[...document.querySelectorAll('main section')]
            .filter(s => s.getBoundingClientRect().height > 0)
            .map(s => s.querySelector('h2').id.replace('h-', ''))""")

    def pictures(self):
        """{title: [width, height, alternative text]} of images that the browser could decode."""
        self.page.evaluate("Promise.all([...document.images].map(i => i.decode()))")
        return dict(self.page.evaluate("""[...document.querySelectorAll('#images figure')].map(f => {
            const i = f.querySelector('img');
            return [f.querySelector('figcaption').innerText, [i.naturalWidth, i.naturalHeight, i.alt]]; })"""))

    RAYS = ["--set", "patches=40", "--set", "rays.rays.width=96", "--set", "rays.rays.height=64"]

    def test_rays(self):
        path, result = self.make(ROOT / "scenarios/ray_mixed_tess.json", *self.RAYS,
                                 "--timeline-detail", "full")
        self.page.open(path)
        rays = result["rays"]
        exact = self.check_integrals(result)
        self.assertGreater(exact["td_queue.rays"], 0)
        # Of the picture too: steps times their length, engine upon engine.
        drawn = self.page.evaluate("""(() => {
            const {lists, x} = tesssim.steps(tesssim.runs[0], [tesssim.tracksOf(tesssim.runs[0],
                "td_queue.rays", [...Array(tesssim.runs[0].cus).keys()])]);
            return lists[0].reduce((sum, v, i) => sum + v * ((x[i + 1] ?? x[i]) - x[i]), 0); })()""")
        self.assertAlmostEqual(drawn, exact["td_queue.rays"], delta=1e-6 * drawn)
        self.assertIn("SE 1", self.page.evaluate("tesssim.charts.td.series.map(s => s.label)"))
        bars = self.page.evaluate(
            "[...document.querySelectorAll('#lanes .bars i')].map(b => parseFloat(b.style.height))")
        most = max(rays["live_lanes"])
        self.assertEqual(len(bars), 33)
        for bar, halves in zip(bars, rays["live_lanes"]):
            self.assertAlmostEqual(bar, 100 * halves / most, places=3)
        table = self.page.evaluate("""[...document.querySelectorAll('#lanes-table tbody tr')].map(r =>
            [r.cells[0], r.cells[1]].map(c => +c.textContent.replaceAll(',', '')))""")
        self.assertEqual(table, [[lanes, n] for lanes, n in enumerate(rays["live_lanes"])])
        self.assertIn(f"{rays['mean_live_lanes']:.1f} of 32 on average",
                      self.page.evaluate("document.querySelector('#lanes .bars').ariaLabel"))
        self.assertEqual([size[:2] for size in self.pictures().values()], [[96, 64]] * 2)

    def test_sections_are_those_of_the_run(self):
        path, _ = self.make(ROOT / "scenarios/hello.json")
        self.page.open(path)
        self.assertEqual(self.sections(), ["waves", "lds", "servers", "queues", "balance", "groups"])
        path, _ = self.make(ROOT / "scenarios/ray_peak_box.json", "--set", "rays.mix.waves=64")
        self.page.open(path)
        sections = self.sections()
        self.assertTrue({"waves", "td", "lanes", "balance"} <= set(sections), sections)
        self.assertFalse({"lds", "groups", "images"} & set(sections), sections)
        header = self.page.evaluate("document.querySelector('header').innerText")
        self.assertIn("Ray waves in a texture unit", header)
        self.assertNotIn("Patches", header)

    def test_feedback_maps(self):
        words = ["--set", "sample_feedback.frames=3"]
        path, _ = self.make(ROOT / "scenarios/feedback_streaming.json", *words)
        self.page.open(path)
        (feedback, (_, _, alt)), (residency, _) = self.pictures().items()
        self.assertIn("level 0", feedback)
        self.assertIn("Orange is mip 0", feedback)
        self.assertIn("Residency map", residency)
        # Regions that were sampled, counted in another way out of the program.
        done = subprocess.run([TESSSIM, "feedback", ROOT / "scenarios/feedback_streaming.json", *words],
                              capture_output=True, text=True, check=True, cwd=ROOT)
        rows = json.loads(done.stdout)["levels"][0]["layers"][0]
        sampled = sum(byte != 255 for byte in rows)
        self.assertIn(f": {sampled} of 32 x 32 regions", alt)
        path, _ = self.make(ROOT / "scenarios/feedback_streaming.json", *words,
                            "--b", "sample_feedback.feedback.write_fraction=1", kind="compare")
        self.page.open(path)
        self.assertEqual([title[:3] for title in self.pictures()], ["A: ", "A: ", "B: ", "B: "])

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
        self.assertFalse(self.page.evaluate("document.documentElement.classList.contains('paper')"))

    def test_phones_do_not_scroll_sideways(self):
        self.page.call("Emulation.setDeviceMetricsOverride", width=390, height=800,
                       deviceScaleFactor=2, mobile=True)
        self.addCleanup(self.page.call, "Emulation.clearDeviceMetricsOverride")
        for name, *words in (("ray_mixed_tess", *self.RAYS, "--a", "draw.tessellation.ds_wave_threshold=4"),
                             ("feedback_streaming", "--b", "sample_feedback.frames=2")):
            path, _ = self.make(ROOT / f"scenarios/{name}.json", *words, kind="compare")
            self.page.open(path)
            self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), 390)

    def test_pictures_share_their_time_axis(self):
        """To the pixel: charts, LDS map and strips begin and end at the same places."""
        path, _ = self.make(ROOT / "scenarios/hello.json")
        self.page.open(path)
        places = self.page.evaluate("""[...document.querySelectorAll('.u-over, #lds-maps canvas, .row canvas')].map(e => {
            const box = e.getBoundingClientRect(); return [box.left, box.right]; })""")
        self.assertGreater(len(places), 10)
        for left, right in places:
            self.assertAlmostEqual(left, places[0][0], delta=2)
            self.assertAlmostEqual(right, places[0][1], delta=2)

    def test_ticks_tell_their_values(self):
        self.page.open(self.make(ROOT / "scenarios/hello.json")[0])
        self.assertEqual(self.page.evaluate("page.ticks([0, 250000, 500000, 750000, 1000000])"),
                         ["0", "0.25M", "0.50M", "0.75M", "1.00M"])

    def test_a_million_changes(self):
        """Under 5 MB, and open in under 3 s on a machine that does nothing else."""
        path, result = self.make(ROOT / "scenarios/mixed_tf.json", "--set", "patches=100000",
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
