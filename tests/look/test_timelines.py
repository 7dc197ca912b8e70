#!/usr/bin/env python3
"""Timelines in every format, read by other programs, against the run's own statistics.

Usage: test_timelines.py TESSSIM SOURCE_ROOT
"""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict

import readers

TESSSIM, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
PROTO = pathlib.Path(__file__).with_name("trace.proto")
STAGES = ["vs", "hs", "ds", "gs", "ps", "cs"]

# What each has: LDS of several owners, both modes, PS, merged LS-HS waves, and rays.
SCENARIOS = {
    "mixed_tf": ["--set", "patches=300"],
    "fragmentation": ["--set", "patches=128", "--set", "dispatch.threadgroups=50"],
    "async_compute": ["--set", "patches=200", "--set", "dispatch.threadgroups=60"],
    "rdna2": ["--set", "patches=100"],
    "high_tf": ["--set", "patches=40", "--mode", "onchip"],
    "ray_mixed_tess": ["--set", "patches=40", "--set", "rays.rays.width=128", "--set",
                       "rays.rays.height=128"],
}


def run(scenario, *options):
    return subprocess.run([TESSSIM, "run", ROOT / f"scenarios/{scenario}.json", *options],
                          capture_output=True, text=True)


def expected(result):
    """{metric: exact sum over all units} by the result's own numbers."""
    cycles, cus = result["elapsed_cycles"], result["machine"]["cus"]
    lds = result["machine"]["lds_bytes_per_cu"]
    sums = {"tess_blocked": result["tessellator_blocked_cycles"],
            "dram_read": result["memory"]["dram_bytes_read"],
            "dram_written": result["memory"]["dram_bytes_written"],
            "patches": result["totals"]["patches"],
            "ds_threads": result["totals"]["ds_threads"],
            "primitives": result["totals"]["primitives"]}
    for stage in STAGES:
        sums[f"waves.{stage}"] = round(result["occupancy"]["by_stage"][stage] * cus * cycles)
        for reason, waited in result["stalls"][stage].items():
            sums[f"stall.{stage}.{reason}"] = waited
    for owner, share in result["lds"]["by_owner"].items():
        sums[f"lds.{owner}"] = round(share * cus * lds * cycles)
    if "rays" in result:  # from issue to results, summed over all instructions
        rays = result["rays"]
        sums["td_queue.rays"] = round(rays["latency"]["mean"] * rays["instructions"])
    for resource, use in result["resources"].items():
        sums[f"busy.{resource}"] = use["busy_cycles"]
    return sums


def sums_by_metric(timeline, end):
    """Exact values, or means of buckets: {metric: sum over units}."""
    sums = defaultdict(int)
    for (_, signal), integral in timeline.integrals(end).items():
        if not signal.endswith((".min", ".max")):
            sums[signal.removesuffix(".mean")] += integral
    return sums


def is_same(changes, others):
    """fst2vcd prints 16 digits, which are not always enough."""
    return len(changes) == len(others) and all(
        a_cycle == b_cycle and math.isclose(a, b, rel_tol=1e-15)
        for (a_cycle, a), (b_cycle, b) in zip(changes, others))


class Recorded:
    """One scenario, recorded in one detail, in all formats."""

    def __init__(self, scenario, detail, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.paths = {kind: self.folder / f"t.{kind}" for kind in ("csv", "json", "vcd", "pftrace")}
        words = [word for path in self.paths.values() for word in ("--timeline", path)]
        done = run(scenario, *SCENARIOS[scenario], *options, "--format", "json",
                   "--timeline-detail", detail, *words)
        assert done.returncode == 0, done.stderr
        self.text = done.stdout
        self.result = json.loads(done.stdout)
        self.csv = readers.read_csv(self.paths["csv"])
        self.json = readers.read_json(self.paths["json"])
        metrics = {metric.replace(".", "_"): metric for _, metric in self.csv.levels}
        self.vcd = readers.read_vcd(self.paths["vcd"], metrics)
        self.others = {"json": self.json, "vcd": self.vcd}
        if shutil.which("protoc"):
            self.others["pftrace"] = readers.read_pftrace(self.paths["pftrace"], PROTO)
        if shutil.which("vcd2fst"):
            back = readers.through_fst(self.paths["vcd"], self.folder)
            self.others["fst"] = readers.read_vcd(back, metrics)

    def remove(self):
        shutil.rmtree(self.folder)


class Timelines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorded = {(scenario, detail): Recorded(scenario, detail)
                        for scenario in SCENARIOS for detail in ("buckets", "full")}

    @classmethod
    def tearDownClass(cls):
        for recorded in cls.recorded.values():
            recorded.remove()

    def each(self, detail=None):
        return [recorded for (_, of_detail), recorded in self.recorded.items()
                if detail in (None, of_detail)]

    def test_results_are_those_without_recording(self):
        for scenario, options in SCENARIOS.items():
            plain = run(scenario, *options, "--format", "json").stdout
            for detail in ("buckets", "full"):
                self.assertEqual(plain, self.recorded[scenario, detail].text)

    def test_integrals_are_the_statistics(self):
        for recorded in self.each():
            sums = sums_by_metric(recorded.csv, recorded.result["elapsed_cycles"])
            for metric, value in expected(recorded.result).items():
                self.assertEqual(sums[metric], value, metric)

    def test_formats_agree_change_by_change(self):
        for recorded in self.each():
            for name, other in recorded.others.items():
                self.assertEqual(recorded.csv.levels.keys(), other.levels.keys(), name)
                for key, changes in recorded.csv.levels.items():
                    self.assertTrue(is_same(changes, other.levels[key]), (name, key))

    def test_bucket_integrals_are_the_exact_ones_unit_by_unit(self):
        for scenario in SCENARIOS:
            end = self.recorded[scenario, "full"].result["elapsed_cycles"]
            exact = self.recorded[scenario, "full"].csv.integrals(end)
            means = self.recorded[scenario, "buckets"].csv.integrals(end)
            means = {(unit, signal.removesuffix(".mean")): value
                     for (unit, signal), value in means.items()
                     if not signal.endswith((".min", ".max"))}
            self.assertEqual(exact, means)

    def test_extremes_hold_the_exact_values(self):
        for scenario in SCENARIOS:
            exact = self.recorded[scenario, "full"].csv.levels
            buckets = self.recorded[scenario, "buckets"].csv.levels
            for (unit, metric), changes in exact.items():
                highest = buckets.get((unit, metric + ".max"))
                if highest is not None:
                    self.assertEqual(max(value for _, value in changes),
                                     max(value for _, value in highest), (unit, metric))

    def test_times_never_go_back_and_values_change(self):
        for recorded in self.each():
            for key, changes in recorded.csv.levels.items():
                times = [cycle for cycle, _ in changes]
                self.assertEqual(times, sorted(set(times)), key)
                self.assertEqual(changes[-1][1], 0, key)

    def test_slices_nest(self):
        for recorded in self.each():
            for kind in ("json", "pftrace"):
                for thread, slices in getattr(recorded.others.get(kind), "slices", {}).items():
                    open_until = []
                    for begin, end, _ in sorted(slices, key=lambda s: (s[0], -s[1])):
                        while open_until and open_until[-1] <= begin:
                            open_until.pop()
                        self.assertTrue(not open_until or end <= open_until[-1], thread)
                        open_until.append(end)

    def test_wave_slices_are_the_waves(self):
        """Number and length of the slices of a stage: its waves, and their integral."""
        for recorded in self.each("full"):
            count, length = defaultdict(int), defaultdict(int)
            for (_, thread), slices in recorded.json.slices.items():
                for begin, end, name in slices if thread.startswith("SIMD") else []:
                    stage = name.split()[0].lower().replace("ls", "vs")
                    count[stage] += 1
                    length["waves." + stage] += end - begin
            totals = expected(recorded.result)
            for stage in STAGES:
                self.assertEqual(count[stage], recorded.result["totals"][f"{stage}_waves"])
                self.assertEqual(length["waves." + stage], totals["waves." + stage])

    def test_lds_spans_are_the_lds_bytes(self):
        """Blocks times their life are the LDS integral, by owner; in both details here."""
        for recorded in self.each():
            sums = defaultdict(int)
            for (unit, metric), spans in recorded.csv.slices.items():
                if metric.startswith("span.lds."):
                    size = int(unit.split("+")[1])
                    for begin, end, _ in spans:
                        sums[metric.removeprefix("span.")] += size * (end - begin)
            totals = expected(recorded.result)
            for owner in ("tess", "gs", "ps", "cs"):
                self.assertEqual(sums["lds." + owner], totals["lds." + owner], owner)

    def test_groups_live_once_and_in_order(self):
        for recorded in self.each():
            lives = {unit: spans for (unit, metric), spans in recorded.csv.slices.items()
                     if metric == "span.group"}
            self.assertEqual(len(lives), recorded.result["totals"]["threadgroups"])
            for unit, [(begin, end, _)] in lives.items():
                hs = recorded.csv.slices[unit, "span.group.hs"][0]
                lds = recorded.csv.slices[unit, "span.group.lds"][0]
                self.assertTrue(begin <= hs[0] < hs[1] <= end)
                self.assertTrue(hs[1] <= lds[1] <= end)

    def test_every_ds_wave_is_reached_by_an_arrow(self):
        for recorded in self.each("full"):
            for kind in ("json", "pftrace"):
                if kind in recorded.others:
                    other = recorded.others[kind]
                    self.assertEqual(other.leaving, other.reaching)
                    self.assertEqual(len(other.leaving), recorded.result["totals"]["ds_waves"])

    def test_littles_law(self):
        """Mean DS waves = DS waves a cycle times their mean life (model section 5)."""
        for recorded in self.each("full"):
            lives = [end - begin for (_, thread), slices in recorded.json.slices.items()
                     for begin, end, name in slices
                     if thread.startswith("SIMD") and name.startswith("DS")]
            result = recorded.result
            if lives:
                rate = len(lives) / result["elapsed_cycles"]
                mean = result["occupancy"]["by_stage"]["ds"] * result["machine"]["cus"]
                self.assertAlmostEqual(mean, rate * sum(lives) / len(lives), places=6)


class Windows(unittest.TestCase):
    def record(self, detail, *options):
        recorded = Recorded("mixed_tf", detail, *options)
        self.addCleanup(recorded.remove)
        return recorded

    def test_a_window_is_the_cut_of_the_whole(self):
        whole = self.record("full")
        first, last = whole.result["elapsed_cycles"] // 3, whole.result["elapsed_cycles"] // 2
        part = self.record("full", "--timeline-window", f"{first}:{last}")
        for key, changes in whole.csv.levels.items():
            if key[1].startswith(("busy", "dram", "patches", "ds_threads", "primitives")):
                continue
            total = 0
            for (cycle, value), (after, _) in zip(changes, [*changes[1:], (last, 0)]):
                total += value * max(0, min(after, last) - max(cycle, first))
            self.assertEqual(part.csv.integrals(last).get(key, 0), total, key)

    def test_units_are_filtered(self):
        part = self.record("full", "--timeline-units", "gpu,cu1-2")
        units = {unit.split(".")[0] for unit, _ in [*part.csv.levels, *part.csv.slices]}
        self.assertEqual(units, {"gpu", "cu1", "cu2"})

    def test_wrong_options(self):
        for words in (["--timeline-units", "cu99"], ["--timeline-units", "su1"],
                      ["--timeline-window", "9:3"], ["--timeline-window", "a:b"],
                      ["--timeline-detail", "most"]):
            done = run("hello", "--timeline", "/tmp/never.csv", *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
