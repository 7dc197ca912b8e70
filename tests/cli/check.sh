#!/usr/bin/env bash
# check takes scenarios and GPU files together, tells them apart, and looks at all of them.
. "${0%/*}/lib.sh"

run check scenarios/*.json configs/*.json
expect_exit 0
expect_no_err
expect_out "scenarios/hello.json: scenario ok"
expect_out "configs/xbox_one.json: GPU ok"

printf '{ "clock_mhz": 853 }' >"$scratch/gpu.json"
run check "$scratch/gpu.json" no/such/file.json scenarios/hello.json
expect_exit 3
expect_err "$scratch/gpu.json:1:"
expect_err "no/such/file.json"
expect_out "scenarios/hello.json: scenario ok"
