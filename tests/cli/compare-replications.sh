#!/usr/bin/env bash
# compare --replications: the same seeds on both sides, paired differences, and no win by chance.
. "${0%/*}/lib.sh"

run compare scenarios/mixed_tf.json --set patches=400 --replications 4 --format json
expect_exit 0
cp "$scratch/out" "$scratch/compared"
for mode in onchip offchip; do
    run sweep scenarios/mixed_tf.json --set patches=400 --vary mode=$mode --replications 4 \
        --metrics elapsed_cycles --format json
    cp "$scratch/out" "$scratch/$mode"
done
/usr/bin/env python3 - "$scratch" <<'END' || fail "not the statistics of the runs"
import json
import math
import statistics
import sys

compared = json.load(open(sys.argv[1] + "/compared"))
a, b = ([json.loads(line)["elapsed_cycles"] for line in open(f"{sys.argv[1]}/{mode}")]
        for mode in ("onchip", "offchip"))
found = compared["replications"]
T = 3.182446305284263  # Student's, three degrees of freedom, 95 %


def check(name, values, of=lambda value: value):
    mean, half = statistics.mean(values), T * statistics.stdev(values) / 2
    for key, value in (("mean", mean), ("low", mean - half), ("high", mean + half)):
        assert math.isclose(found[name][key], of(value), rel_tol=1e-9), (name, key, found[name], of(value))


check("a", a)
check("b", b)
check("difference", [y - x for x, y in zip(a, b)])
check("ratio", [math.log(y / x) for x, y in zip(a, b)], math.exp)
assert found["n"] == 4 and compared["winner"] == "b"
assert math.isclose(compared["speedup"], 1 / found["ratio"]["mean"])
END

run compare scenarios/mixed_tf.json --set patches=400 --replications 4
expect_out "B wins, mode=offchip"
expect_out "Elapsed cycles over 4 seeds"
expect_out "B / A, paired"
cp "$scratch/out" "$scratch/text"
run compare scenarios/mixed_tf.json --set patches=400 --replications 4 -j 1
cmp -s "$scratch/out" "$scratch/text" || fail "one thread says something else"
run compare - --set patches=400 --replications 4 <scenarios/mixed_tf.json
expect_exit 0
expect_out "B wins, mode=offchip"
run compare scenarios/mixed_tf.json --set patches=400 --replications 4 --format csv
expect_out "replications.elapsed_cycles.mean,"
expect_out "replications.elapsed_cycles.high,"

# One seed would call it a win of a tenth; others lose as much.
side=(--set patches=400 --a patches_per_threadgroup=20 --b patches_per_threadgroup=30)
run compare scenarios/mixed_tf.json "${side[@]}"
expect_out "B wins"
run compare scenarios/mixed_tf.json "${side[@]}" --replications 4
expect_exit 0
expect_out "No win: the difference is within what chance does."
run compare scenarios/mixed_tf.json "${side[@]}" --replications 4 --format json
expect_out '"winner": "none"'
