#!/usr/bin/env bash
# The scripts that users copy do what they say.
. "${0%/*}/lib.sh"
export TESSSIM

scripts/compare-gpus scenarios/hello.json xbox_one bonaire >"$scratch/out" 2>"$scratch/err" ||
    fail "compare-gpus"
[ "$(cut -d, -f1 "$scratch/out" | tr '\n' ' ')" = "gpu xbox_one bonaire " ] || fail "not two GPUs"
us=$("$TESSSIM" run scenarios/hello.json --gpu bonaire --format json |
    sed -n 's/^ *"elapsed_us": *\([0-9.]*\).*/\1/p' | head -n 1)
grep -q "^bonaire,$us," "$scratch/out" || fail "not the time of a run"

# Slower than the baseline fails, by as much as is allowed does not.
baseline=$scratch/baseline.csv
scripts/regression-check --record "$baseline" scenarios/hello.json scenarios/low_tf.json ||
    fail "--record"
scripts/regression-check "$baseline" >"$scratch/out" || fail "as fast as before"
awk -F, '{ print $1 "," int($2 / 1.02) }' "$baseline" >"$scratch/faster.csv"
! scripts/regression-check "$scratch/faster.csv" 1 >"$scratch/out" || fail "2 % slower passes"
[ "$(grep -c 'FAILED, slower' "$scratch/out")" -eq 2 ] || fail "does not name the slower ones"
scripts/regression-check "$scratch/faster.csv" 3 >"$scratch/out" || fail "3 % are allowed"
echo "scenarios/missing.json,1" >"$baseline"
! scripts/regression-check "$baseline" >"$scratch/out" 2>"$scratch/err" || fail "a missing file passes"

! scripts/regression-check "$scratch/no-such.csv" >"$scratch/out" 2>"$scratch/err" ||
    fail "no baseline passes"
! scripts/regression-check --record "$scratch/x.csv" scenarios/missing.json \
    >"$scratch/out" 2>"$scratch/err" || fail "a missing file is recorded"
[ ! -e "$scratch/x.csv" ] || fail "a baseline of nothing"
for script in regression-check sweep-plot compare-gpus; do # too little is answered with the usage
    scripts/$script >"$scratch/out" 2>"$scratch/err" && fail "$script without arguments"
    grep -q "usage: scripts/$script" "$scratch/err" || fail "$script does not tell its usage"
done

scripts/sweep-plot scenarios/hello.json patches=1:5 "$scratch/plot.svg" >"$scratch/out" ||
    fail "sweep-plot"
[ "$(wc -l <"$scratch/out")" -eq 6 ] || fail "not a row a point"
[ "$(grep -c '<circle' "$scratch/plot.svg")" -eq 5 ] || fail "not a mark a point"
/usr/bin/env python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' \
    "$scratch/plot.svg" || fail "the picture is not XML"

# From any folder, with names that shells and XML do not like.
scripts=$PWD/scripts
mkdir "$scratch/my files"
cp -r configs "$scratch"
cp scenarios/hello.json "$scratch/my files/a & b, c.json"
cd "$scratch/my files" || exit 1
"$scripts/compare-gpus" "a & b, c.json" xbox_one bonaire >"$scratch/out" || fail "compare-gpus"
[ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "not two GPUs from another folder"
"$scripts/sweep-plot" "a & b, c.json" patches=1:3 "my plot.svg" >"$scratch/out" || fail "sweep-plot"
/usr/bin/env python3 -c 'import xml.etree.ElementTree as tree; tree.parse("my plot.svg")' ||
    fail "the picture is not XML"
"$scripts/regression-check" --record "my base.csv" "a & b, c.json" || fail "--record"
"$scripts/regression-check" "my base.csv" >"$scratch/out" || fail "as fast as before"
grep -q "^a & b, c.json: ok, 366 cycles then" "$scratch/out" || fail "another name"
PATCHES=4 TF_THRESHOLDS=2 DS_WAVE_THRESHOLDS=0 "$scripts/sweep-thresholds" "a & b, c.json" \
    >"$scratch/out" 2>"$scratch/err" || fail "sweep-thresholds"
PATCHES=16 TF_THRESHOLDS=4 DS_WAVE_THRESHOLDS=0 "$scripts/sweep-thresholds" >"$scratch/out" ||
    fail "sweep-thresholds without a file"
