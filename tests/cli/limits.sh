#!/usr/bin/env bash
# limits answers for a scenario or for one kind of threadgroup, in three formats, and says what would let one more in.
. "${0%/*}/lib.sh"

# 64 threads of 48 VGPRs: 256 / 48 = 5 waves a SIMD, 20 a CU; 3277 bytes take 3584 of 65536: 18 groups.
run limits --gpu xbox_one --vgprs 48 --sgprs 40 --lds 3277 --threads 64
expect_exit 0
expect_no_err
expect_out "lds"
expect_out "at 3072 bytes of LDS one more group fits"        # 65536 / 19 is 3449, 3072 after the granule

# The same as JSON, by number.
run limits --gpu xbox_one --stage cs --vgprs 48 --sgprs 40 --lds 3277 --threads 64 --format json
expect_exit 0
python3 - "$scratch/out" <<'PYTHON' || fail "odd JSON"
import json, sys
stage, = json.load(open(sys.argv[1]))["work"][0]["stages"]
assert stage["groups_by_limit"] == {"wave_slots": 40, "vgprs": 20, "sgprs": 48, "lds": 18, "barriers": None}, stage
assert (stage["groups_per_cu"], stage["limiter"], stage["lds_allocated_bytes"]) == (18, "lds", 3584)
assert stage["one_more_group_at"]["lds_bytes"] == 3072
PYTHON

# 129 points and a header; in text only the edges of the staircase.
run limits --gpu xbox_one --stage hs --vgprs 24 --sgprs 48 --threads 192 --sweep lds=0:65536:512 --format csv
expect_exit 0
[ "$(wc -l <"$scratch/out")" -eq 130 ] || fail "not 130 lines"
run limits --gpu xbox_one --stage hs --vgprs 24 --sgprs 48 --threads 192 --sweep lds=0:65536:512
expect_out "Where it changes as lds grows"

# Wave32 in a WGP: 131072 bytes, 64 wave slots. One of 128 threads is 4 waves: 16 groups; 10000 bytes take 10240: 12.
run limits --gpu navi21 --wgp --wave-size 32 --vgprs 32 --lds 10000 --threads 128 --format json
expect_exit 0
python3 - "$scratch/out" <<'PYTHON' || fail "odd JSON of a WGP"
import json, sys
report = json.load(open(sys.argv[1]))
stage, = report["work"][0]["stages"]
assert report["wgp_mode"] and (stage["wave_size"], stage["waves"]) == (32, 4)
assert (stage["groups_by_limit"]["wave_slots"], stage["groups_by_limit"]["lds"]) == (16, 12), stage
PYTHON

# A scenario: 85 patches of 3 -> 3 points are the largest group (255 threads), and the driver's block for it.
run limits scenarios/high_tf.json --set patch_rule=max_per_group
expect_exit 0
expect_out "by rule max_per_group, limited by threads256"
expect_out "tessellation.PatchesPerThreadgroup = 85;"
run limits scenarios/high_tf.json --mode onchip --format csv
expect_exit 0
run limits - --format json <scenarios/high_tf.json
expect_exit 0
expect_out '"tessellation_parameters"'
# Nothing to paste where there is no such thing.
run limits scenarios/rdna2.json --format json
expect_exit 0
expect_out '"tessellation_parameters":null'

# What was not asked about is no bound.
run limits --gpu xbox_one --stage hs --vgprs 24 --threads 192
expect_exit 0
expect_out "hs             13     13      -      -        16      13"

# Outputs and constants of a patch lie together, behind all inputs: 73 patches of 96 and 128 bytes.
run limits scenarios/high_tf.json
expect_out "      7008    9344      128  patches"
grep "patches counted" "$scratch/out" | awk 'length > 80 { exit 1 }' || fail "a line is wider than 80 columns"
