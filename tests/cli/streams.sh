#!/usr/bin/env bash
# Warnings go to stderr and leave the result alone.
. "${0%/*}/lib.sh"

run scenarios/rdna2.json --mode onchip --format json
expect_exit 0
expect_err "warning: "
expect_err "no on-chip tessellation"
python3 -m json.tool "$scratch/out" >/dev/null || fail "stdout is not JSON alone"
# The JSON says what ran.
expect_out '"mode": "offchip"'
