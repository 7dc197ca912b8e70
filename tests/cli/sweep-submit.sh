#!/usr/bin/env bash
# sweep submit: as many shards as there is work for and as the cluster takes, and Slurm's own
# complaints. The commands of Slurm are stand-ins here; tests/slurm has the real ones.
. "${0%/*}/lib.sh"

mkdir "$scratch/bin"
stand_in() { # NAME, its script on stdin
    { echo '#!/bin/sh'; cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
stand_in squeue <<<'exit 1'
stand_in sbatch <<<'echo 17'
stand_in scontrol <<<'echo "MaxArraySize            = 5"'
PATH=$scratch/bin:$PATH

# submit SHARDS POINTS
submit() {
    run sweep submit scenarios/hello.json --vary "patches=1:$2" --out "$scratch/sweep-$1-$2" \
        --engine slurm --shards "$1"
}

submit 5 40
expect_exit 0
expect_out "job 17: shards 0-4"
submit 6 40
expect_exit 1
expect_no_out
expect_err "--shards 6 is more than this cluster takes, 5 (MaxArraySize)"
[ ! -e "$scratch/sweep-6-40/slurm-job" ] || fail "a job that is not there"

# More shards than points: one each.
submit 900 3
expect_exit 0
expect_out "shards 0-2"
grep -q 'SLURM_ARRAY_TASK_ID/3"' "$scratch/sweep-900-3/slurm.sh" || fail "shards without work"

# Without a word from scontrol, sbatch's own reaches the user.
stand_in scontrol <<<'exit 1'
stand_in sbatch <<<'echo "sbatch: error: Batch job submission failed: Invalid job array specification" >&2; exit 1'
submit 6 30
expect_exit 1
expect_err "Invalid job array specification"
rm "$scratch/bin/sbatch"
PATH=$scratch/bin submit 6 20
expect_exit 1
expect_err "sbatch"
