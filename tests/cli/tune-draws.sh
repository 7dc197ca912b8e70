#!/usr/bin/env bash
# tune says what to paste for every draw: once for those that are alike, by name for those that
# differ.
. "${0%/*}/lib.sh"

/usr/bin/env python3 - "$scratch/draws.json" <<'END'
import json
import sys

scenario = json.load(open("scenarios/mixed_tf.json"))
draw = scenario["work"][0] | {"patches": 100}
scenario["work"] = [draw | {"name": "hills"},
                    draw | {"name": "water", "input_control_points": 16, "output_control_points": 16},
                    draw | {"name": "trees"}]
json.dump(scenario, open(sys.argv[1], "w"))
END

run tune "$scratch/draws.json" --vary ds_wave_threshold=0,4
expect_exit 0
expect_out "For a title: hills, trees"
expect_out "For a title: water"
expect_out "For a scenario: water"
[ "$(grep -c 'tessellation.PatchesPerThreadgroup = ' "$scratch/out")" -eq 2 ] || fail "not one block a kind"

# The draws run with what is to be pasted.
run tune "$scratch/draws.json" --vary ds_wave_threshold=0,4 --format json
expect_exit 0
cp "$scratch/out" "$scratch/tuned"
sets=$(sed -n 's/.*"set.ds_wave_threshold":\([0-9]*\).*/\1/p' "$scratch/tuned")
run run "$scratch/draws.json" --ds-wave-threshold "$sets" --format json
/usr/bin/env python3 - "$scratch/tuned" "$scratch/out" <<'END' || fail "not what the draws run with"
import json
import sys

tuned, run = (json.load(open(path)) for path in sys.argv[1:])
for i, draw in enumerate(run["draws"]):
    for key in ("name", "mode", "patches_per_threadgroup", "tf_threshold", "ds_wave_threshold"):
        assert tuned[f"files.0.draws.{i}.{key}"] == draw[key], (i, key)
    assert f"PatchesPerThreadgroup = {draw['patches_per_threadgroup']};" in tuned[f"files.0.draws.{i}.paste"]
assert len(run["draws"]) == 3
assert tuned["files.0.draws.0.paste"] == tuned["files.0.draws.2.paste"] != tuned["files.0.draws.1.paste"]
END

# One kind of draw needs no names.
run tune scenarios/mixed_tf.json --set patches=50 --vary ds_wave_threshold=0,4
expect_out "For a title"
! grep -q "For a title:" "$scratch/out" || fail "names where there is nothing to tell apart"
