#!/bin/sh
# Reads the counters of a real GPU while it runs launch plans: what compare.sh puts beside the timing model.
#   counters.sh HWRUN DIR > counters.csv     where the GPU is; ncu comes with the CUDA toolkit
# A plan is named after its workload, with parameters other than those of size medium behind it:
# DIR/transpose:width=512:height=512.plan. Clocks are left alone, and so are the caches: the data of a host copy and of
# the launches before lie in the L2 as they would in an ordinary run.
set -eu
[ $# -eq 2 ] || { echo "usage: counters.sh HWRUN DIR" >&2; exit 2; }
hwrun=$1 dir=$2
metrics=sm__cycles_elapsed.max,smsp__inst_executed.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,lts__t_sectors_srcunit_tex.sum
metrics=$metrics,lts__t_sectors_srcunit_tex_lookup_hit.sum,dram__bytes_read.sum,dram__bytes_write.sum
echo "workload,launch,kernel,metric,value"
for plan in "$dir"/*.plan; do
  name=$(basename "$plan" .plan)
  ncu --csv --print-units base --clock-control none --cache-control none --launch-count 12 --metrics "$metrics" \
    "$hwrun" "$plan" --out "$dir" |
    awk -v name="$name" -F '","' '
      /^"[0-9]/ && $5 !~ /^(clocks|nothing)/ { # the last two are of hwrun itself
        gsub(/"/, "", $1); v = $15; gsub(/[",\r]/, "", v); print name "," $1 "," $5 "," $13 "," v
      }'
done
