#!/usr/bin/env bash
# A threadgroup that can never fit is refused before the run, with the resource and the amounts.
. "${0%/*}/lib.sh"

run scenarios/high_tf.json --patches-per-threadgroup 255
expect_exit 3
expect_no_out
expect_err "765 hull shader threads, the limit is 256"
