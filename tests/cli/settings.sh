#!/usr/bin/env bash
# The short flags do what --set does.
. "${0%/*}/lib.sh"

run scenarios/mixed_tf.json --format json --mode offchip --patches-per-threadgroup 8 \
    --tf-threshold 6.5 --ds-wave-threshold 2 --seed 5
expect_exit 0
expect_out '"patches_per_threadgroup": 8'
expect_out '"tf_threshold": 6.5'
expect_out '"ds_wave_threshold": 2'
expect_out '"seed": 5'
cp "$scratch/out" "$scratch/by-flags"

run scenarios/mixed_tf.json --format json --set mode=offchip --set patches_per_threadgroup=8 \
    --set tf_threshold=6.5 --set ds_wave_threshold=2 --set seed=5
cmp -s "$scratch/out" "$scratch/by-flags" || fail "--set differs from the flags"

run scenarios/hello.json --format json --gpu bonaire
expect_exit 0
expect_out '"gpu": "bonaire"'
