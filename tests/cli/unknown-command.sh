#!/usr/bin/env bash
# A command that does not exist is a bad command line, not a missing file.
. "${0%/*}/lib.sh"

run rnu
expect_usage_error
expect_err '"rnu"'

run help rnu
expect_usage_error

# Commands that are planned but not built are unknown too.
run shaders scenarios/hello.json
expect_usage_error
