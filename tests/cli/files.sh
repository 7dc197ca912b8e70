#!/usr/bin/env bash
# Files of a run (--timeline, --report, --plot): there whole or not at all, and said why not.
. "${0%/*}/lib.sh"

# Unknown extensions are found before the run.
for words in "--timeline $scratch/t.txt" "--report $scratch/t.pdf" "--plot $scratch/t.gif"; do
    # shellcheck disable=SC2086 # words is a list
    run scenarios/hello.json $words
    expect_usage_error
    expect_err "${words##* }"
done

# A folder that is not there, and a folder in place of a file.
mkdir "$scratch/folder.csv"
for path in "$scratch/nowhere/t.csv" "$scratch/folder.csv"; do
    run scenarios/hello.json --timeline "$path"
    expect_exit 1
    expect_no_out
    expect_err "$path: cannot be written"
done
run scenarios/hello.json --timeline "$scratch/nowhere/t.csv" --timeline-detail full
expect_exit 1
expect_err "$scratch/nowhere/t.csv: cannot be written"

# The same for reports, and for a comparison.
run scenarios/hello.json --report "$scratch/nowhere/t.html"
expect_exit 1
run compare scenarios/hello.json --report "$scratch/nowhere/t.html"
expect_exit 1

# Plots of a run and of two, where there is Cairo: all formats, and words in the one that has text.
run scenarios/hello.json --plot "$scratch/plain.svg"
if ! grep -qF "built without Cairo" "$scratch/err"; then
    expect_exit 0
    grep -q '<title>hello on ' "$scratch/plain.svg" || fail "the plot has no title"
    run compare scenarios/hello.json --plot "$scratch/two.svg" --plot "$scratch/two.png" \
        --plot "$scratch/two.pdf" --a seed=1 --b 'name=<&>'
    expect_exit 0
    grep -q '<desc>.*A: seed=1, B: name=&lt;&amp;&gt;</desc>' "$scratch/two.svg" ||
        fail "the plot does not name both runs"
    [ "$(head -c 4 "$scratch/two.pdf")" = "%PDF" ] || fail "no PDF"
    [ "$(head -c 4 "$scratch/two.png" | tail -c 3)" = "PNG" ] || fail "no PNG"
    run compare scenarios/hello.json --plot "$scratch/nowhere/t.svg"
    expect_exit 1
    expect_no_out
    expect_err "$scratch/nowhere/t.svg: cannot be written"
fi

# Several in one run; nothing else is left in the folder.
mkdir "$scratch/all"
run scenarios/hello.json --timeline "$scratch/all/t.csv" --timeline "$scratch/all/t.vcd" \
    --timeline "$scratch/all/t.json" --timeline "$scratch/all/t.pftrace" \
    --report "$scratch/all/t.html" --timeline-detail full
expect_exit 0
expect_no_err
[ "$(cd "$scratch/all" && printf '%s ' *)" = "t.csv t.gtkw t.html t.json t.pftrace t.vcd " ] ||
    fail "not these files: $(ls -A "$scratch/all")"

# The same bytes every time.
run scenarios/hello.json --timeline "$scratch/again.pftrace" --timeline-detail full
cmp -s "$scratch/all/t.pftrace" "$scratch/again.pftrace" || fail "two runs, two timelines"

# A file that would be written twice, however its name is spelt; nothing is run then.
run scenarios/hello.json --timeline "$scratch/twice.csv" --timeline "$scratch/./twice.csv"
expect_exit 2
expect_err "twice"
[ ! -e "$scratch/twice.csv" ] || fail "it was written"

# Killed in mid-run, nothing is left: no half file, no draft.
mkdir "$scratch/killed"
"$TESSSIM" run scenarios/high_tf.json --set patches=200000 --timeline "$scratch/killed/t.vcd" \
    --timeline-detail full >/dev/null 2>&1 &
sleep 0.3
kill -9 $!
wait $! 2>/dev/null
[ -z "$(ls -A "$scratch/killed")" ] || fail "left behind: $(ls -A "$scratch/killed")"

# Ctrl-C ends with a word, and leaves nothing either.
"$TESSSIM" run scenarios/high_tf.json --set patches=2000000 --timeline "$scratch/killed/t.vcd" \
    --timeline-detail full >/dev/null 2>"$scratch/err" &
sleep 2 # until it surely listens
kill -TERM $!
wait $! 2>/dev/null
expect_err "interrupted; nothing is left half written"
[ -z "$(ls -A "$scratch/killed")" ] || fail "left behind: $(ls -A "$scratch/killed")"

# A layout of GTKWave that is there already stays.
echo mine >"$scratch/kept.gtkw"
run scenarios/hello.json --timeline "$scratch/kept.vcd"
expect_exit 0
[ "$(cat "$scratch/kept.gtkw")" = mine ] || fail "the layout was replaced"

# Last, as it needs the right to mount: a disk that fills up, one of 128 KB.
mkdir "$scratch/small"
mount -t tmpfs -o size=128k none "$scratch/small" 2>"$scratch/err" || exit 0
trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
for detail in buckets full; do
    for kind in csv json vcd pftrace; do
        run scenarios/mixed_tf.json --timeline "$scratch/small/t.$kind" --timeline-detail $detail
        expect_exit 1
        expect_no_out
        expect_err "No space left on device"
        [ -z "$(ls -A "$scratch/small")" ] || fail "something is left: $(ls -A "$scratch/small")"
    done
done
run scenarios/mixed_tf.json --report "$scratch/small/t.html"
expect_exit 1
expect_err "No space left on device"
[ -z "$(ls -A "$scratch/small")" ] || fail "something is left: $(ls -A "$scratch/small")"
