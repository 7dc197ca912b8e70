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
