#!/usr/bin/env bash
# tesssim feedback --cases: one line a list, every failure under --verbose, exit 1 when a case fails.
. "${0%/*}/lib.sh"

cases=tests/golden/sampler_feedback_cases.json

run feedback --cases "$cases"
expect_exit 0
expect_no_err
expect_out "304 passed        0 failed"

# One byte of one case changed: it fails, and both values are shown.
sed '0,/"value": *[0-9][0-9]*/s//"value": 201/' "$cases" >"$scratch/wrong.json"
cmp -s "$cases" "$scratch/wrong.json" && fail "the case was not changed"
run feedback --cases "$scratch/wrong.json" --verbose
expect_exit 1
expect_out "1 failed"
expect_out "201"

run feedback --cases /no/such/file.json
expect_exit 3
expect_no_out

run feedback
expect_usage_error
run feedback scenarios/feedback_plane.json --cases "$cases"
expect_usage_error
