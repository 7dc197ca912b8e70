#!/usr/bin/env bash
# A sweep on a real Slurm of two virtual nodes: one node is killed in mid-run with all it runs, the
# missing shards are submitted again, and the result has the bytes of a single process.
#
# Exit code 77 (skipped) where Slurm is not installed.
# shellcheck source=tests/cli/lib.sh
. "${0%/*}/../cli/lib.sh"

for command in slurmctld slurmd sbatch munged; do
    command -v $command >/dev/null || skip "$command is not installed"
done

here=$TSIM_SOURCE_DIR/tests/slurm
chmod 0755 "$scratch" # as munge wants it
cluster=$scratch/cluster
trap '"$here/down.sh" "$cluster"; rm -rf "$scratch"' EXIT
"$here/up.sh" "$cluster" 2 $((20000 + $$ % 20000)) || fail "no cluster"
export SLURM_CONF=$cluster/slurm.conf

vary=(scenarios/mixed_tf.json --set patches=60000 --vary patches_per_threadgroup=1:80)
folder=$scratch/sweep

run sweep submit "${vary[@]}" --out "$folder" --engine slurm --shards 4 --dry-run
expect_exit 0
expect_out "#SBATCH --array=0-3"
run sweep submit "${vary[@]}" --out "$folder" --engine slurm --shards 4
expect_exit 0
expect_out ": shards 0-3"
job=$(cat "$folder/slurm-job")

# While the job is in the queue, nothing is submitted twice.
run sweep submit "$folder" --shards 4
expect_exit 1
expect_err "job $job"

lines() {
    cat "$folder"/parts/* 2>/dev/null | wc -l
}

# Node n2 dies in mid-run, its daemon first, then everything that it had started.
for _ in $(seq 300); do
    [ "$(lines)" -lt 4 ] || [ -z "$(squeue --noheader --nodelist n2 --states R)" ] || break
    sleep 0.1
done
[ "$(lines)" -ge 4 ] || fail "nothing runs: $(squeue) $(tail -n 5 "$folder"/slurm-logs/*)"
# A process of this cluster's node n2: its own environment says so.
is_of_node() {
    grep -qzx "SLURM_CONF=$SLURM_CONF" "/proc/$1/environ" 2>/dev/null &&
        grep -qzx "SLURMD_NODENAME=n2" "/proc/$1/environ" 2>/dev/null
}
kill -9 "$(cat "$cluster/slurmd-n2.pid")"
for process in /proc/[0-9]*; do
    pid=${process#/proc/}
    if is_of_node "$pid"; then
        parent=$(ps -o ppid= -p "$pid" | tr -d ' ')
        [ "$(ps -o comm= -p "$parent")" = slurmstepd ] && kill -9 "$parent"
        kill -9 "$pid"
        killed=yes
    fi
done
[ -n "${killed-}" ] || fail "nothing ran on n2: $(squeue)"

# What n1 can do is done; what is left is taken back and submitted again for n1 alone.
for _ in $(seq 300); do
    [ "$(squeue --noheader --nodelist n1 --states R | wc -l)" -gt 0 ] || break
    sleep 0.1
done
run sweep status "$folder"
expect_exit 0
grep -q "^$folder: 80 of 80" "$scratch/out" && fail "the node died too late"
scancel "$job"
scontrol update nodename=n2 state=down reason=killed
for _ in $(seq 300); do
    [ -n "$(squeue --noheader --jobs "$job" 2>/dev/null)" ] || break
    sleep 0.1
done
run sweep submit "$folder" --shards 4
expect_exit 0
expect_out "job "
job=$(cat "$folder/slurm-job")
for _ in $(seq 600); do
    [ -n "$(squeue --noheader --jobs "$job" 2>/dev/null)" ] || break
    sleep 0.1
done

run sweep collect "$folder" --format json
expect_exit 0
cp "$scratch/out" "$scratch/by-slurm"
run sweep "${vary[@]}" --format json
expect_exit 0
cmp "$scratch/out" "$scratch/by-slurm" || fail "the cluster's results differ"
run sweep submit "$folder" --shards 4
expect_out "nothing is missing"
