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
