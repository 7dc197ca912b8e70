#!/usr/bin/env bash
# A wrong file is refused with its place: file, line, column, pointer; stdout stays empty.
. "${0%/*}/lib.sh"

sed 's/"patches": 1,/"patches": -1,/' scenarios/hello.json >"$scratch/bad.json"
cmp -s scenarios/hello.json "$scratch/bad.json" && fail "hello.json has no \"patches\": 1"
run "$scratch/bad.json"
expect_exit 3
expect_no_out
grep -Eq "^$scratch/bad.json:[0-9]+:[0-9]+: /work/0/patches: got -1, expected " "$scratch/err" ||
    fail "no place"

printf '{ "name": "cut' >"$scratch/cut.json"
run "$scratch/cut.json"
expect_exit 3
expect_no_out
expect_err "$scratch/cut.json:1:"

# What has no end is refused, not read for ever; what is wrong a thousand times is told in time.
for factors in '{"csv":"/dev/zero"}' '{"mesh":"/dev/zero","camera":{"position":[0,0,3]}}'; do
    run scenarios/hello.json --set "tess_factors=$factors"
    [ "$exit_code" -eq 2 ] || [ "$exit_code" -eq 3 ] || fail "exit code $exit_code"
    expect_err "larger than 256 MiB"
done
{
    printf '{'
    for ((i = 0; i < 20000; i++)); do
        printf '"key%d": 1, ' "$i"
    done
    printf '"work": []}'
} >"$scratch/keys.json"
run "$scratch/keys.json"
expect_exit 3
expect_err "more errors"
