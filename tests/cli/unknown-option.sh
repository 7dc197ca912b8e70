#!/usr/bin/env bash
# An option that a command does not take is refused by name.
. "${0%/*}/lib.sh"

for words in "run --bogus" "compare --bogus" "check --format" "schema --set" "list --seed" "--bogus"; do
    # shellcheck disable=SC2086 # words is a list
    run $words scenarios/hello.json
    expect_usage_error
    expect_err "${words##* }"
done
