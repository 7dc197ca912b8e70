#!/usr/bin/env bash
# explain gives the speed-ups that the same runs by hand give, sorted, with a paragraph.
. "${0%/*}/lib.sh"

cycles() {
    run run scenarios/low_tf.json "$@" --format json
    expect_exit 0
    sed -n 's/^ *"elapsed_cycles": *\([0-9]*\).*/\1/p' "$scratch/out"
}

before=$(cycles)
after=$(cycles --set gpu.tess_points_per_clk=2 --set gpu.tess_prims_per_clk=2 --set gpu.tess_setup_clks=2)

run explain scenarios/low_tf.json --format csv
expect_exit 0
/usr/bin/env python3 - "$scratch/out" "$before" "$after" <<'END' || fail "not $before / $after"
import csv
import sys

rows = list(csv.DictReader(open(sys.argv[1])))
doubled = [float(row["speedup_doubled"]) for row in rows]
assert rows[0]["resource"] == "tessellator"
assert abs(doubled[0] - int(sys.argv[2]) / int(sys.argv[3])) < 1e-12, doubled[0]
assert doubled == sorted(doubled, reverse=True)
END

run explain scenarios/low_tf.json
expect_exit 0
expect_out "The busiest over time"
expect_out "Nothing else by"
cp "$scratch/out" "$scratch/text"
run explain scenarios/low_tf.json -j 4
cmp -s "$scratch/out" "$scratch/text" || fail "four threads say something else"

# Where two things are at their limits, neither helps by itself, and both are named.
run explain scenarios/high_tf.json --set patches=1500
expect_exit 0
expect_out "The busiest over time"
/usr/bin/env python3 - "$scratch/out" <<'END' || fail "not both limits"
import re
import sys

paragraph = " ".join(open(sys.argv[1]).read().split("\n\n")[-1].split())
assert paragraph.startswith("high_tf takes "), paragraph
assert re.search(r"the tessellator of a shader engine \(9\d\.\d% busy\) and primitive set-up of a "
                 r"shader engine \(9\d\.\d% busy\) are both at their limits\.", paragraph), paragraph
END

# What a GPU has no limit on, or has at the end of its field, is not measured.
run explain scenarios/hello.json --gpu gfx10_3 --set gpu.valu_issue_clks=1 --format json
expect_exit 0
for key in valu salu sgprs; do
    grep -q "\"resource\":\"$key\",.*\"speedup_doubled\":null,.*\"speedup_unlimited\":null," \
        "$scratch/out" || fail "$key is measured against itself"
done
run explain scenarios/hello.json --gpu gfx10_3 --format csv
expect_exit 0
grep -q '^sgprs,scalar registers,,,,,,,0' "$scratch/out" || fail "not empty cells"

# Ctrl-C leaves no half study behind.
"$TESSSIM" explain scenarios/high_tf.json --replications 50 -j 1 >"$scratch/out" 2>"$scratch/err" &
victim=$!
sleep 0.5
kill -INT $victim
wait $victim
exit_code=$?
command_line="explain, stopped"
expect_exit 1
expect_no_out
expect_err "the study was stopped"
