#!/usr/bin/env bash
# --format csv is a header and one row of as many cells, named as in JSON.
. "${0%/*}/lib.sh"

run scenarios/hello.json --format csv
expect_exit 0
expect_no_err
python3 - "$scratch/out" <<'PYTHON' || fail "odd CSV"
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
assert len(rows) == 1
row = rows[0]
assert None not in row and None not in row.values()
assert row["scenario"] == "hello" and row["totals.ds_threads"] == "3"
assert row["draws.0.mode"] == "onchip"
assert float(row["elapsed_us"]) > 0
PYTHON
