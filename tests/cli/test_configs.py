#!/usr/bin/env python3
"""The shipped GPU files: every value has a source and a kind, and the files say what is published.

Usage: test_configs.py SOURCE_ROOT. Reads the files as data and the field table
src/hw/gpu-fields.def as text, so that neither the JSON reader nor the simulator is trusted.
"""

import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
CONFIGS = sorted((ROOT / "configs").glob("*.json"))
BASES = {"gfx7", "gfx10_3"}
KINDS = {"documented", "measured", "estimated"}

# Numbers of the requirements and of public data sheets, not of the files.
CUS = {
    "xbox_one": 12, "xbox_one_x": 40, "bonaire": 14, "hawaii": 44,
    "xbox_series_s": 20, "xbox_series_x": 52, "navi21": 80, "navi22": 40,
}
DRAM_GB_PER_S = {
    "xbox_one": 68.3, "xbox_one_x": 326.4, "bonaire": 96, "hawaii": 320,
    "xbox_series_s": 224, "xbox_series_x": 560, "navi21": 512, "navi22": 384,
}
PRIMS_PER_CLK = {
    "xbox_one": 2, "bonaire": 2, "hawaii": 4, "navi21": 4, "navi22": 2,
}


def read_fields():
    """{name: (type, min, max)}; text, switches and words have no range."""
    text = (ROOT / "src/hw/gpu-fields.def").read_text()
    rows = re.findall(r"^(TEXT|BOOL|ENUM|REAL|U32|RATE|COUNTS)\((\w+),(.*)\)$", text, re.M)
    fields = {}
    for kind, name, rest in rows:
        limits = (None, None)
        if kind not in ("TEXT", "BOOL", "ENUM"):
            limits = tuple(float(word) for word in rest.split(",")[1:3])
        fields[name] = (kind, *limits)
    return fields


FIELDS = read_fields()


def read_config(name):
    return json.loads((ROOT / "configs" / f"{name}.json").read_text())


def resolve(name):
    """The fields of a GPU and of all that it extends."""
    config = read_config(name)
    base = config.pop("extends", None)
    return {**(resolve(base) if base else {}), **config}


def values(name):
    return {key: field["value"] if isinstance(field, dict) else field
            for key, field in resolve(name).items()}


def count_cus(gpu):
    arrays = gpu["shader_engines"] * gpu["shader_arrays_per_se"]
    cus = gpu["cus_per_array"]
    return sum(cus) if isinstance(cus, list) else arrays * cus


def each_field():
    """(where, key, field) of every file."""
    for path in CONFIGS:
        for key, field in json.loads(path.read_text()).items():
            if key != "extends":
                yield f"{path.stem}: {key}", key, field


class Sources(unittest.TestCase):
    def test_every_value_has_source_and_kind(self):
        for where, key, field in each_field():
            with self.subTest(where):
                self.assertIn(key, FIELDS)
                if key in ("name", "description", "generation"):
                    self.assertIsInstance(field, str)
                    continue
                self.assertEqual(set(field), {"value", "source", "kind"})
                self.assertIn(field["kind"], KINDS)
                self.assertGreater(len(field["source"]), 10)

    def test_values_are_in_range(self):
        for where, key, field in each_field():
            kind, low, high = FIELDS[key]
            if low is None:
                continue
            with self.subTest(where):
                value = field["value"]
                self.assertTrue(kind == "COUNTS" or not isinstance(value, list))
                for number in value if isinstance(value, list) else [value]:
                    self.assertTrue(low <= number <= high, number)
                    self.assertTrue(kind in ("REAL", "RATE") or isinstance(number, int))

    def test_no_field_is_left_to_its_default(self):
        for name in CUS:
            with self.subTest(config=name):
                self.assertEqual(set(resolve(name)), set(FIELDS))


class Facts(unittest.TestCase):
    def test_all_gpus_are_there(self):
        self.assertEqual({path.stem for path in CONFIGS}, set(CUS) | BASES)

    def test_cus(self):
        for name, cus in CUS.items():
            with self.subTest(config=name):
                self.assertEqual(count_cus(values(name)), cus)

    def test_dram(self):
        for name, gb_per_s in DRAM_GB_PER_S.items():
            with self.subTest(config=name):
                gpu = values(name)
                got = gpu["dram_bytes_per_clk"] * gpu["clock_mhz"] / 1000
                self.assertAlmostEqual(got / gb_per_s, 1, delta=0.002)

    def test_primitives(self):
        for name, prims in PRIMS_PER_CLK.items():
            with self.subTest(config=name):
                gpu = values(name)
                self.assertEqual(gpu["shader_engines"] * gpu["prims_per_clk"], prims)

    def test_ray_peaks(self):
        """R1: four box tests or one triangle test a clock and CU, to four digits."""
        for name, boxes, triangles in (("xbox_series_s", 125.0, 31.26),
                                       ("xbox_series_x", 379.6, 94.9)):
            with self.subTest(config=name):
                gpu = values(name)
                tests = count_cus(gpu) * gpu["clock_mhz"] / 1000
                self.assertEqual(round(4 * tests, 1), boxes)
                self.assertEqual(round(tests, 2 if boxes < 200 else 1), triangles)

    def test_onchip(self):
        """T14: only GCN2 has an on-chip mode, and only it has separate LS waves."""
        for name in CUS:
            with self.subTest(config=name):
                gpu = values(name)
                self.assertEqual(gpu["has_onchip"], gpu["generation"] == "gfx7")
                self.assertEqual(gpu["merged_ls_hs"], gpu["generation"] != "gfx7")

    def test_caches_are_whole_lines(self):
        for name in CUS:
            with self.subTest(config=name):
                gpu = values(name)
                for cache in ("l1", "l2"):
                    self.assertEqual(gpu[f"{cache}_bytes"] % (64 * gpu[f"{cache}_ways"]), 0)


if __name__ == "__main__":
    unittest.main()
