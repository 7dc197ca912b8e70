#!/usr/bin/env bash
# What a sweep writes depends on its plan alone: not on threads, shards, or the order of runs.
. "${0%/*}/lib.sh"

vary=(--vary patches_per_threadgroup=60:90:6 --vary "ds_wave_threshold=0,4" --set patches=600)

run sweep scenarios/mixed_tf.json "${vary[@]}" -j 1 --format json
expect_exit 0
[ "$(wc -l <"$scratch/out")" -eq 12 ] || fail "not a line a run"
cp "$scratch/out" "$scratch/one-thread"

# A point that fails is a line that says why; the others go on.
expect_err "2 of 12 runs failed"
[ "$(grep -c '"status":"failed".*"error":"[^"]*patches' "$scratch/out")" -eq 2 ] || fail "no reasons"

run sweep scenarios/mixed_tf.json "${vary[@]}" -j3 --format json
cmp -s "$scratch/out" "$scratch/one-thread" || fail "three threads write something else"

run sweep plan scenarios/mixed_tf.json "${vary[@]}"
expect_exit 0
cp "$scratch/out" "$scratch/plan.json"
for shards in 1 3 5; do
    for shard in $(seq $((shards - 1)) -1 0); do
        if [ "$shard" -eq $((shards - 1)) ]; then
            run sweep run "$scratch/plan.json" --out "$scratch/shards-$shards" --shard "$shard/$shards"
        else
            run sweep run "$scratch/shards-$shards" --shard "$shard/$shards"
        fi
        expect_exit 0
    done
    run sweep status "$scratch/shards-$shards"
    expect_out "12 of 12 runs done, 2 of them failed"
    cmp -s "$scratch/shards-$shards/results.ndjson" "$scratch/one-thread" ||
        fail "$shards shards write something else"
    [ ! -e "$scratch/shards-$shards/parts" ] || fail "parts are left over"
done

# A line says what a run of its own would have said.
run run scenarios/mixed_tf.json --set patches=600 --set patches_per_threadgroup=66 \
    --set ds_wave_threshold=4 --format json
cycles=$(sed -n 's/^ *"elapsed_cycles": *\([0-9]*\).*/\1/p' "$scratch/out")
grep -q "\"set.patches_per_threadgroup\":66,\"set.ds_wave_threshold\":4,\"elapsed_cycles\":$cycles," \
    "$scratch/one-thread" || fail "a point differs from a run"

# Keys that change together, ranges by a factor, words.
run sweep scenarios/hello.json --vary 'vs.vgprs=24,48;ds.vgprs=32,64' --vary tf_threshold=1:8:x2 \
    --format json
[ "$(wc -l <"$scratch/out")" -eq 8 ] || fail "zipped keys are not one axis"
expect_out '"set.vs.vgprs":48,"set.ds.vgprs":64,"set.tf_threshold":8'
[ "$(grep -c '"set.vs.vgprs":24,"set.ds.vgprs":64' "$scratch/out")" -eq 0 ] || fail "not zipped"

# An axis of many values is not left out: the best of them, and what there is beside.
run sweep scenarios/hello.json --vary patches=1:30 --vary seed=1,2
expect_exit 0
expect_out "Best for each patches, the best of them"
expect_out "  and 20 others, up to "
expect_out "Best for each seed"

# Mistakes are told before anything is run.
run sweep scenarios/hello.json --vary patches_per_threadgruop=1:4
expect_usage_error
expect_err '"patches_per_threadgroup"'
run sweep scenarios/hello.json --vary tf_threshold=8:1
expect_usage_error
run sweep scenarios/hello.json --vary tf_threshold=1:8 --metrics elapsd_cycles
expect_usage_error
expect_err '"elapsed_cycles"'
run sweep scenarios/hello.json --vary tf_threshold=1 --vary tf_threshold=2
expect_usage_error
run sweep frobnicate scenarios/hello.json
expect_usage_error
run sweep scenarios/hello.json --vary seed=1:2 --out /proc/sweep
expect_exit 1
expect_no_out
expect_err "/proc/sweep: cannot be made"

# A failed run has the seed that it was to have.
run sweep scenarios/hello.json --vary seed=5,6 --vary patches_per_threadgroup=10,255 --format json
expect_exit 0
expect_out '"seed":6,"set.seed":6,"set.patches_per_threadgroup":255,"error":'

# A column stands once in a line; the metric that ranks may be said before "all".
run sweep scenarios/hello.json --vary seed=1,2 --metrics elapsed_cycles,events,elapsed_cycles
expect_usage_error
expect_err '"elapsed_cycles" is there twice'
run sweep scenarios/hello.json --vary seed=1,2 --metrics elapsed_cycles,seed
expect_usage_error
expect_err '"seed" stands in every line anyway'
run sweep scenarios/hello.json --vary patches=1,2 --metrics events,all --format json
expect_exit 0
[ "$(head -n 1 "$scratch/out" | grep -o '"events":' | wc -l)" -eq 1 ] || fail "a column is twice"
expect_out '"set.patches":1,"events":'
