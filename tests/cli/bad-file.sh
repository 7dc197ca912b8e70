#!/usr/bin/env bash
# A wrong file is refused with its place: file, line, column, pointer; stdout stays empty.
. "${0%/*}/lib.sh"

sed 's/"patches": 1,/"patches": -1,/' scenarios/hello.json >"$scratch/bad.json"
cmp -s scenarios/hello.json "$scratch/bad.json" && fail "hello.json has no \"patches\": 1"
run "$scratch/bad.json"
expect_exit 3
expect_no_out
grep -Eq "^$scratch/bad.json:[0-9]+:[0-9]+: /work/0/patches: got -1, expected " "$scratch/err" ||
    fail "no place"

printf '{ "name": "cut' >"$scratch/cut.json"
run "$scratch/cut.json"
expect_exit 3
expect_no_out
expect_err "$scratch/cut.json:1:"
