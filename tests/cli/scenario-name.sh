#!/usr/bin/env bash
# A command takes the name of a scenario in the scenarios folder.
. "${0%/*}/lib.sh"

run run hello
expect_exit 0
expect_out "hello on xbox_one"
