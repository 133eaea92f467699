#!/bin/sh
# Records what `sluice validate` compares with: counters of a real GPU, a line for each of the first two launches of each plan
# (LAUNCHES=3: of the first three, for microbenchmarks).
#   record.sh run HWRUN COLD|WARM PLAN... > raw.csv        where the GPU is; ncu comes with the CUDA toolkit
#   record.sh table PLAN... < raw.csv > kernels_cold.csv   anywhere: the same plans in the same order
# Clocks are left alone. COLD: caches are flushed before each launch; WARM: they keep what launches and copies before left there, for which
# the plans run once for each pass of counters: ncu's other way, to run a launch again, first copies back what the launch has changed, and the
# L2 then holds those copies. Plans come in the same order everywhere: names sort differently where LC_ALL differs.
set -eu
columns='elapsed=sm__cycles_elapsed.max active=sm__cycles_active.max active_mean=sm__cycles_active.avg time_ns=gpu__time_duration.sum
  instructions=smsp__inst_executed.sum thread_instructions=smsp__thread_inst_executed.sum
  l1_load_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1_store_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  l1_load_hits=l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum l1_load_requests=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
  l2_sectors=lts__t_sectors_srcunit_tex.sum l2_hits=lts__t_sectors_srcunit_tex_lookup_hit.sum l2_reads=lts__t_sectors_op_read.sum
  l2_writes=lts__t_sectors_op_write.sum dram_read_bytes=dram__bytes_read.sum dram_write_bytes=dram__bytes_write.sum
  registers=launch__registers_per_thread warps_active=sm__warps_active.avg.per_cycle_active pipe_fma=sm__inst_executed_pipe_fma.sum
  pipe_alu=sm__inst_executed_pipe_alu.sum pipe_fp64=sm__inst_executed_pipe_fp64.sum pipe_xu=sm__inst_executed_pipe_xu.sum
  pipe_lsu=sm__inst_executed_pipe_lsu.sum pipe_uniform=sm__inst_executed_pipe_uniform.sum'
usage() {
  echo "usage: record.sh run HWRUN COLD|WARM PLAN... | table PLAN..." >&2
  exit 2
}
each=${LAUNCHES:-2}
[ $# -ge 2 ] || usage
mode=$1
shift
case $mode in
run)
  [ $# -ge 3 ] || usage
  hwrun=$1
  case $2 in COLD) caches=all replay=kernel ;; WARM) caches=none replay=application ;; *) usage ;; esac
  shift 2
  metrics=$(for c in $columns; do echo "${c#*=}"; done | paste -sd, -)
  ncu --page raw --csv --print-units base --clock-control none --cache-control $caches --replay-mode $replay --metrics "$metrics" "$hwrun" --launches "$each" "$@"
  ;;
table)
  # A line of units follows each head; ncu writes a head for each of its runs.
  awk -F '","' -v columns="$columns" -v plans="$*" -v each="$each" '
    function number(text) { gsub(/[",\r]/, "", text); return text + 0 == int(text) ? sprintf("%d", text) : text }
    function size(text) { gsub(/[()" ]/, "", text); gsub(/,/, "x", text); return text }
    BEGIN {
      n = split(columns, column, /[ \n]+/)
      nplans = split(plans, plan, " ")
      printf "name,launch,kernel,grid,block"
      for (i = 1; i <= n; i++) { split(column[i], part, "="); metric[i] = part[2]; printf ",%s", part[1] }
      print ""
    }
    /^"ID"/ { for (i = 1; i <= NF; i++) { h = $i; gsub(/"/, "", h); at[h] = i } next }
    /^"[0-9]/ {
      if (k >= each * nplans) { print "record.sh: more launches than those of the plans" >"/dev/stderr"; bad = 1; exit 1 }
      name = plan[int(k / each) + 1]; sub(/.*\//, "", name); sub(/\.plan$/, "", name)
      printf "%s,%d,%s,%s,%s", name, k % each, $at["Kernel Name"], size($at["Grid Size"]), size($at["Block Size"])
      for (i = 1; i <= n; i++) printf ",%s", number($at[metric[i]])
      print ""
      k++
    }
    END { if (!bad && k != each * nplans) { print "record.sh: " k " launches instead of " each * nplans >"/dev/stderr"; exit 1 } }'
  ;;
*) usage ;;
esac
