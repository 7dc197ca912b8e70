#!/bin/sh
# Every scenario gives the result that is on file, byte for byte.
#
# usage: run-golden.sh TESSSIM MODE [--update]     from the folder that holds scenarios/
#
# MODE: shipped (the scenario as it is), onchip or offchip. Speaks TAP. --update writes the files
# instead (scripts/update-golden does that for all modes).
set -eu
tesssim=$1
mode=$2
update=${3-}
tests=$(dirname "$0")
results=$tests/results
work=$(mktemp -d)
output=$work/output
trap 'rm -rf "$work"' EXIT
n=0
failed=0

run() { # SCENARIO
  case $mode in
    shipped) "$tesssim" run "$1" --format json ;;
    *) "$tesssim" run "$1" --format json --mode "$mode" ;;
  esac >"$output"
}

# check SCENARIO NAME: one TAP line, with the differences as comments.
check() {
  n=$((n + 1))
  : >"$work/diff"
  if ! missing=$("$tests/have-inputs" "$1"); then
    echo "ok $n - $2 # SKIP there is no $missing"
  elif run "$1" && diff -u "$results/$2.json" "$output" >"$work/diff"; then
    echo "ok $n - $2"
  else
    echo "not ok $n - $2"
    sed 's/^/# /' "$work/diff"
    failed=1
  fi
}

update() { # SCENARIO NAME
  if missing=$("$tests/have-inputs" "$1"); then
    run "$1"
    cp "$output" "$results/$2.json"
  else
    echo "$2: left as it is, there is no $missing" >&2
  fi
}

# Only draws have a mode.
has_mode() { # SCENARIO
  [ "$mode" = shipped ] || grep -q '"type": "draw"' "$1"
}

for scenario in scenarios/*.json; do
  has_mode "$scenario" || continue
  name=$(basename "$scenario" .json).$mode
  if [ "$update" = --update ]; then
    update "$scenario" "$name"
  else
    check "$scenario" "$name"
  fi
done
[ "$update" = --update ] || echo "1..$n"
exit $failed
