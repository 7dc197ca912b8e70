#!/usr/bin/env bash
# Cases of the ray-intersection unit: counts by list, exit 1 when a strict one fails.
. "${0%/*}/lib.sh"

run ray --cases tests/golden/ray_cases.json
expect_exit 0
expect_no_err
expect_out "ray_box       200 passed    0 failed"
expect_out "shared_edge    40 passed    0 failed"

# A box that is hit, said to be missed.
sed '0,/"expect":"hit"/s//"expect":"miss"/' tests/golden/ray_cases.json >"$scratch/wrong.json"
run ray --cases "$scratch/wrong.json" --verbose
expect_exit 1
expect_no_err
expect_out "ray_box       199 passed    1 failed"
expect_out "box000"

printf '{"format": "ray-cases"' >"$scratch/cut.json"
for file in "$scratch/cut.json" "$scratch/none.json"; do
    run ray --cases "$file"
    expect_exit 3
    expect_no_out
    expect_err "$file"
done
