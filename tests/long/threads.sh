#!/bin/sh
# The timing model on any number of threads gives the numbers of one thread, with random delays (--delays), and has no data race
# (ThreadSanitizer).
#   threads.sh SLUICE [delays|races]     only one of the two parts
# THREADS (2 3 5 8 16 64), RACE_THREADS (6 8 16): numbers of threads. CYCLES (3000), RACE_CYCLES (600): where launches are cut off.
# SEED (1): of the first run's delays; each run has the next one.
set -eu
cd "$(dirname "$0")/../.."
sluice=$1 part=${2:-all}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
seed=${SEED:-1} runs=0 wrong=0

gpus=$("$sluice" list gpus | sed -n 's/^\([a-z0-9]*\): .*/\1/p')
kernels='vecadd_1M gather_16K tnaive_512 ttiled_512 matmul_128 bfs_16K'
techniques=$("$sluice" list techniques | sed -n 's/^\([a-z0-9]*\): .*/\1/p' | grep -v rata) # of clusters: below
pairs='cart,bucl cart,mars cart,frc nonblocking,ccws nonblocking,mrpb bankqueue,swl mars,frc mars,bucl frc,mrpb fcfs,bucl'
workloads='bfs spmv stencil sgemm histogram kmeans hotspot 3mm backprop transpose'

# case PROGRAM CYCLES THREADS WHAT OPTIONS...: PROGRAM with delays and so many threads as $sluice on one
case_of() {
  program=$1 cycles=$2 threads=$3 what=$4
  shift 4
  one=0
  "$sluice" run "$what" "$@" --max-cycles "$cycles" --threads 1 --quiet --json "$tmp/a.json" 2>"$tmp/err" || one=$?
  if [ $one != 0 ] && [ $one != 4 ]; then # 4: cut off
    echo "threads: $what $*: $(cat "$tmp/err")"
    wrong=$((wrong + 1))
    return
  fi
  grep -v '"sim\.' "$tmp/a.json" >"$tmp/a"
  for n in $threads; do
    code=0
    "$program" run "$what" "$@" --max-cycles "$cycles" --threads "$n" --delays "$seed" --quiet --json "$tmp/b.json" \
      2>"$tmp/err" || code=$?
    grep -v '"sim\.' "$tmp/b.json" >"$tmp/b" || :
    if [ $code != $one ] || ! cmp -s "$tmp/a" "$tmp/b"; then # a race is exit code 66
      echo "threads: $what $*: other numbers with --threads $n --delays $seed (exit code $code instead of $one)"
      grep -m 1 -A 12 'WARNING: ThreadSanitizer' "$tmp/err" || :
      wrong=$((wrong + 1))
    fi
    runs=$((runs + 1)) seed=$((seed + 1))
  done
}

# all PROGRAM CYCLES THREADS: every GPU, technique and kernel
all() {
  for gpu in $gpus; do
    for k in $kernels; do
      case_of "$1" "$2" "$3" "examples/gpgpusim/$k.yaml" --gpu "$gpu"
    done
  done
  for with in $techniques $pairs; do
    for k in gather_16K bfs_16K; do
      case_of "$1" "$2" "$3" examples/gpgpusim/$k.yaml --gpu fermi15 --with "$with"
    done
  done
  for with in rata rata,cart,mrpb,mars,frc,swl; do
    case_of "$1" "$2" "$3" tests/kernels/cl_bfs.yaml --gpu rata80 --with $with
  done
}

if [ "$part" != races ]; then
  # what differed from run to run when a part of a crossbar could miss a call, to the end
  for n in 6 8 12 16; do
    case_of "$sluice" 0 $n examples/gpgpusim/gather_16K.yaml --gpu gtx480
  done
  case_of "$sluice" 20000 "8 12" examples/gpgpusim/gather_16K.yaml --gpu v100
  case_of "$sluice" 20000 "8 8 8" spmv --size medium --gpu gtx480
  case_of "$sluice" 5000 "8 8" bfs --size medium --gpu v100
  case_of "$sluice" 5000 "8 8" bfs --size medium --gpu h200
  all "$sluice" "${CYCLES:-3000}" "${THREADS:-2 3 5 8 16 64}"
  for w in $workloads; do
    for gpu in gtx480 h200; do
      case_of "$sluice" "${CYCLES:-3000}" "${THREADS:-2 3 5 8 16 64}" "$w" --size small --gpu $gpu
    done
  done
  echo "threads: $runs runs with random delays, $wrong differ"
fi

if [ "$part" != delays ]; then
  dir=${TSAN_BUILD:-build-tsan} runs=0
  [ -f "$dir/build.ninja" ] || CC=gcc meson setup "$dir" --buildtype=debugoptimized -Db_sanitize=thread \
    -Dvector_isa=false -Dtests=false >/dev/null
  ninja -C "$dir" --quiet sluice
  before=$wrong
  all "$dir/sluice" "${RACE_CYCLES:-600}" "${RACE_THREADS:-6 8 16}"
  echo "threads: $runs runs under ThreadSanitizer, $((wrong - before)) with a race or other numbers"
fi
[ "$wrong" = 0 ]
