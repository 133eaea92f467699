#!/bin/sh
# Sweeps on a cluster: a real slurmctld and three slurmd on loopback, started here. Skipped where they cannot be.
# With LONG=1 also what takes a while.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
sluice=$(realpath "$sluice")
export XDG_CACHE_HOME="$tmp/cache"

skip() {
  echo "SKIPPED: no Slurm cluster can be started here: $*"
  exit 77
}

[ "$(id -u)" -eq 0 ] || skip "needs root"
for c in munged slurmctld slurmd sbatch squeue scancel setpriv; do
  command -v $c >/dev/null || skip "no $c (scripts/setup slurm installs it)"
done
getent passwd munge >/dev/null || skip "no user munge"

cluster=$tmp/cluster
port=$((20000 + $$ % 20000))
host=$(hostname -s)
export SLURM_CONF="$cluster/slurm.conf"

stop() { # PIDFILE...
  for f in "$@"; do
    [ -s "$f" ] && kill -9 "$(cat "$f")" 2>/dev/null
    rm -f "$f"
  done
}
stop_all() {
  scancel --name=sluice 2>/dev/null
  stop "$cluster"/*.pid "$cluster"/munge/pid
  sleep 0.2
  rm -rf "$tmp"
}
trap stop_all EXIT

node() { slurmd -N "$1" -c 2>"$cluster/err" || skip "slurmd: $(tail -n 1 "$cluster/err")"; }

start() {
  chmod 755 "$tmp"
  mkdir -p "$cluster/munge" "$cluster/state" "$cluster/spool/n1" "$cluster/spool/n2" "$cluster/spool/n3"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 400 "$cluster/munge/key"
  chown -R munge "$cluster/munge"
  cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SlurmdTimeout=3
KillWait=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  setpriv --reuid munge --regid munge --clear-groups munged --force --socket="$cluster/munge/socket" \
    --key-file="$cluster/munge/key" --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
    --seed-file="$cluster/munge/seed" 2>"$tmp/err" || skip "munged: $(tail -n 1 "$tmp/err")"
  slurmctld -c 2>"$tmp/err" || skip "slurmctld: $(tail -n 1 "$tmp/err")"
  for n in n1 n2 n3; do node $n; done
  i=0
  until [ "$(sinfo --noheader --states=idle --format=%D 2>/dev/null)" = 3 ]; do
    i=$((i + 1))
    [ $i -lt 150 ] || skip "the nodes do not come up: $(tail -n 1 "$cluster/slurmctld.log")"
    sleep 0.2
  done
}

content() {
  "$sluice" query "$1" "SELECT id, state, reason FROM point ORDER BY id; SELECT * FROM stat ORDER BY point, name;
    SELECT * FROM member ORDER BY sweep, number; PRAGMA integrity_check"
}
same() { # DB
  content "$1" >"$tmp/got"
  cmp -s "$tmp/want" "$tmp/got" || fail "the database differs from that of a local sweep"
  [ ! -e "$1.jobs" ] || fail "the jobs' folder is left"
}

on_slurm() { run "$sluice" sweep "$tmp/s.yaml" --db "$1" --launcher slurm --sbatch '--job-name=mine --time=10'; }
in_background() {
  "$sluice" sweep "$tmp/s.yaml" --db "$1" --launcher slurm >"$tmp/log" 2>&1 &
  pid=$!
}
# waits until a task runs
under_way() {
  i=0
  while [ -z "$(squeue --noheader --states=RUNNING 2>/dev/null)" ] && [ $i -lt 100 ]; do
    i=$((i + 1))
    sleep 0.1
  done
}

# tasks DB [NODE]: processes of a sweep's tasks (on a node)
tasks() {
  for p in /proc/[0-9]*; do
    tr '\0' ' ' <"$p/cmdline" | grep -qF "$1.jobs/" || continue
    tr '\0' '\n' <"$p/environ" | grep -q "^SLURMD_NODENAME=${2:-}" && echo "${p#/proc/}"
  done 2>/dev/null
}

a_cluster_gives_the_results_of_one_machine() {
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/local.db" && exits 0
  content "$tmp/local.db" >"$tmp/want"
  on_slurm "$tmp/slurm.db" && exits 0 && out_has '12 points, 12 done (12 run now'
  same "$tmp/slurm.db"
  cp examples/gpgpusim/ttiled_512.yaml examples/gpgpusim/kernels.ptx "$tmp"
  printf 'name: here\nworkloads: [./ttiled_512.yaml]\n' >"$tmp/here.yaml" # paths that start from a folder
  (cd "$tmp" && "$sluice" sweep here.yaml --launcher slurm >out 2>err) || fail "relative paths: $(cat "$tmp/err")"
}

a_killed_node_loses_nothing() {
  printf 'workloads: [{name: bfs, params: {nodes: 40000}}]\nset: {l2.mshrs: [8, 16, 32, 64]}\n' >"$tmp/long.yaml"
  "$sluice" sweep "$tmp/long.yaml" --db "$tmp/node.db" --launcher slurm >"$tmp/log" 2>&1 &
  pid=$!
  lost=
  while [ -z "$lost" ] && kill -0 $pid; do lost=$(tasks "$tmp/node.db" n1); done
  # shellcheck disable=SC2086 # its tasks die with it, as if the machine had lost power
  kill -9 "$(cat "$cluster/n1.pid")" $lost
  rm -f "$cluster/n1.pid"
  wait $pid || fail "the sweep failed: $(cat "$tmp/log")"
  [ ! -e "$tmp/node.db.jobs" ] || fail "the jobs' folder is left"
  run "$sluice" sweep "$tmp/long.yaml" --db "$tmp/whole.db" && exits 0
  run "$sluice" diff "$tmp/whole.db" "$tmp/node.db" && exits 0 && out_has 'of 4 points; 0 points only in'
  node n1
}

a_killed_collector_loses_nothing() {
  in_background "$tmp/collector.db"
  under_way
  kill -9 $pid
  wait $pid 2>/dev/null
  on_slurm "$tmp/collector.db" && exits 0
  same "$tmp/collector.db"
}

what_is_lost_again_and_again_is_given_up() {
  in_background "$tmp/lost.db"
  i=0
  while kill -0 $pid 2>/dev/null && [ $i -lt 300 ]; do
    scancel --name=sluice 2>/dev/null
    i=$((i + 1))
    sleep 0.1
  done
  code=0
  wait $pid || code=$?
  exits 1
  grep -q 'lost 3 times' "$tmp/log" || fail "no reason for lost points: $(cat "$tmp/log")"
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/lost.db" --launcher slurm --retry && exits 0
  same "$tmp/lost.db"
}

a_crash_is_a_failed_point_not_a_lost_one() {
  printf 'workloads: [bfs]\nsize: medium\n' >"$tmp/s.yaml"
  in_background "$tmp/crash.db"
  under_way
  point=
  until [ -n "$point" ] || ! kill -0 $pid; do
    for p in $(tasks "$tmp/crash.db"); do
      tr '\0' ' ' <"/proc/$p/cmdline" | grep -q ' point .*\.spec' && point=$p
    done
    sleep 0.1
  done 2>/dev/null
  kill -SEGV "$point"
  code=0
  wait $pid || code=$?
  exits 1
  grep -q 'failed: killed by signal 11' "$tmp/log" || fail "no reason for the crash: $(cat "$tmp/log")"
}

what_sbatch_refuses_is_said() {
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/bad.db" --launcher slurm --sbatch --no-such-option
  exits 1 && err_has 'unrecognized option'
  run "$sluice" sweep "$tmp/s.yaml" --db "$tmp/bad.db" --sbatch --mem=1G && exits 2 && err_has 'launcher slurm'
}

start
cat >"$tmp/s.yaml" <<END
workloads: [bfs, histogram]
techniques: [none, cart, bucl]
set: {l2.mshrs: [16, 32]}
END
tests a_cluster_gives_the_results_of_one_machine a_killed_node_loses_nothing a_killed_collector_loses_nothing \
  what_sbatch_refuses_is_said
[ -z "${LONG:-}" ] || tests what_is_lost_again_and_again_is_given_up a_crash_is_a_failed_point_not_a_lost_one
finish
