#!/usr/bin/env bash
# A result that could not be written is a failure.
. "${0%/*}/lib.sh"

[ -c /dev/full ] || skip "no /dev/full"
: >"$scratch/out"
for words in "scenarios/hello.json" "compare scenarios/hello.json" "check scenarios/hello.json" \
    "list gpus" "schema result" "help" "--version"; do
    command_line="tesssim $words >/dev/full"
    # shellcheck disable=SC2086 # words is a list
    "$TESSSIM" $words >/dev/full 2>"$scratch/err"
    exit_code=$?
    expect_exit 1
    expect_err "standard output cannot be written"
done
