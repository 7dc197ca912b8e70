#!/usr/bin/env bash
# list shows GPUs, scenarios and metrics, in every format.
. "${0%/*}/lib.sh"

run list gpus
expect_exit 0
expect_no_err
expect_out "xbox_one_x "

run list scenarios --format csv
expect_exit 0
expect_out "name,description"
expect_out "hello,"

run list metrics --format json
expect_exit 0
python3 - "$scratch/out" <<'PYTHON' || fail "odd JSON"
import json, sys
names = [metric["name"] for metric in json.load(open(sys.argv[1]))["metrics"]]
assert "elapsed_cycles" in names and "stalls.ds.home_cu" in names
assert len(names) == len(set(names))
PYTHON

run list weather
expect_usage_error
expect_err '"weather"'

# Nothing to list is a complaint that says where it looked: the installed folder may be missing.
mkdir "$scratch/empty"
cd "$scratch/empty" || exit 1
for topic in gpus:configs scenarios:scenarios; do
    TESSSIM_DATA="$scratch/nowhere" run list "${topic%:*}"
    [ "$exit_code" -eq 0 ] && continue # the program is installed
    expect_exit 3
    expect_no_out
    expect_err "$scratch/nowhere/${topic#*:}"
    expect_err "TESSSIM_DATA"
done
