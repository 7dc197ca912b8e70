#!/usr/bin/env bash
# Colours: on a terminal unless NO_COLOR is set, in a pipe only when asked for.
. "${0%/*}/lib.sh"

command -v script >/dev/null || skip "no script(1)"
escape=$(printf '\033')

# What a terminal of that environment sees.
on_terminal() {
    command_line="$* on a terminal"
    script -qec "$*" /dev/null >"$scratch/out" 2>"$scratch/err" </dev/null
}

run scenarios/hello.json
! grep -q "$escape" "$scratch/out" || fail "colours in a pipe"

run scenarios/hello.json --color always
expect_out "$escape"

export TERM=xterm
on_terminal "$TESSSIM" scenarios/hello.json
expect_out "$escape"

on_terminal "$TESSSIM" scenarios/hello.json --color never
! grep -q "$escape" "$scratch/out" || fail "colours though told never"

NO_COLOR=1 on_terminal "$TESSSIM" scenarios/hello.json
! grep -q "$escape" "$scratch/out" || fail "colours in spite of NO_COLOR"

NO_COLOR='' on_terminal "$TESSSIM" scenarios/hello.json
expect_out "$escape"

TERM=dumb on_terminal "$TESSSIM" scenarios/hello.json
! grep -q "$escape" "$scratch/out" || fail "colours on a dumb terminal"
