#!/usr/bin/env bash
# --version prints one line that begins with the name.
. "${0%/*}/lib.sh"

run --version
expect_exit 0
expect_no_err
grep -Eq '^tesssim [0-9]+\.[0-9]+\.[0-9]+$' "$scratch/out" || fail "odd version"
