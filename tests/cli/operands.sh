#!/usr/bin/env bash
# Every command says how many files it takes.
. "${0%/*}/lib.sh"

run run
expect_usage_error
expect_err "FILE"

run run scenarios/hello.json scenarios/hello.json
expect_usage_error

run check
expect_usage_error

run list
expect_usage_error
expect_err "gpus|scenarios|metrics"

run schema scenario gpu
expect_usage_error
