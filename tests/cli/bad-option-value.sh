#!/usr/bin/env bash
# A value that an option cannot take is a bad command line, whoever finds out.
. "${0%/*}/lib.sh"

run scenarios/hello.json --format xml
expect_usage_error
expect_err "text, json or csv"

run scenarios/hello.json --color pink
expect_usage_error

run scenarios/hello.json --set mode
expect_usage_error
expect_err "KEY=VALUE"

run scenarios/hello.json --set =offchip
expect_usage_error

run compare scenarios/hello.json --a mode
expect_usage_error

run scenarios/hello.json --seed abc
expect_exit 2
expect_no_out
expect_err "whole number"

run scenarios/hello.json --set tf_treshold=4
expect_exit 2
expect_no_out
expect_err "tf_threshold"

run scenarios/hello.json --gpu xbox_won
expect_exit 2
expect_no_out
expect_err "xbox_one"

# Numbers that begin at 1, and options that would do nothing.
for words in "-j 0" "-j -1" "--replications 0" "--points 0" "--shards 0"; do
    # shellcheck disable=SC2086 # words on purpose
    run sweep scenarios/hello.json --vary seed=1:3 $words
    expect_exit 2
    expect_err "takes a number from 1 on"
done
run tune scenarios/hello.json --tries 0
expect_exit 2
for words in "--dry-run" "--engine slurm" "--shards 3" "--resume" "--points 7" "--metrics ," "--metrics=" "--plot x.svg"; do
    # shellcheck disable=SC2086 # words on purpose
    run sweep scenarios/hello.json --vary seed=1:3 $words
    expect_exit 2
    expect_no_out
done
for words in "--timeline-window 1:2" "--timeline-units gpu" "--timeline-detail full"; do
    # shellcheck disable=SC2086 # words on purpose
    run scenarios/hello.json $words
    expect_exit 2
    expect_err "needs a --timeline, --plot or --report"
done

# More than can ever be run is refused at once.
for words in "--vary patches=0:1e308" "--vary seed=1:2 --replications 1000000000" \
    "--vary seed=1:9 --sample sobol --points 1000000000" \
    "--vary seed=1:9999 --vary patches=1:9999"; do
    # shellcheck disable=SC2086 # words on purpose
    run sweep scenarios/hello.json $words
    expect_exit 2
    expect_no_out
done
