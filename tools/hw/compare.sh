#!/bin/sh
# Runs the workloads of a counters file (counters.sh) on the timing model and prints both as a Markdown table, a row for
# the first launch of each kernel. The L2 begins warm, as on the GPU after a host copy.
#   compare.sh SLUICE COUNTERS.csv [GPU]
set -eu
[ $# -ge 2 ] || { echo "usage: compare.sh SLUICE COUNTERS.csv [GPU]" >&2; exit 2; }
sluice=$1 counters=$2 gpu=${3:-h200}
tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.csv"' EXIT

for plan in $(sed 1d "$counters" | cut -d, -f1 | sort -u); do
  params=$(echo "$plan" | tr ':' '\n' | sed -n '2,$s/^/--param /p')
  # shellcheck disable=SC2086
  "$sluice" run "${plan%%:*}" --size medium $params --gpu "$gpu" --set l2.warm=true --quiet --csv "$tmp.csv"
  awk -F, -v plan="$plan" '$1 ~ /^[0-9]+$/ { print plan "," $1 "," $2 "," $3 "," $4 }' "$tmp.csv" >>"$tmp"
done

echo "| workload | kernel | cycles, GPU | ours | ratio | warp instructions, GPU | ours, of PTX | L2 sectors, GPU | ours | ratio | L2 hits, GPU | ours |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
awk -F, '
  NR == FNR { ours[$1, $2, $4] = $5; next }
  FNR == 1 { next }
  { hw[$1, $2, $4] = $5; if (!(($1, $3) in seen)) { seen[$1, $3] = 1; order[++n] = $1 SUBSEP $2 SUBSEP $3 } }
  END {
    for (i = 1; i <= n; i++) {
      split(order[i], k, SUBSEP)
      c = hw[k[1], k[2], "sm__cycles_elapsed.max"]; m = ours[k[1], k[2], "gpu.cycles"]
      s = hw[k[1], k[2], "lts__t_sectors_srcunit_tex.sum"]; o = ours[k[1], k[2], "l2.accesses"]
      h = hw[k[1], k[2], "lts__t_sectors_srcunit_tex_lookup_hit.sum"]
      printf "| %s | %s | %d | %d | %.2f | %d | %d | %d | %d | %.2f | %.2f | %.2f |\n", k[1], k[3], c, m, m / c,
        hw[k[1], k[2], "smsp__inst_executed.sum"], ours[k[1], k[2], "warp_instructions"], s, o, s ? o / s : 0,
        s ? h / s : 0, ours[k[1], k[2], "l2.hit_rate"]
    }
  }' "$tmp" "$counters"
