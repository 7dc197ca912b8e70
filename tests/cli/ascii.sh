#!/usr/bin/env bash
# A terminal that knows ASCII only gets ASCII only.
. "${0%/*}/lib.sh"

export LC_ALL=C
for words in "scenarios/hello.json" "compare scenarios/hello.json" "list gpus" "help"; do
    # shellcheck disable=SC2086 # words is a list
    run $words
    expect_exit 0
    ! grep -q '[^[:print:][:space:]]' "$scratch/out" || fail "$words: not ASCII"
done
