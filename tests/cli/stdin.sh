#!/usr/bin/env bash
# A dash is standard input, for every command that takes a file; complaints say so.
. "${0%/*}/lib.sh"

run scenarios/hello.json --format json
cp "$scratch/out" "$scratch/from-file"
run - --format json <scenarios/hello.json
expect_exit 0
cmp -s "$scratch/out" "$scratch/from-file" || fail "standard input gives another result"

# A pipe cannot be read twice, yet compare runs the scenario twice.
run compare scenarios/hello.json --format csv
cp "$scratch/out" "$scratch/from-file"
"$TESSSIM" compare - --format csv < <(cat scenarios/hello.json) >"$scratch/out" 2>"$scratch/err"
exit_code=$?
expect_exit 0
cmp -s "$scratch/out" "$scratch/from-file" || fail "compare from a pipe gives another result"

run check - <scenarios/hello.json
expect_exit 0

run - <<<'{'
expect_exit 3
expect_no_out
expect_err "<stdin>:"
