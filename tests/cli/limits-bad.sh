#!/usr/bin/env bash
# What limits cannot answer: one clear line with the number and the limit.
. "${0%/*}/lib.sh"

query() {
    run limits --gpu xbox_one "$@"
}

# More than a threadgroup, a stage or the GPU can have.
query --stage hs --threads 257
expect_usage_error
expect_err "--threads 257: the limit is 256"
query --stage hs --lds 65537
expect_usage_error
expect_err "--lds 65537: the limit is 65536"
query --vgprs 257
expect_usage_error
expect_err "--vgprs 257: the limit is 256"
query --sgprs 105
expect_usage_error
expect_err "--sgprs 105: the limit is 104"
query --wave-size 32
expect_usage_error
expect_err "--wave-size 32: Xbox One has waves of 64 only"
run limits --gpu navi21 --wave-size 48
expect_usage_error
expect_err "32 and 64"

# Not numbers, not words.
for value in x -1 1.5 "" 4294967296 0x10; do
    query --lds "$value"
    expect_usage_error
    expect_err "--lds takes a whole number"
done
query --threads 0
expect_usage_error
expect_err "from 1 on"
query --stage tcs
expect_usage_error
expect_err "vs, hs, ds, gs, ps or cs"
for sweep in lds lds=1 lds=0:10 lds=10:0:1 lds=0:10:0 lds=0:x:1 bytes=0:1:1 threads=0:64:64 lds=0:131072:512; do
    query --sweep "$sweep"
    expect_usage_error
    expect_err "$([ "$sweep" = lds=0:131072:512 ] && echo "the limit is 65536" || echo "--sweep $sweep")"
done
run limits --gpu xbox_won --lds 0
expect_exit 2
expect_no_out
expect_err "xbox_one"

# A file or a threadgroup, not both, not neither.
run limits
expect_usage_error
expect_err "expected a file, or --gpu"
run limits scenarios/hello.json --lds 0
expect_usage_error
expect_err "--lds"
query --set patches=1
expect_usage_error
expect_err "--set"
run limits no_such.json
expect_exit 3
expect_no_out

# Of a scenario: a group that no GPU can hold, a number past its register, thresholds that mean nothing.
run limits scenarios/high_tf.json --patches-per-threadgroup 86
expect_exit 3
expect_no_out
expect_err "needs 258 hull shader threads, the limit is 256"
run limits scenarios/high_tf.json --patches-per-threadgroup 256
expect_no_out
expect_err "from 1 to 255"
run limits scenarios/rdna2.json --tf-threshold 4
expect_exit 0
expect_err "has no on-chip tessellation"
# No output to keep is no division by zero: threads limit the group.
run limits scenarios/high_tf.json --set vs.output_vec4=0 --set hs.output_vec4=0
expect_exit 0
expect_out "patches a threadgroup:"
# Over what drivers use, under what the hardware addresses: a warning.
query --stage hs --lds 40000
expect_exit 0
expect_err "drivers keep LS-HS groups of Xbox One to 32768"
