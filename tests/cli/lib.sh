# What the CLI tests share. Each test sources this file, runs the program, and states what it expects.
# shellcheck shell=bash
#
# Environment: TESSSIM is the program, TSIM_SOURCE_DIR the source tree, which is the current folder
# of every test.

set -u

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$TSIM_SOURCE_DIR" || exit 1

# Messages and characters as scripts see them, unless a test says otherwise.
export LC_ALL=C.UTF-8
unset NO_COLOR

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    printf -- '--- stdout\n' >&2
    head -n 20 "$scratch/out" >&2
    printf -- '--- stderr\n' >&2
    head -n 20 "$scratch/err" >&2
    exit 1
}

# Meson counts exit code 77 as skipped.
skip() {
    printf 'SKIPPED: %s\n' "$*" >&2
    exit 77
}

# run ARGUMENT...: the program; its output is kept for the expectations below.
run() {
    command_line="tesssim $*"
    "$TESSSIM" "$@" >"$scratch/out" 2>"$scratch/err"
    exit_code=$?
}

expect_exit() {
    [ "$exit_code" -eq "$1" ] || fail "$command_line: exit code $exit_code, not $1"
}

# The words, as they are, somewhere in the stream.
expect_out() {
    grep -qF -e "$1" "$scratch/out" || fail "$command_line: no \"$1\" on stdout"
}

expect_err() {
    grep -qF -e "$1" "$scratch/err" || fail "$command_line: no \"$1\" on stderr"
}

expect_no_out() {
    [ ! -s "$scratch/out" ] || fail "$command_line: stdout is not empty"
}

expect_no_err() {
    [ ! -s "$scratch/err" ] || fail "$command_line: stderr is not empty"
}

# A command of the user's fails with one line on stderr and nothing on stdout.
expect_usage_error() {
    expect_exit 2
    expect_no_out
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "$command_line: not one line on stderr"
}
