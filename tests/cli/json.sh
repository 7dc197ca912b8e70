#!/usr/bin/env bash
# --format json is one object with the keys that scripts rely on, the same bytes every time.
. "${0%/*}/lib.sh"

run scenarios/hello.json --format json
expect_exit 0
expect_no_err
python3 - "$scratch/out" <<'PYTHON' || fail "odd JSON"
import json, sys
result = json.load(open(sys.argv[1]))
assert result["schema_version"] == 1
assert result["scenario"] == "hello" and result["gpu"] == "xbox_one" and result["seed"] == 1
assert result["elapsed_cycles"] > 0 and result["events"] > 0
assert abs(result["elapsed_us"] - result["elapsed_cycles"] / 853) < 1e-9
# One triangle at factor 1: three points, one primitive, a wave of each stage.
totals = result["totals"]
assert (totals["patches"], totals["ds_threads"], totals["primitives"]) == (1, 3, 1)
assert (totals["vs_waves"], totals["hs_waves"], totals["ds_waves"]) == (1, 1, 1)
assert result["draws"][0]["totals"] == totals
assert result["bottleneck"]["text"].endswith(".")
PYTHON
cp "$scratch/out" "$scratch/first"
run scenarios/hello.json --format json
cmp -s "$scratch/out" "$scratch/first" || fail "two runs differ"
