#!/usr/bin/env bash
# tune against every legal number of patches x every DsWaveThreshold x eight TfThresholds: never
# worse than 1 % of the grid's best, with at most a tenth of its runs.
#
# usage: tune-grid.sh SCENARIO [OPTION...]
. "${0%/*}/lib.sh"

run tune "$@" --format json
expect_exit 0
cp "$scratch/out" "$scratch/tuned"

# The most patches that can be run: failures end where they begin.
most=$("$TESSSIM" sweep "$@" --vary patches_per_threadgroup=1:255 --metrics elapsed_cycles \
    --format json 2>/dev/null | grep -c '"status":"done"')
[ "$most" -gt 0 ] || fail "no legal number of patches"
run sweep "$@" --vary "patches_per_threadgroup=1:$most" --vary tf_threshold=1,2,4,8,12,16,32,64 \
    --vary ds_wave_threshold=0:15 --metrics elapsed_cycles --format json
expect_exit 0
/usr/bin/env python3 - "$scratch/tuned" "$scratch/out" <<'END' || fail "$* is not tuned"
import json
import sys

tuned = json.load(open(sys.argv[1]))
grid = [json.loads(line) for line in open(sys.argv[2])]
best = min(line["elapsed_cycles"] for line in grid if line["status"] == "done")
found = min(tuned["files.0.best"], tuned["files.0.default"])
print(f"tune {found:.0f}, grid {best}: {found / best - 1:.3%} worse, "
      f"{tuned['tried']} of {len(grid)} runs")
assert tuned["grid"] == len(grid), (tuned["grid"], len(grid))
assert found <= 1.01 * best
assert tuned["tried"] * 10 <= len(grid)
END
