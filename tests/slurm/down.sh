#!/usr/bin/env bash
# Ends what up.sh began, by the process numbers in its folder.
#
# usage: down.sh FOLDER

export SLURM_CONF=$1/slurm.conf
pids=$(cat "$1"/slurmd-*.pid "$1/slurmctld.pid" "$1/munge/pid" 2>/dev/null)
scancel --user "$(id -un)" 2>/dev/null
sleep 1
for pid in $pids; do
    kill "$pid" 2>/dev/null
done
for _ in $(seq 50); do
    alive=
    for pid in $pids; do
        kill -0 "$pid" 2>/dev/null && alive=yes
    done
    [ -n "$alive" ] || exit 0
    sleep 0.1
done
