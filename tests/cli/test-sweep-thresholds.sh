#!/bin/sh
# scripts/sweep-thresholds: every combination once, with the numbers that tesssim itself gives, and
# the star on the fastest.
#
# usage: test-sweep-thresholds.sh SWEEP-THRESHOLDS TESSSIM     from the folder that holds scenarios/
set -eu
sweep=$1
TESSSIM=$2
export TESSSIM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenario=scenarios/mixed_tf.json

fail() {
  echo "$*:"
  cat "$work/csv" "$work/stderr"
  exit 1
}

run_sweep() { # PATCHES TF_THRESHOLDS DS_WAVE_THRESHOLDS
  PATCHES=$1 TF_THRESHOLDS=$2 DS_WAVE_THRESHOLDS=$3 \
    "$sweep" "$scenario" patches=64 seed=7 >"$work/csv" 2>"$work/stderr"
}

run_sweep '8 16' '4 auto 60' '0 4' || fail 'a sweep that can run failed'
header=patches_per_threadgroup,tf_threshold,ds_wave_threshold,elapsed_cycles,ds_waves_offchip,best
[ "$(head -n 1 "$work/csv")" = $header ] || fail 'wrong header'
[ "$(cut -d, -f1-3 "$work/csv" | sort -u | wc -l)" -eq 13 ] || fail 'not 12 combinations, each once'

tail -n +2 "$work/csv" >"$work/rows"
while IFS=, read -r patches tf_threshold ds_wave_threshold cycles _; do
  "$TESSSIM" run "$scenario" --set patches=64 --seed 7 --patches-per-threadgroup "$patches" \
    --tf-threshold "$tf_threshold" --ds-wave-threshold "$ds_wave_threshold" --format json |
    grep "\"elapsed_cycles\": $cycles," >/dev/null || fail "$patches,$tf_threshold,$ds_wave_threshold differs"
done <"$work/rows"

best=$(cut -d, -f4 "$work/rows" | sort -n | head -n 1)
starred=$(grep -F '*' "$work/rows" | cut -d, -f4)
[ "$starred" = "$best" ] || fail "the star is at '$starred', the least is $best"

run_sweep '8 1000' auto 4 || fail 'one impossible combination spoilt the rest'
grep -qx '1000,auto,4,,,' "$work/csv" || fail 'numbers for a combination that cannot run'
grep -qE '^8,auto,4,[0-9]+,[0-9]+,\*$' "$work/csv" || fail 'the possible one is not the best'
grep -q 1000 "$work/stderr" || fail 'no word on why it cannot run'

! run_sweep 1000 auto 4 || fail 'success although nothing ran'
