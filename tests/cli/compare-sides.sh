#!/usr/bin/env bash
# --a and --b say what is compared; what both share comes from --set and the flags.
. "${0%/*}/lib.sh"

run compare scenarios/hello.json --format json --gpu bonaire --seed 3 \
    --a mode=offchip --a ds_wave_threshold=0 --b mode=onchip
expect_exit 0
expect_out '"label": "mode=offchip ds_wave_threshold=0"'
expect_out '"label": "mode=onchip"'
[ "$(grep -c '"gpu": "bonaire"' "$scratch/out")" -eq 2 ] || fail "not both on bonaire"
[ "$(grep -c '"seed": 3' "$scratch/out")" -eq 2 ] || fail "not both with seed 3"

# One side alone is compared with the file as it is.
run compare scenarios/hello.json --b mode=offchip
expect_exit 0
expect_out "A  as the file says"

run compare scenarios/hello.json --a nonsense=1
expect_exit 2
expect_no_out
