#!/usr/bin/env bash
# The results of a sweep as CSV and as a database: the same table as its lines.
. "${0%/*}/lib.sh"

run sweep scenarios/hello.json --vary patches=1:9 --vary 'tess_factors={"uniform":3},{"uniform":7}' \
    --out "$scratch/sweep" --format csv
expect_exit 0
cp "$scratch/out" "$scratch/first.csv"
run sweep collect "$scratch/sweep" --format csv
expect_exit 0
cmp -s "$scratch/out" "$scratch/first.csv" || fail "collect differs from the sweep"
[ "$(wc -l <"$scratch/out")" -eq 19 ] || fail "not a row a run"

run sweep collect "$scratch/sweep" --sqlite "$scratch/runs.db"
expect_no_out
if [ "$exit_code" -eq 2 ]; then
    expect_err "built without SQLite"
else
    expect_exit 0
fi

/usr/bin/env python3 - "$scratch" "$exit_code" <<'END' || fail "the table differs from the lines"
import csv
import json
import sqlite3
import sys

scratch, exit_code = sys.argv[1:]
lines = [json.loads(line) for line in open(f"{scratch}/sweep/results.ndjson")]
rows = list(csv.DictReader(open(f"{scratch}/first.csv")))
assert [line["point"] for line in lines] == list(range(18))
assert lines[1]["set.tess_factors"] == '{"uniform":7}', lines[1]
for line, row in zip(lines, rows, strict=True):
    assert list(line) == list(row)
    for key, value in line.items():
        assert row[key] == value if isinstance(value, str) else float(row[key]) == value, key
if exit_code == "0":
    database = sqlite3.connect(f"{scratch}/runs.db")
    database.row_factory = sqlite3.Row
    stored = [dict(row) for row in database.execute("select * from runs order by point")]
    assert stored == lines
END

# While runs are missing, collect gives what there is and says so.
mkdir "$scratch/part" "$scratch/part/parts"
cp "$scratch/sweep/plan.json" "$scratch/part"
head -n 5 "$scratch/sweep/results.ndjson" >"$scratch/part/parts/a.ndjson"
run sweep collect "$scratch/part" --format csv
expect_exit 1
expect_err "5 of 18 runs are done"
[ "$(wc -l <"$scratch/out")" -eq 6 ] || fail "not the rows that are there"

# A database replaces a database, and nothing else.
printf '{"keep": 1}\n' >"$scratch/mine.json"
run sweep scenarios/hello.json --vary seed=1:2 --sqlite "$scratch/mine.json"
if ! grep -qF "built without SQLite" "$scratch/err"; then
    expect_exit 1
    expect_err "mine.json: is no SQLite database"
    grep -qF keep "$scratch/mine.json" || fail "it was replaced"
    run sweep scenarios/hello.json --vary seed=1:2 --sqlite /dev/full
    expect_exit 1
    [ -c /dev/full ] || fail "the device was replaced"
    for _ in 1 2; do
        run sweep scenarios/hello.json --vary seed=1:2 --sqlite "$scratch/again.db"
        expect_exit 0
    done
fi
