#!/usr/bin/env bash
# tesssim feedback SCENARIO: the map as JSON on stdout, or as files by suffix; only what is asked for.
. "${0%/*}/lib.sh"

small="--set sample_feedback.scene.width=64 --set sample_feedback.scene.height=64"

# shellcheck disable=SC2086 # words
run feedback feedback_plane $small
expect_exit 0
expect_no_err
expect_out '"map":"minmip"'
expect_out '"levels":[{"width":64,"height":64'
cp "$scratch/out" "$scratch/map.expected"

# shellcheck disable=SC2086
run feedback feedback_plane $small --dump "$scratch/a.png" --dump "$scratch/a.ppm" \
    --dump "$scratch/a.pgm" --dump "$scratch/a.json" --zoom 2
expect_exit 0
expect_no_out
cmp -s "$scratch/a.json" "$scratch/map.expected" || fail "the JSON file differs from stdout"
[ "$(head -c 4 "$scratch/a.png" | tail -c 3)" = PNG ] || fail "not a PNG file"
# 64 texels of 2 pixels, but 15 mips and "none" of 24 in the legend; 28 rows for the legend.
[ "$(head -n 2 "$scratch/a.ppm" | tr '\n' ' ')" = "P6 384 156 " ] || fail "not that size"
[ "$(head -n 2 "$scratch/a.pgm" | tr '\n' ' ')" = "P5 64 64 " ] || fail "not the raw map"

# shellcheck disable=SC2086
run feedback feedback_streaming $small --set sample_feedback.frames=2 --map residency \
    --dump "$scratch/r.png"
expect_exit 0

run feedback feedback_plane --dump "$scratch/a.gif"
expect_usage_error
expect_err ".png"
run feedback feedback_plane --level 1
expect_usage_error
expect_err "no level 1"
run feedback feedback_plane --map residency
expect_usage_error
run feedback feedback_plane --map other
expect_usage_error
expect_err "feedback or residency"
run feedback feedback_plane --zoom -1
expect_usage_error
run feedback scenarios/hello.json
expect_usage_error
expect_err "sample_feedback"
run feedback feedback_plane --dump /no/such/folder/a.png
expect_exit 1
