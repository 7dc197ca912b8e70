#!/usr/bin/env bash
# Ends what up.sh began, by the process numbers in its folder.
#
# usage: down.sh FOLDER
for pid in "$1"/slurmd-*.pid "$1/slurmctld.pid" "$1/munge/pid"; do
    [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null
done
exit 0
