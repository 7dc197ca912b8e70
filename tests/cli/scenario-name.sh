#!/usr/bin/env bash
# A command takes the name of a scenario in the scenarios folder.
. "${0%/*}/lib.sh"

run run hello
expect_exit 0
expect_out "hello on xbox_one"

# A name that nothing goes by: the nearest one, and where all are.
run run helo
expect_exit 3
expect_no_out
expect_err 'did you mean "hello"?'
expect_err "tesssim list scenarios"
