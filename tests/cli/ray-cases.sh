#!/usr/bin/env bash
# Cases of the ray-intersection unit: counts by list, exit 1 when a strict one fails.
. "${0%/*}/lib.sh"

run ray --cases tests/golden/ray_cases.json
expect_exit 0
expect_no_err
expect_out "ray_box       200 passed    0 failed"
expect_out "shared_edge    40 passed    0 failed"

# Closed edges are hit from both sides.
run ray --cases tests/golden/ray_cases.json --set edges=closed --verbose
expect_exit 1
expect_no_err
grep -q "^shared_edge .* [1-9][0-9]* failed" "$scratch/out" || fail "no shared edge failed"

printf '{"format": "ray-cases"' >"$scratch/cut.json"
for file in "$scratch/cut.json" "$scratch/none.json"; do
    run ray --cases "$file"
    expect_exit 3
    expect_no_out
    expect_err "$file"
done
