#!/usr/bin/env bash
# A reader that goes away is an error that is told, not a signal that kills.
. "${0%/*}/lib.sh"

{
    "$TESSSIM" scenarios/hello.json --format json 2>"$scratch/err"
    echo $? >"$scratch/code"
} | true
: >"$scratch/out"
command_line="tesssim | true"
# The reader may be quick or slow: a result that fits the pipe before it closes is written.
exit_code=$(cat "$scratch/code")
[ "$exit_code" -eq 0 ] && [ ! -s "$scratch/err" ] && exit 0
expect_exit 1
expect_err "standard output cannot be written"
