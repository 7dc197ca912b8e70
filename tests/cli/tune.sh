#!/usr/bin/env bash
# tune finds the optimum of the whole grid to 1 %, with a tenth of its runs, and says what to paste.
. "${0%/*}/lib.sh"

"${0%/*}/tune-grid.sh" scenarios/mixed_tf.json --set patches=120 \
    --set input_control_points=16 --set output_control_points=16 || fail "mixed_tf"

small=(scenarios/mixed_tf.json --set patches=300 --tries 100)
run tune "${small[@]}"
expect_exit 0
expect_out "driver default"
expect_out '"tessellation": { "mode": "offchip", "patches_per_threadgroup": '
expect_out "tessellation.PatchesPerThreadgroup = "
expect_out "Within 1 % of it"
cp "$scratch/out" "$scratch/text"
run tune "${small[@]}" -j 4
cmp -s "$scratch/out" "$scratch/text" || fail "four threads find something else"

for goal in lds bandwidth occupancy p99-group; do
    run tune "${small[@]}" --goal $goal --format json
    expect_exit 0
    expect_out "\"goal\":\"$goal\""
    awk -F'"score":' '{ exit !($2 + 0 > 0 && $2 + 0 <= 1) }' "$scratch/out" || fail "$goal got worse"
done
run tune "${small[@]}" --goal beauty
expect_usage_error

# Several files, one triple: the one with all the weight has its way.
run tune scenarios/mixed_tf.json scenarios/low_tf.json=0.000001 --set patches=300 --tries 100 \
    --format json
expect_exit 0
/usr/bin/env python3 - "$scratch/out" <<'END' || fail "the weights do not count"
import json
import sys

tuned = json.load(open(sys.argv[1]))
assert tuned["files.0.ratio"] <= tuned["files.0.ratio_alone"] * 1.001, tuned
assert tuned["files.1.weight"] == 1e-6
END
run tune scenarios/mixed_tf.json=0 --set patches=10
expect_usage_error
run tune scenarios/hello.json --vary tf_threshold=1,2 --vary tf_threshold=4
expect_usage_error
expect_err "tf_threshold is varied twice"
run tune scenarios/hello.json --vary seed=1:4 --replications 2
expect_usage_error
vary=()
for stage in vs hs ds ps; do # 2^80 points
    vary+=(--vary "$stage.vgprs=1:1000000")
done
run tune scenarios/hello.json "${vary[@]}"
expect_usage_error
expect_err "more settings than can be counted"

# What lies beside the best is measured, and said to be open where the tries were used up.
run tune scenarios/low_tf.json --set patches=100 --tries 300
expect_exit 0
! grep -q "those tried" "$scratch/out" || fail "not all was measured"
run tune scenarios/low_tf.json --set patches=100 --tries 8
expect_out ", of those tried"

# On-chip nothing reads the thresholds, and off-chip gets one run.
onchip=(scenarios/mixed_tf.json --set patches=400 --mode onchip --tries 40)
run tune "${onchip[@]}"
expect_exit 0
expect_out "tf_threshold: makes no difference"
expect_out "ds_wave_threshold: makes no difference"
expect_out "of one seed"
expect_out "Off-chip, which was not tried, takes"
run tune "${onchip[@]}" --format json
cp "$scratch/out" "$scratch/tuned"
run run scenarios/mixed_tf.json --set patches=400 --mode offchip --format json
/usr/bin/env python3 - "$scratch/tuned" "$scratch/out" <<'END' || fail "off-chip is told wrongly"
import json
import sys

tuned, run = (json.load(open(path)) for path in sys.argv[1:])
assert tuned["other_mode.mode"] == "offchip"
assert tuned["other_mode.files.0"] == run["elapsed_cycles"], run["elapsed_cycles"]
gain = tuned["files.0.best"] / run["elapsed_cycles"]
assert abs(tuned["other_mode.gain"] - gain) < 1e-9 and gain > 1.01, gain
assert tuned["flat_idle.tf_threshold"] and not tuned["flat_idle.patches_per_threadgroup"]
END
run tune scenarios/mixed_tf.json --set patches=400 --vary mode=onchip,offchip --format json
expect_out '"set.mode":"offchip"'
! grep -q other_mode "$scratch/out" || fail "both modes were tried"

# Any keys, with seeds in common: nothing to win is no win.
run tune scenarios/mixed_tf.json --set patches=300 --vary name=a,b --replications 3
expect_exit 0
expect_out "no win"

# Ctrl-C prints no half answer, and does not lose what was found either.
"$TESSSIM" tune scenarios/mixed_tf.json --set patches=300 --replications 20 -j 1 \
    >"$scratch/out" 2>"$scratch/err" &
victim=$!
sleep 0.5
kill -INT $victim
wait $victim
exit_code=$?
command_line="tune, stopped"
expect_exit 1
expect_no_out
expect_err "the search was stopped"
