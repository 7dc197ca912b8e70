#!/usr/bin/env bash
# Nothing is lost: killed at any moment, a sweep goes on and ends with the bytes of an undisturbed
# one; a torn line is told and run again; a sweep that has changed is refused, with the difference.
. "${0%/*}/lib.sh"

cp -r configs scenarios "$scratch"
cd "$scratch" || exit 1
scenario=scenarios/mixed_tf.json
vary=(--vary patches_per_threadgroup=1:80 --set patches=2000)

run sweep $scenario "${vary[@]}" --out whole --format json
expect_exit 0
cmp -s out whole/results.ndjson || fail "stdout and the folder differ"

# kill -9, later each time, until it is done.
hits=0
for tenths in 1 2 1 3 2 4; do
    "$TESSSIM" sweep $scenario "${vary[@]}" --out killed --resume >/dev/null 2>&1 &
    victim=$!
    sleep "0.$tenths"
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
    [ $? -eq 137 ] && hits=$((hits + 1))
done
[ $hits -gt 0 ] || fail "nothing was killed"
run sweep $scenario "${vary[@]}" --out killed --resume
expect_exit 0
cmp -s killed/results.ndjson whole/results.ndjson || fail "a killed sweep ends differently"

# Torn in the middle of a line, at its end, and with a hole in it.
mkdir -p torn/parts
cp whole/plan.json torn
{ head -n 7 whole/results.ndjson; sed -n 8p whole/results.ndjson | head -c 100; } >torn/parts/a.ndjson
sed -n 9p whole/results.ndjson | tr -d '\n' >torn/parts/b.ndjson
sed -n 10p whole/results.ndjson | sed 's/"events":[0-9]*,/"events":,/' >torn/parts/c.ndjson
run sweep status torn
expect_err "a.ndjson:8: the line is torn"
expect_err "b.ndjson:1: the line is torn"
expect_err "c.ndjson:1: the line is torn"
expect_out "7 of 80 runs done"
run sweep run torn
expect_exit 0
cmp -s torn/results.ndjson whole/results.ndjson || fail "torn lines are not run again"

# A folder with a sweep is not overwritten unasked.
run sweep $scenario "${vary[@]}" --out whole
expect_usage_error
expect_err "--resume"

refused() {
    run sweep $scenario "${vary[@]}" --out whole --resume
    expect_exit 3
    expect_no_out
    expect_err "$1"
    run sweep run whole
    expect_exit 3
    expect_err "$1"
}

sed -i 's/"seed": 1/"seed": 2/' $scenario
refused "/made_with/inputs/scenario/seed: was 1, is 2"
sed -i 's/"seed": 2/"seed": 1/' $scenario
cp configs/xbox_one.json kept.json
sed -i 's/"shader_engines": *{ *"value": *2/"shader_engines": {"value": 1/' configs/xbox_one.json
refused "/made_with/inputs/gpus/xbox_one/shader_engines: was 2, is 1"
cp kept.json configs/xbox_one.json
sed -i 's/"tesssim_version": *"[^"]*"/"tesssim_version": "0.0.1"/' whole/plan.json
refused '/made_with/tesssim_version: was "0.0.1", is "'

# What only reads still does, and says what is different.
run sweep status whole
expect_exit 0
expect_out "80 of 80 runs done"
expect_err "warning: the sweep is another one now"
expect_err '/made_with/tesssim_version: was "0.0.1", is "'
run sweep collect whole --format json
expect_exit 0
cmp -s out whole/results.ndjson || fail "an older sweep is collected differently"
run sweep collect whole --report whole.html
expect_exit 3
mv $scenario elsewhere.json
run sweep collect whole --format json
expect_exit 0
expect_err "$scenario: "
cmp -s out whole/results.ndjson || fail "a sweep without its scenario is collected differently"
mv elsewhere.json $scenario

run sweep $scenario "${vary[@]}" --set patches=1000 --out torn --resume
expect_exit 3
expect_err "/made_with/inputs/scenario/work/0/patches: was 2000, is 1000"
cmp -s torn/results.ndjson whole/results.ndjson || fail "a refusal changes the results"

# Ctrl-C ends cleanly and says what is saved.
"$TESSSIM" sweep $scenario --vary patches_per_threadgroup=1:80 --vary seed=1:40 --out stopped \
    -j 1 >out 2>err &
victim=$!
sleep 0.5
kill -INT $victim
wait $victim
exit_code=$?
command_line="sweep, stopped"
expect_exit 1
expect_no_out
expect_err "runs are done and kept in stopped"
done_runs=$(sed -n 's/^tesssim: \([0-9]*\) of 3200 .*/\1/p' err)
run sweep status stopped
expect_out "$done_runs of 3200 runs done"
