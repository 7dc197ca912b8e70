#!/usr/bin/env bash
# A bare file means run, with options on either side of it.
. "${0%/*}/lib.sh"

run run scenarios/hello.json
expect_exit 0
expect_no_err
cp "$scratch/out" "$scratch/with-command"

run scenarios/hello.json
expect_exit 0
cmp -s "$scratch/out" "$scratch/with-command" || fail "tesssim FILE differs from tesssim run FILE"

run --format text scenarios/hello.json
expect_exit 0
cmp -s "$scratch/out" "$scratch/with-command" || fail "tesssim OPTION FILE differs"
