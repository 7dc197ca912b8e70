#!/usr/bin/env bash
# Help goes to stdout, names every command and only those, and fits 80 columns.
. "${0%/*}/lib.sh"

for words in help --help -h; do
    run "$words"
    expect_exit 0
    expect_no_err
    for name in run compare limits sweep tune explain check ray feedback list schema; do
        expect_out "  $name "
    done
    awk 'length > 80 { exit 1 }' "$scratch/out" || fail "help is wider than 80 columns"
done

for name in run compare limits sweep tune explain check ray feedback list schema; do
    run "$name" --help
    expect_exit 0
    expect_no_err
    expect_out "tesssim $name"
    awk 'length > 80 { exit 1 }' "$scratch/out" || fail "help $name is wider than 80 columns"
    cp "$scratch/out" "$scratch/by-option"
    run help "$name"
    cmp -s "$scratch/out" "$scratch/by-option" || fail "help $name differs from $name --help"
done

# What operands stand for.
run help sweep
for action in plan run status collect submit; do
    expect_out "  sweep $action "
done
run help ray
expect_out "mesh (OBJ, PLY, STL) or an encoded BVH"
