#!/usr/bin/env bash
# compare sets on-chip against off-chip unless told otherwise, and says which wins and why.
. "${0%/*}/lib.sh"

run compare scenarios/high_tf.json --set patches=512
expect_exit 0
expect_no_err
expect_out "A  mode=onchip"
expect_out "B  mode=offchip"
expect_out "B wins, mode=offchip"
expect_out "DS waves wait for their home CU"
# The settings of the winner, as a title takes them.
expect_out "To paste for draw_0, as in B"
expect_out "tessellation.PatchesPerThreadgroup = 73;"
expect_out "tessellation.DsWaveThreshold = 4;"
expect_out "D3D12XBOX_PIPELINE_STATE_FLAG_GS_ONCHIP_TS_OFFCHIP"

run compare scenarios/high_tf.json --set patches=512 --format json
python3 - "$scratch/out" <<'PYTHON' || fail "odd JSON"
import json, sys
both = json.load(open(sys.argv[1]))
a, b = both["a"], both["b"]
assert both["winner"] == "b" and both["reasons"]
assert a["draws"][0]["mode"] == "onchip" and b["draws"][0]["mode"] == "offchip"
assert abs(both["speedup"] - a["elapsed_cycles"] / b["elapsed_cycles"]) < 1e-12
# The same patches and factors on both sides.
assert a["totals"]["ds_threads"] == b["totals"]["ds_threads"]
PYTHON

run compare scenarios/hello.json --format csv
expect_exit 0
[ "$(head -n 1 "$scratch/out")" = "metric,a,b,ratio" ] || fail "odd header"
expect_out "totals.patches,1,1,1"
