#!/usr/bin/env python3
"""Random scenarios on a machine with next to nothing of anything: every run ends, or is refused before it begins.

    random-scenarios.py --tesssim BINARY [--count N] [--seed S] [--keep FOLDER]

All users of the LDS at once (LS-HS groups, on-chip GS, PS interpolants, compute), one wave slot a SIMD, a few KB of
LDS, a ring for a handful of patches, one or two off-chip buffers (T12, T15, D1-D5). What a finished run must satisfy
is checked from the outside (model section 5). TAP on stdout; a scenario that fails is kept in FOLDER.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 60  # far more than any of them takes


def gpu(rng):
    onchip = rng.random() < 0.8
    return {
        "name": "tiny", "clock_mhz": 1000, "shader_engines": rng.randint(1, 2), "shader_arrays_per_se": 1,
        "cus_per_array": rng.randint(1, 2), "simds_per_cu": rng.randint(1, 4), "waves_per_simd": rng.randint(1, 2),
        "wave_size": 64, "vgprs_per_simd": 128, "sgprs_per_simd": 256, "barriers_per_cu": rng.randint(1, 2),
        "lds_bytes_per_cu": rng.choice([4096, 6144, 8192]), "lds_granule": rng.choice([256, 512]),
        "lds_max_hs_threadgroup": 4096, "lds_max_compute_threadgroup": 4096,
        "lds_placement": rng.choice(["first_fit", "best_fit", "next_fit"]),
        "has_onchip": onchip, "merged_ls_hs": not onchip,
        "tf_ring_bytes_per_se": rng.choice([64, 128, 400]), "offchip_buffers": rng.randint(1, 2),
        "offchip_buffer_bytes": rng.choice([1024, 4096]), "export_waves_per_se": rng.randint(1, 3),
        "ps_queue_depth": rng.randint(1, 3), "ds_queue_depth": rng.randint(1, 3), "vgt_queue_depth": rng.randint(1, 3),
        "ps_lds_reserve": rng.choice([0, 512, 1024]), "lds_starvation_cycles": rng.choice([20, 500]),
        "waves_per_clk": rng.choice([0.25, 1, 3]), "ds_offchip_scope": rng.choice(["gpu", "se"]),
        "cu_policy": rng.choice(["round_robin", "fewest_waves", "first"]),
        "simd_policy": rng.choice(["round_robin", "fewest_waves"]),
    }


def program(rng, *more):
    steps = [rng.choice([{"valu": rng.randint(1, 40)}, {"wait": rng.randint(0, 200)}, {"trans": 2}, {"salu": 5},
                         {"mem": 2, "bytes": 8}, {"lds": 3}, {"sample": 1}, {"mem": 1, "store": True}])
             for _ in range(rng.randint(0, 3))]
    return steps + [step for step in more if rng.random() < 0.5]


def shader(rng, *more, **fields):
    return {"vgprs": rng.choice([4, 24, 64]), "sgprs": 16, "program": program(rng, *more), **fields}


def draw(rng, queue):
    domain = rng.choice(["tri", "quad", "isoline"])
    item = {
        "type": "draw", "queue": queue, "patches": rng.choice([0, 1, 5, 40]), "domain": domain,
        "partitioning": rng.choice(["integer", "fractional_odd", "fractional_even"]),
        "topology": "line" if domain == "isoline" else "triangle_cw",
        "input_control_points": rng.choice([1, 3, 4, 16]), "output_control_points": rng.choice([1, 3, 4, 16]),
        "tess_factors": rng.choice([{"uniform": rng.choice([0, 1, 2.5, 9])},
                                    {"distribution": "two_point", "min": 0, "max": 12, "share": 0.5}]),
        "tessellation": {"mode": rng.choice(["onchip", "offchip"]),
                         "patches_per_threadgroup": rng.choice([1, 2, 3, "auto"])},
        "vs": shader(rng, {"barrier": 1}, output_vec4=rng.randint(0, 2)),
        "hs": shader(rng, {"barrier": 1}, output_vec4=rng.randint(0, 2), patch_constant_vec4=rng.randint(0, 1)),
        "ds": shader(rng, {"export": 2}),
    }
    if item["tessellation"]["mode"] == "offchip":
        item["tessellation"].update(tf_threshold=rng.choice([0, 2, 5]), ds_wave_threshold=rng.randint(0, 3))
    if rng.random() < 0.5:
        item["ps"] = shader(rng, {"sample": 1}, pixels_per_primitive=rng.choice([0.2, 3, 70]),
                            interpolants=rng.randint(0, 3))
    if rng.random() < 0.4:
        item["gs"] = shader(rng, {"export": 1}, lds_bytes=rng.choice([0, 512, 2048]),
                            primitives_per_primitive=rng.choice([0, 1, 2.5]))
    return item


def dispatch(rng, queue):
    return {"type": "dispatch", "queue": queue, "threadgroups": rng.choice([0, 3, 30]), "threads": rng.choice([1, 64, 150]),
            "lds_bytes": rng.choice([0, 700, 3000]), "cs": shader(rng, {"barrier": 1})}


def scenario(seed):
    rng = random.Random(seed)
    work = []
    for _ in range(rng.randint(1, 6)):
        queue = rng.choice(["graphics", "async"])
        kind = rng.random()
        work.append(draw(rng, queue) if kind < 0.6 else dispatch(rng, queue) if kind < 0.85 else
                    {"type": "barrier", "queue": queue})
    return {"name": "random", "gpu": gpu(rng), "seed": seed, "work": work}


def problems(run, text):
    """What is wrong with the outcome, in words."""
    if run.returncode == 3:
        return [] if run.stderr.strip() else ["refused without a word"]
    if run.returncode != 0:
        return ["exit %d: %s" % (run.returncode, run.stderr.strip())]
    result, work = json.loads(run.stdout), json.loads(text)["work"]
    totals = result["totals"]
    draws = [item for item in work if item["type"] == "draw"]
    wrong = []
    if totals["patches"] != sum(item["patches"] for item in draws):
        wrong.append("patches were lost")
    if totals["threadgroups"] != totals["threadgroups_onchip"] + totals["threadgroups_offchip"]:
        wrong.append("a threadgroup was neither on-chip nor off-chip")
    if totals["ds_waves"] != totals["ds_waves_onchip"] + totals["ds_waves_offchip"]:
        wrong.append("a DS wave was neither on-chip nor off-chip")
    if totals["ds_waves"] * 64 < totals["ds_threads"]:
        wrong.append("more DS threads than the waves hold")
    waves = sum(-(-item["threads"] // 64) * item["threadgroups"] for item in work if item["type"] == "dispatch")
    if totals["cs_waves"] != waves:
        wrong.append("compute waves: %d, not %d" % (totals["cs_waves"], waves))
    if any(line["end_cycle"] > result["elapsed_cycles"] for line in result["draws"]):
        wrong.append("a draw ends after the run")
    for name, use in result["resources"].items():
        if use["bound_cycles"] > result["elapsed_cycles"]:
            wrong.append("%s did more work than there was time for" % name)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tesssim", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".")
    args = parser.parse_args()
    failed = finished = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.json"
        for seed in range(args.seed, args.seed + args.count):
            text = json.dumps(scenario(seed), indent=1)
            path.write_text(text)
            try:
                run = subprocess.run([args.tesssim, "run", str(path), "--format", "json"], capture_output=True,
                                     text=True, timeout=SECONDS)
                wrong = problems(run, text)
                finished += run.returncode == 0
            except subprocess.TimeoutExpired:
                wrong = ["it hangs"]
            if wrong:
                failed += 1
                (Path(args.keep) / ("random-%d.json" % seed)).write_text(text)
                print("# seed %d: %s" % (seed, "; ".join(wrong)))
    # Most must really run, or the machine is too small to show anything.
    print("%s 1 every run ends or is refused (D1-D5)" % ("not ok" if failed else "ok"))
    print("%s 2 at least a third runs: %d of %d" % ("ok" if 3 * finished >= args.count else "not ok", finished, args.count))
    print("1..2")
    return int(failed > 0 or 3 * finished < args.count)


if __name__ == "__main__":
    sys.exit(main())
