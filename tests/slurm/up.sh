#!/usr/bin/env bash
# A Slurm of its own with virtual nodes on the loopback interface, in a folder of its own: nothing
# of the machine is touched. Needs slurmctld, slurmd, slurm-client and munge.
#
# usage: up.sh FOLDER NODES FIRST-PORT      then: export SLURM_CONF=FOLDER/slurm.conf
set -eu

folder=$1
nodes=$2
port=$3
host=$(hostname -s)
mkdir -p "$folder/state" "$folder/log" "$folder/munge"
chmod 0755 "$folder" "$folder/munge"

head -c 128 /dev/urandom >"$folder/munge.key"
chmod 0400 "$folder/munge.key"
munged --key-file="$folder/munge.key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/log/munged.log" \
    --seed-file="$folder/munge/seed" --num-threads=2

cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdTimeout=10
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
PropagateResourceLimits=NONE
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=1 RealMemory=100 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END

export SLURM_CONF=$folder/slurm.conf
slurmctld -c -f "$SLURM_CONF"
for node in $(seq "$nodes"); do
    mkdir -p "$folder/spool-n$node"
    slurmd -N "n$node" -f "$SLURM_CONF"
done
for _ in $(seq 100); do
    idle=$(sinfo --noheader --Node --format=%t 2>/dev/null | grep -c '^idle') || true
    [ "$idle" -ne "$nodes" ] || exit 0
    sleep 0.2
done
echo "the nodes do not come up" >&2
exit 1
