#!/usr/bin/env bash
# The recipes of scripts/sweeps.md, as they stand there, all say the same; those whose tool is not
# installed are left out.
. "${0%/*}/lib.sh"

# recipe NAME: the block of that language
recipe() {
    awk -v fence='```' -v name="$1" '
        $0 == fence name { on = 1; next }
        $0 == fence { on = 0 }
        on' "$TSIM_SOURCE_DIR/scripts/sweeps.md" >"$scratch/recipe"
    [ -s "$scratch/recipe" ] || fail "there is no recipe for $1"
}

mkdir "$scratch/bin"
ln -s "$TESSSIM" "$scratch/bin/tesssim"
ln -s "$TSIM_SOURCE_DIR/scenarios" "$TSIM_SOURCE_DIR/configs" "$scratch"
cd "$scratch" || exit 1
PATH=$scratch/bin:$PATH
run sweep scenarios/mixed_tf.json --set patches=100 --vary tf_threshold=2,4,8 \
    --vary patches_per_threadgroup=10,20 --vary ds_wave_threshold=0,4 --out DIR
expect_exit 0
/usr/bin/env python3 - >expected <<'END'
import collections
import json

best = collections.defaultdict(lambda: float("inf"))
for line in open("DIR/results.ndjson"):
    run = json.loads(line)
    best[run["set.tf_threshold"]] = min(best[run["set.tf_threshold"]], run["elapsed_cycles"])
print(*(f"{threshold},{cycles}" for threshold, cycles in sorted(best.items())), sep="\n")
END

# says_the_same NAME COMMAND...: what the command makes of the recipe on its standard input
says_the_same() {
    command_line="the recipe for $1"
    "${@:2}" <recipe >out 2>err || fail "$command_line does not run"
    cmp -s out expected || fail "$command_line says something else"
    tried="$tried $1"
}

tried=
recipe python
for python in python3 /usr/bin/python3; do
    if $python -c 'import pandas' 2>err; then
        says_the_same python $python -
        break
    fi
done
recipe r
if Rscript -e 'library(jsonlite)' >out 2>err; then
    says_the_same r Rscript -
fi
recipe duckdb
if command -v duckdb >out; then
    says_the_same duckdb duckdb -csv -noheader
fi
recipe sqlite
run sweep collect DIR --sqlite runs.db
if [ "$exit_code" -eq 0 ]; then
    says_the_same sqlite /usr/bin/env python3 -c 'import sqlite3, sys
for row in sqlite3.connect("runs.db").execute(sys.stdin.read()): print(*row, sep=",")'
fi

# In the place of a cluster.
recipe parallel
if parallel --version 2>err | grep -q '^GNU'; then
    run sweep scenarios/mixed_tf.json --vary tf_threshold=1:8 --format csv
    cp out expected
    rm -r DIR
    says_the_same parallel bash -e
fi
[ -n "$tried" ] || skip "there are no tools for the recipes"
echo "tried:$tried"
