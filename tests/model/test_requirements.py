#!/usr/bin/env python3
"""The tessellation requirements T1-T15 and the timing model's promises, seen from outside the program.

    test_requirements.py TESSSIM SOURCE_FOLDER

Every expected number is worked out here by hand or taken from the requirement; none comes from the program.
TAP on stdout.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESSSIM, SOURCE = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
CUS, WAVE = 12, 64          # XBOX One
VS_STEPS = [{"wait": 100}, {"valu": 5}]
NO_READ, NO_WRITE = {"patch_read": 0}, {"patch_write": 0}


def draw(patches, factors, mode="onchip", **changes):
    """A 3 -> 3 triangle draw of two slots a point: 224 bytes of LDS a patch. Changes go to the top, or into a part."""
    item = {
        "type": "draw", "patches": patches, "domain": "tri", "partitioning": "integer", "topology": "triangle_cw",
        "max_tess_factor": 64, "input_control_points": 3, "output_control_points": 3,
        "tess_factors": factors if isinstance(factors, dict) else {"uniform": factors},
        "tessellation": {"mode": mode, "patches_per_threadgroup": 1},
        "vs": {"vgprs": 8, "sgprs": 16, "output_vec4": 2, "program": VS_STEPS},
        "hs": {"vgprs": 12, "sgprs": 16, "output_vec4": 2, "program": [{"valu": 10}]},
        "ds": {"vgprs": 20, "sgprs": 32, "program": [{"valu": 25}]},
    }
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(item.get(key), dict):
            item[key] = {**item[key], **value}
        else:
            item[key] = value
    return item


def dispatch(**changes):
    return {"type": "dispatch", "queue": "async", "threadgroups": 1, "threads": 64, "lds_bytes": 0,
            "cs": {"vgprs": 8, "sgprs": 16, "program": [{"valu": 10}]}, **changes}


def call(work, gpu="xbox_one", options=()):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"name": "test", "gpu": gpu, "seed": 1, "work": work}, file)
        file.flush()
        return subprocess.run([TESSSIM, "run", file.name, "--format", "json", *options],
                              capture_output=True, text=True, cwd=SOURCE)


def run(*work, gpu="xbox_one", options=()):
    done = call(list(work), gpu, options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shipped(name, *options):
    done = subprocess.run([TESSSIM, "scenarios/%s.json" % name, "--format", "json", *options],
                          capture_output=True, text=True, cwd=SOURCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def equal(got, want):
    assert got == want, "got %r, expected %r" % (got, want)


def near(got, want, share):
    assert abs(got - want) <= share * want, "got %g, expected %g within %g %%" % (got, want, 100 * share)


def one_draw(result):
    return result["draws"][0]


def wave_cycles(result, stage):
    return result["occupancy"]["by_stage"][stage] * result["elapsed_cycles"] * CUS


# ---- A time worked out by hand ----

def test_hello_by_hand():
    """scenarios/hello.json, one patch at factor 1 on the XBOX One:

    1    the patch has arrived (1 patch a clock); the group is admitted and its VS wave launched
    21   it starts (wave_launch_latency 20); wait 100, then 5 instructions of 4 cycles
    141  it ends; the HS wave is launched in the same cycle
    161  it starts; 10 instructions of 4 cycles
    201  it ends
    231  the tessellator sees the group (hs_to_tess_latency 30): set-up 4, then 3 points and 1 primitive, 3 cycles
    238  the DS wave is made and launched
    258  it starts; 25 instructions of 4 cycles, wait 7
    365  it ends, the LDS is freed; its one primitive passes set-up
    366  the end
    """
    result = shipped("hello")
    equal(result["elapsed_cycles"], 366)
    # The LDS block (224 -> 512 bytes) is held from 1 to 365.
    near(result["lds"]["mean_fraction"], 512 * 364 / (366 * CUS * 65536), 1e-12)
    # Lives of the waves, launch latency included: 140, 60 and 127 cycles.
    near(wave_cycles(result, "vs"), 140, 1e-9)
    near(wave_cycles(result, "hs"), 60, 1e-9)
    near(wave_cycles(result, "ds"), 127, 1e-9)
    # Made wave; 3 launches; 1 admission; 2 + 1 + 2 segments arrive and complete; 3 ends.
    equal(result["events"], 1 + 3 + 1 + 2 * 5 + 3)


# ---- T1 - T15 ----

def test_T1_groups_are_cut_within_draws():
    result = run(draw(10, 1, tessellation={"patches_per_threadgroup": 4}),
                 draw(3, 1, tessellation={"patches_per_threadgroup": 4}),
                 draw(3, 1, tessellation={"patches_per_threadgroup": 4}))
    equal([line["totals"]["threadgroups"] for line in result["draws"]], [3, 1, 1])
    equal(result["totals"]["patches"], 16)


def test_T2_a_group_lives_in_one_cu():
    # 40 patches: 120 threads, 2 VS and 2 HS waves; 40 * 224 = 8960 bytes of LDS, 9216 allocated.
    result = run(draw(40, 0, tessellation={"patches_per_threadgroup": 40}))
    equal(result["lds"]["peak_bytes_per_cu"], 9216)
    equal(result["occupancy"]["peak_waves_per_cu"], 2)
    equal(result["occupancy"]["idlest_cu_mean_waves"], 0)


def test_T3_vs_threads():
    # 5 points x 13 patches = 65 threads: two waves.
    result = run(draw(13, 0, input_control_points=5, tessellation={"patches_per_threadgroup": 13}))
    equal(result["totals"]["vs_waves"], 2)
    equal(result["totals"]["hs_waves"], 1)
    equal(one_draw(result)["vs_waves_per_threadgroup"], 2)


def test_T4_all_hs_waves_are_resident_at_once():
    # 2 HS waves that meet at a barrier need both slots of a machine with one SIMD of two slots.
    small = {"extends": "xbox_one", "shader_engines": 1, "cus_per_array": 1, "simds_per_cu": 1, "waves_per_simd": 2}
    item = draw(80, 0, tessellation={"patches_per_threadgroup": 40}, hs={"program": [{"barrier": 1}, {"valu": 3}]})
    result = run(item, gpu=small)
    equal(result["totals"]["hs_waves"], 4)
    equal(result["occupancy"]["peak_waves_per_cu"], 2)
    refused = call([item], {**small, "waves_per_simd": 1})
    equal(refused.returncode, 3)
    assert "2" in refused.stderr and "1" in refused.stderr, refused.stderr


def test_T5_ds_threads_follow_direct3d():
    # Level 7 of a triangle: 48 points, 73 triangles. Three patches: 144 threads, 3 waves (64 + 64 + 16).
    result = run(draw(3, 7, tessellation={"patches_per_threadgroup": 3}))
    equal(result["totals"]["ds_threads"], 144)
    equal(result["totals"]["primitives"], 219)
    equal(result["totals"]["ds_waves"], 3)
    # One patch a group: 48 threads each, so 3 waves again, and no wave spans groups.
    equal(run(draw(4, 7))["totals"]["ds_waves"], 4)


def test_T6_onchip_keeps_everything_on_its_cu():
    result = run(draw(1, 16))
    totals = result["totals"]
    equal(totals["ds_waves"], 4)  # 217 points
    equal(totals["ds_waves_onchip"], 4)
    equal(totals["offchip_bytes_written"] + totals["offchip_bytes_read"], 0)
    equal(totals["tf_ring_bytes"], 16)
    # One CU holds all of it: the mean over the busiest is twelve times the mean over all.
    near(result["occupancy"]["busiest_cu_mean_waves"], CUS * result["occupancy"]["mean_waves_per_cu"], 1e-9)


def test_T7_offchip_writes_outputs_constants_and_factors():
    # 40 patches x (3 points x 2 slots + 1 constant + 2 of factors) x 16 bytes; LDS 40 x (96 + 96 + 48) = 9600 -> 9728.
    settings = {"patches_per_threadgroup": 40, "tf_threshold": 0}
    item = draw(40, 4, "offchip", tessellation=settings, hs={"patch_constant_vec4": 1})
    result = run(item)
    equal(result["totals"]["offchip_bytes_written"], 40 * 9 * 16)
    assert result["totals"]["offchip_bytes_read"] > 0
    equal(one_draw(result)["lds_allocated_bytes_per_threadgroup"], 9728)
    onchip = run(draw(40, 4, tessellation={"patches_per_threadgroup": 40}, hs={"patch_constant_vec4": 1}))
    equal(one_draw(onchip)["lds_allocated_bytes_per_threadgroup"], 9728)
    # The control dword of the ring is there when off-chip is compiled in (E14).
    equal(result["totals"]["tf_ring_bytes"], 40 * 16 + 4)
    equal(onchip["totals"]["tf_ring_bytes"], 40 * 16)


def test_T8_the_average_decides_group_by_group():
    def groups(threshold, factors):
        settings = {"patches_per_threadgroup": 2, "tf_threshold": threshold, "ds_wave_threshold": 0}
        totals = run(draw(4, factors, "offchip", tessellation=settings))["totals"]
        return totals["threadgroups_onchip"], totals["threadgroups_offchip"]

    equal(groups(5, 5), (0, 2))          # equal goes off-chip
    equal(groups(5.001, 5), (2, 0))
    # Patches of 2, 6 | 1, 5: averages 4 and 3. A culled patch counts 0, an infinite factor 64.
    two = {"list": [{"edge": [n] * 3, "inside": [n]} for n in (2, 6, 1, 5)]}
    equal(groups(4, two), (1, 1))
    culled = {"list": [{"edge": [0, 9, 9], "inside": [9]}, {"edge": [8] * 3, "inside": [8]}] * 2}
    equal(groups(4, culled), (0, 2))
    equal(groups(4.001, culled), (2, 0))
    # An on-chip group writes nothing.
    settings = {"patches_per_threadgroup": 2, "tf_threshold": 6, "ds_wave_threshold": 0}
    equal(run(draw(4, 5, "offchip", tessellation=settings))["totals"]["offchip_bytes_written"], 0)


def test_T8_rules_that_are_not_public_can_be_chosen():
    def offchip(rows, threshold, **rules):
        listed = {"list": [{"edge": edge, "inside": [inside]} for edge, inside in rows]}
        settings = {"patches_per_threadgroup": 2, "tf_threshold": threshold, "ds_wave_threshold": 0, **rules}
        result = run(draw(len(rows), listed, "offchip", tessellation=settings))
        line = one_draw(result)
        equal([line[key] for key in rules], list(rules.values()))
        return result["totals"]["threadgroups_offchip"], line["mean_tess_factor"]

    # Averages that are exactly the threshold: 5, and 4.5 of (6 + 6 + 6 + 2 + 4 + 4 + 4 + 4) / 8.
    even, uneven = [([5, 5, 5], 5)] * 2, [([6, 6, 6], 2), ([4, 4, 4], 4)]
    for rows, average in ((even, 5), (uneven, 4.5)):
        equal(offchip(rows, average, tf_compare="at_least"), (1, average))
        equal(offchip(rows, average, tf_compare="above"), (0, average))
        equal(offchip(rows, average - 0.001, tf_compare="above")[0], 1)
    # Edges of the uneven group: (18 + 12) / 6 = 5. Highest factors: (6 + 4) / 2 = 5; of inside 30: (30 + 4) / 2 = 17.
    equal(offchip(uneven, 5, average_rule="all_factors"), (0, 4.5))
    equal(offchip(uneven, 5, average_rule="edges_only"), (1, 5))
    equal(offchip(uneven, 5.001, average_rule="edges_only"), (0, 5))
    inside = [([6, 6, 6], 30), ([4, 4, 4], 4)]
    equal(offchip(inside, 17, average_rule="max_factor"), (1, 17))
    equal(offchip(inside, 17.001, average_rule="max_factor"), (0, 17))
    # One of two patches culled, the other 8: 4 when it counts, 8 when it does not; all culled: nothing to average.
    culled, nothing = [([0, 9, 9], 9), ([8, 8, 8], 8)], [([0, 9, 9], 9)] * 2
    equal(offchip(culled, 4.001, culled_patches="count_zero"), (0, 4))
    equal(offchip(culled, 8, culled_patches="ignored"), (1, 8))
    equal(offchip(culled, 8.001, culled_patches="ignored"), (0, 8))
    equal(offchip(nothing, 1, culled_patches="ignored"), (0, 0))
    # A GPU without on-chip mode decides nothing.
    rules = {"average_rule": "max_factor", "tf_compare": "above", "culled_patches": "ignored"}
    rdna = run(draw(2, 0, "offchip", tessellation=rules), gpu="navi21")["totals"]
    equal(rdna["threadgroups_offchip"], rdna["threadgroups"])


def test_T5_vertex_reuse_fills_waves_with_threads():
    # Facts, section 8: triangles of factor 8 have 61 points; a FIFO of 14 shades 97, one of 30 shades 82.
    def ds(reuse, gpu="xbox_one", depth=0):
        mode = "onchip" if gpu == "xbox_one" else "offchip"
        totals = run(draw(1, 8, mode, vertex_reuse=reuse, vertex_reuse_depth=depth), gpu=gpu)["totals"]
        equal((totals["domain_points"], totals["primitives"]), (61, 96))
        return totals["ds_threads"], totals["ds_waves"]

    equal(ds("unique"), (61, 1))
    equal(ds("fifo"), (97, 2))                      # 14 is the depth of GFX7 ...
    equal(ds("fifo", "navi21"), (82, 2))            # ... 30 that of RDNA2
    equal(ds("fifo", depth=30), (82, 2))
    equal(ds("lru"), (97, 2))                       # golden/tessellator_reuse.csv
    equal(ds("lru", depth=30), (80, 2))
    # E10: 4 cycles of set-up and 96 of primitives either way; the threads are spread over them.
    for reuse in ("unique", "fifo"):
        equal(run(draw(1, 8, vertex_reuse=reuse))["resources"]["tessellator"]["busy_cycles"], 100)


def test_T9_first_waves_stay_then_lds_is_freed():
    def local(threshold):
        settings = {"tf_threshold": 1, "ds_wave_threshold": threshold}
        return run(draw(1, 32, "offchip", tessellation=settings))

    # 817 points: 13 waves.
    equal([local(n)["totals"]["ds_waves_onchip"] for n in (0, 2, 4, 15)], [0, 2, 4, 13])
    held = [local(n)["lds"]["mean_fraction"] * local(n)["elapsed_cycles"] for n in (0, 2, 4, 15)]
    assert held == sorted(held) and held[0] < held[1] < held[2] < held[3], held
    equal(call([draw(1, 4, "offchip", tessellation={"ds_wave_threshold": 16})]).returncode, 3)


def test_T10_driver_defaults():
    # xbox_one: 65536 / 224 = 292 patches fit a CU at best; 4 groups of 73 (16352 -> 16384 bytes) hold all 292.
    auto = {"patches_per_threadgroup": "auto", "tf_threshold": "auto"}
    line = one_draw(run(draw(1, 1, "offchip", tessellation=auto)))
    equal((line["patches_per_threadgroup"], line["patch_rule"], line["ds_wave_threshold"]), (73, "xbox_one", 4))
    # 16 patches: 16 x 12 = 192 threads at level 3, 16 x 19 = 304 at level 4, which is nearer to 256.
    sixteen = {"patches_per_threadgroup": 16, "tf_threshold": "auto", "tf_rule": "nearest_256"}
    equal(one_draw(run(draw(1, 1, "offchip", tessellation=sixteen)))["tf_threshold"], 4)
    # 20 patches: 240 at level 3 is nearest; the first level with at least 256 is 4 (380).
    twenty = {"patches_per_threadgroup": 20, "tf_threshold": "auto"}
    for rule, level in (("nearest_256", 3), ("at_least_256", 4)):
        line = one_draw(run(draw(1, 1, "offchip", tessellation={**twenty, "tf_rule": rule})))
        equal(line["tf_threshold"], level)


def test_T11_hull_and_domain_shader_match():
    mixed = call([draw(1, 1, "offchip", hs={"compiled_offchip": True}, ds={"compiled_offchip": False})])
    equal(mixed.returncode, 3)
    assert "compiled" in mixed.stderr, mixed.stderr
    warned = call([draw(1, 1, tessellation={"tf_threshold": 4})])
    equal(warned.returncode, 0)
    assert "tf_threshold" in warned.stderr, warned.stderr


def test_T12_others_hold_lds():
    result = run(draw(64, 5, tessellation={"patches_per_threadgroup": 4},
                      gs={"vgprs": 8, "sgprs": 16, "lds_bytes": 2048, "program": [{"valu": 10}]},
                      ps={"vgprs": 8, "sgprs": 16, "pixels_per_primitive": 8, "interpolants": 2, "program": [{"valu": 9}]}),
                 dispatch(threadgroups=8, threads=128, lds_bytes=4096))
    for owner in ("tess", "gs", "ps", "cs"):
        assert result["lds"]["by_owner"][owner] > 0, owner
    # 64 patches of 37 triangles (level 5): 2368 primitives of 8 pixels: 296 PS waves. 27 points: groups of 4 patches
    # are 2 DS waves; primitives of the waves 87 and 61 (floor of 64 points' share), so 2 + 1 GS waves a group.
    totals = result["totals"]
    equal(totals["primitives"], 2368)
    equal(totals["ps_waves"], 296)
    equal(totals["gs_waves"], 16 * 3)
    equal(totals["cs_waves"], 16)


def test_T13_high_factors_onchip_pins_offchip_balances():
    onchip, offchip = shipped("high_tf", "--mode", "onchip"), shipped("high_tf", "--mode", "offchip")
    ratio = onchip["elapsed_cycles"] / offchip["elapsed_cycles"]
    assert 3.1 <= ratio <= 3.4, ratio
    assert offchip["elapsed_cycles"] <= 1.1 * offchip["bound"]["cycles"], offchip["bound"]
    assert onchip["stalls"]["ds"]["home_cu"] > 0.9 * 2 * onchip["elapsed_cycles"]
    equal(offchip["stalls"]["ds"]["home_cu"], 0)
    assert offchip["lds"]["mean_fraction"] < onchip["lds"]["mean_fraction"]


def test_T13_offchip_may_lose():
    onchip, offchip = shipped("bandwidth_bound", "--mode", "onchip"), shipped("bandwidth_bound", "--mode", "offchip")
    assert offchip["elapsed_cycles"] > 1.1 * onchip["elapsed_cycles"]
    equal(offchip["bottleneck"]["resource"], "dram")


def test_T14_rdna_merges_and_has_no_onchip_mode():
    # 3 -> 10 points, 25 patches: 250 merged threads, 4 waves of 64.
    item = draw(25, 4, "onchip", output_control_points=10, tessellation={"patches_per_threadgroup": 25})
    done = call([item], "xbox_series_x")
    equal(done.returncode, 0)
    assert "on-chip" in done.stderr, done.stderr
    result = json.loads(done.stdout)
    equal((result["totals"]["vs_waves"], result["totals"]["hs_waves"]), (0, 4))
    equal((one_draw(result)["mode"], result["totals"]["ds_waves_onchip"]), ("offchip", 0))


def test_T15_buffers_and_ring_are_finite():
    settings = {"patches_per_threadgroup": 4, "tf_threshold": 0}
    item = draw(256, 9, "offchip", tessellation=settings)
    free = run(item)
    one_buffer = run(item, gpu={"extends": "xbox_one", "offchip_buffers": 1})
    small_ring = run(item, gpu={"extends": "xbox_one", "tf_ring_bytes_per_se": 68})  # 4 x 16 + 4: one group
    equal(free["stalls"]["vs"]["offchip_buffer"] + free["stalls"]["vs"]["tf_ring"], 0)
    assert one_buffer["stalls"]["vs"]["offchip_buffer"] > 0
    assert small_ring["stalls"]["vs"]["tf_ring"] > 0
    assert one_buffer["elapsed_cycles"] > free["elapsed_cycles"] < small_ring["elapsed_cycles"]
    refused = call([item], {"extends": "xbox_one", "tf_ring_bytes_per_se": 67})
    equal(refused.returncode, 3)
    assert "68" in refused.stderr and "67" in refused.stderr, refused.stderr


# ---- Equivalences and promises of the model ----

def test_E9_thresholds_above_everything_equal_onchip():
    onchip, offchip = shipped("low_tf", "--mode", "onchip"), shipped("low_tf", "--mode", "offchip")
    equal(offchip["totals"]["threadgroups_offchip"], 0)
    equal(offchip["elapsed_cycles"], onchip["elapsed_cycles"])


def test_E12_culled_groups_free_everything():
    result = run(draw(100, 0, "offchip", tessellation={"patches_per_threadgroup": 7}))
    equal(result["totals"]["culled_patches"], 100)
    equal(result["totals"]["ds_waves"], 0)


def test_E15_a_barrier_waits_for_its_queue():
    pair = [draw(40, 9, tessellation={"patches_per_threadgroup": 8})] * 2
    overlapped = run(*pair)
    ordered = run(pair[0], {"type": "barrier"}, pair[1])
    assert overlapped["draws"][1]["begin_cycle"] < overlapped["draws"][0]["end_cycle"]
    equal(ordered["draws"][1]["begin_cycle"], ordered["draws"][0]["end_cycle"])


def test_E17_gpu_fields_can_be_set():
    base, later = run(draw(1, 1)), run(draw(1, 1), options=["--set", "gpu.hs_to_tess_latency=1030"])
    equal(later["elapsed_cycles"] - base["elapsed_cycles"], 1000)


def test_light_ds_is_tessellator_bound_either_way():
    # Model 3e: light DS at factor 32, on-chip equals off-chip within 1 %.
    light = {"vgprs": 20, "sgprs": 32, "program": [{"valu": 65}, {"export": 2}]}
    settings = {"patches_per_threadgroup": 16, "tf_threshold": 1}
    cycles = [run(draw(512, 32, mode, tessellation=settings if mode == "offchip" else {"patches_per_threadgroup": 16},
                       ds=light))["elapsed_cycles"] for mode in ("onchip", "offchip")]
    near(cycles[1], cycles[0], 0.01)


def test_small_groups_cure_onchip():
    # Model 3e, 200 patches, heavy DS, factor 32: 1 patch a group 154 k cycles, 16 a group 487 k.
    heavy = {"vgprs": 64, "sgprs": 24, "program": [NO_READ, {"valu": 410}]}
    cycles = [run(draw(200, 32, partitioning="integer", tessellation={"patches_per_threadgroup": n}, ds=heavy))
              ["elapsed_cycles"] for n in (1, 16)]
    near(cycles[0], 154e3, 0.05)
    near(cycles[1], 487e3, 0.08)


# ---- Shader costs: a lone wave near the compiler's latency, a full SIMD near its inverse throughput ----

def programs():
    work = {name: json.loads((SOURCE / "scenarios" / (name + ".json")).read_text())["work"][0]
            for name in ("high_tf", "low_tf", "bunny_lod", "terrain")}
    return {"VS": (work["high_tf"]["vs"], 420, 56), "HS": (work["high_tf"]["hs"], 607, 162),
            "DS light": (work["low_tf"]["ds"], 892, 148), "DS heavy": (work["high_tf"]["ds"], 2400, 1640),
            "PS light": (work["bunny_lod"]["ps"], 428, 43), "PS heavy": (work["terrain"]["ps"], 672, 396)}


def lone_wave_cycles(name, shader):
    """Life of one full wave on an idle GPU, without the launch latency of 20."""
    if name in ("VS", "HS"):
        key = name.lower()
        item = draw(21, 1, "offchip", tessellation={"patches_per_threadgroup": 21, "tf_threshold": 0}, **{key: shader})
        return wave_cycles(run(item), key) - 20
    if name.startswith("DS"):
        item = draw(1, 8, "offchip", tessellation={"tf_threshold": 0, "ds_wave_threshold": 0}, ds=shader)
        return wave_cycles(run(item), "ds") - 20  # 61 points
    item = dispatch(cs={key: shader[key] for key in ("vgprs", "sgprs", "program")})
    return wave_cycles(run(item), "cs") - 20


def spacing_cycles(shader):
    """Cycles a wave of a SIMD that is full of them: compute waves of the same registers and program."""
    waves = 400
    item = dispatch(threadgroups=waves, cs={key: shader[key] for key in ("vgprs", "sgprs", "program")})
    one_simd = {"extends": "xbox_one", "shader_engines": 1, "cus_per_array": 1, "simds_per_cu": 1}
    return run(item, gpu=one_simd)["elapsed_cycles"] / waves


def test_shader_costs_are_those_of_a_real_compiler():
    for name, (shader, latency, inverse_throughput) in programs().items():
        try:
            near(lone_wave_cycles(name, shader), latency, 0.25)
            near(spacing_cycles(shader), inverse_throughput, 0.25)
        except AssertionError as error:
            raise AssertionError("%s: %s" % (name, error)) from None


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    print("1..%d" % len(tests))
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print("ok %d %s" % (number, name[5:]), flush=True)
        except AssertionError as error:
            failed += 1
            print("not ok %d %s" % (number, name[5:]))
            print("# %s" % str(error).replace("\n", "\n# "), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
