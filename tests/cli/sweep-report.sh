#!/usr/bin/env bash
# sweep --report: what cannot be written is told before anything is run, and nothing is left behind.
. "${0%/*}/lib.sh"

# refused FILE CODE WORDS: a sweep that would take minutes is refused at once.
refused() {
    run sweep scenarios/high_tf.json --vary seed=1:10000 --report "$1" -j 1
    expect_exit "$2"
    expect_no_out
    expect_err "$3"
}

refused "$scratch/page.txt" 2 "a report is a .html file"
refused "$scratch/missing/page.html" 1 "$scratch/missing/page.html: cannot be written"
mkdir "$scratch/folder.html"
refused "$scratch/folder.html" 1 "folder.html: cannot be written"
run sweep scenarios/hello.json --vary seed=1:300000 --report "$scratch/page.html"
expect_usage_error
expect_err "200000 runs at most"
run sweep scenarios/hello.json --vary patches=1:4 --out "$scratch/sweep" --shard 0/2 \
    --report "$scratch/page.html"
expect_usage_error
expect_err "collect DIR --report"
for action in status plan submit; do
    run sweep $action "$scratch/sweep" --report "$scratch/page.html"
    expect_usage_error
    expect_err "--report"
done
[ "$(ls "$scratch")" = "$(printf 'err\nfolder.html\nout\nsweep')" ] || fail "something is left behind"

# One page, whether it is made at once, by run, or by collect.
run sweep scenarios/hello.json --vary patches=1:4 --report "$scratch/once.html"
expect_exit 0
expect_out "Best by elapsed_cycles"
run sweep run "$scratch/sweep" --report "$scratch/run.html"
expect_exit 0
run sweep collect "$scratch/sweep" --report "$scratch/collected.html"
expect_exit 0
cmp -s "$scratch/run.html" "$scratch/once.html" || fail "run makes another page"
cmp -s "$scratch/collected.html" "$scratch/once.html" || fail "collect makes another page"
grep -q "<html lang=\"en\">" "$scratch/once.html" || fail "no page"
! grep -q 'src="http\|href="http' "$scratch/once.html" || fail "the page needs a network"
