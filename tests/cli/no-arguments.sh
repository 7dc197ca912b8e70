#!/usr/bin/env bash
# Without arguments the usage goes to stderr: there is no result.
. "${0%/*}/lib.sh"

# shellcheck disable=SC2119 # no arguments on purpose
run
expect_exit 2
expect_no_out
expect_err "Usage: tesssim"
