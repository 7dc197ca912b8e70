#!/usr/bin/env bash
# A kept sweep goes on from any folder, also when its scenario came from standard input, and its
# results do not tell where it was run.
. "${0%/*}/lib.sh"

cp -r configs scenarios "$scratch"
mkdir -p "$scratch/far/away"
vary=(--vary 'patches=10,20,30' --vary 'gpu=xbox_one,configs/bonaire.json')
cd "$scratch" || exit 1
run sweep scenarios/hello.json "${vary[@]}" --out whole
expect_exit 0

# begin NAME FILE...: a sweep of which a third is done.
begin() {
    run sweep "$2" "${vary[@]}" --out "$1" --shard 0/3
    expect_exit 0
}

begin by-path scenarios/hello.json
begin by-name hello
begin from-stdin - <scenarios/hello.json
expect_exit 0
for sweep in by-path by-name from-stdin; do
    cd "$scratch/far/away" || exit 1
    run sweep status "../../$sweep" </dev/null
    expect_out "2 of 6 runs done"
    run sweep run "../../$sweep" --report "$sweep.html" </dev/null
    expect_exit 0
    [ -e "$scratch/far/away/$sweep.html" ] || fail "the report is elsewhere"
    cmp -s "$scratch/$sweep/results.ndjson" "$scratch/whole/results.ndjson" || fail "$sweep differs"
    run sweep collect "../../$sweep" --format json
    cmp -s "$scratch/out" "$scratch/whole/results.ndjson" || fail "collect of $sweep differs"
    cd "$scratch" || exit 1
done

# --resume from another folder names the file anew; what is in it counts.
run sweep hello --vary patches=1:4 --out renamed --shard 0/3
cd far || exit 1
run sweep ../scenarios/hello.json --vary patches=1:4 --out ../renamed --resume --format json
expect_exit 0
cmp -s "$scratch/out" ../renamed/results.ndjson || fail "another name is another sweep"
cd .. || exit 1

# Standard input is read again only to go on with --resume, and must be the same.
begin resumed - <scenarios/hello.json
run sweep - "${vary[@]}" --out resumed --resume <scenarios/low_tf.json
expect_exit 3
expect_err "/made_with/inputs/scenario/name"
run sweep - "${vary[@]}" --out resumed --resume <scenarios/hello.json
expect_exit 0
cmp -s resumed/results.ndjson whole/results.ndjson || fail "resumed differs"

# Where the first folder is gone, the current one takes its place.
mkdir old
cp -r configs scenarios old
cd old || exit 1
begin ../moved scenarios/hello.json
cd .. || exit 1
rm -r old
run sweep run moved
expect_exit 0
cmp -s moved/results.ndjson whole/results.ndjson || fail "moved differs"
