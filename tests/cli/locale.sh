#!/usr/bin/env bash
# Numbers have a point in every language.
. "${0%/*}/lib.sh"

localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>"$scratch/err" || skip "no German locale"
: >"$scratch/out"
for format in text json csv; do
    run scenarios/hello.json --format "$format"
    cp "$scratch/out" "$scratch/expected"
    LOCPATH=$scratch LC_ALL=de_DE.UTF-8 "$TESSSIM" scenarios/hello.json --format "$format" \
        >"$scratch/out" 2>"$scratch/err"
    cmp -s "$scratch/out" "$scratch/expected" || fail "$format differs in German"
done
