#!/usr/bin/env bash
# A path that does not exist is a bad input file, by name.
. "${0%/*}/lib.sh"

run no/such/file.json
expect_exit 3
expect_no_out
expect_err "no/such/file.json"

# A file whose name looks like an option is reached after --.
run run -- -odd.json
expect_exit 3
expect_err "-odd.json"
