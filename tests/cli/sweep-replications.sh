#!/usr/bin/env bash
# Replications: other seeds, the same for every point, and the scenario's own first.
. "${0%/*}/lib.sh"

run sweep scenarios/mixed_tf.json --set patches=400 --vary patches_per_threadgroup=20,40,60 \
    --replications 4 --format json
expect_exit 0
/usr/bin/env python3 - "$scratch/out" <<'END' || fail "the seeds are not common to the points"
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1])]
seeds = [[line["seed"] for line in lines if line["point"] == point] for point in range(3)]
assert seeds[0] == seeds[1] == seeds[2], seeds
assert len(set(seeds[0])) == 4 and seeds[0][0] == 1, seeds
cycles = {(line["point"], line["replication"]): line["elapsed_cycles"] for line in lines}
assert len(cycles) == 12 and len({cycles[0, r] for r in range(4)}) > 1
END

# A run of its own with the seed of a replication says the same.
seed=$(sed -n 's/.*"point":1,"replication":2,.*"seed":\([0-9]*\),.*/\1/p' "$scratch/out")
cycles=$(sed -n 's/.*"point":1,"replication":2,.*"elapsed_cycles":\([0-9]*\),.*/\1/p' "$scratch/out")
run run scenarios/mixed_tf.json --set patches=400 --patches-per-threadgroup 40 --seed "$seed" \
    --format json
expect_out "\"elapsed_cycles\": $cycles,"

# Points that are the same are no win, whatever the noise.
run sweep scenarios/mixed_tf.json --set patches=400 --vary name=a,b --replications 3
expect_exit 0
expect_out "no difference"

run sweep scenarios/hello.json --vary seed=1,2 --replications 2
expect_usage_error
