#!/bin/sh
# Time that can be computed by hand: the latency of a lone warp's loads, and the bound of every part in turn.
#
# All clocks but the DRAM's run at 700 MHz unless a test says otherwise. A load that issues in cycle t reaches the L1 in t + 1.
#   hit:  data after l1d.latency, registers after sm.stages
#   miss: t + 2 leaves the miss queue, t + 3 enters the network, then
#         request flits - 1, noc.latency, l2.rop_latency, sectors - 1 (one is looked up per cycle), l2.latency,
#         1 into the network, answer flits - 1, noc.latency, 1 from the answer to the register file, sm.stages
#   DRAM: dram.latency, tRP + tRCD if another row is open, CL, burst, 1 until the L2 sees it
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
timing_kernels

# per_load KERNEL STRIDE LOADS SETTINGS...: cycles per load of a chain, from the difference of two chains
per_load() {
  kernel=$1 n=$3
  # element i holds the address `stride` bytes behind its own; a stride of 0 leads nowhere else
  buffer="{count: $((n * $2 / 8 + 64)), type: u64, at: $base, fill: {iota: {start: $((base + $2)), step: 8}}}"
  shift 3
  short=$(cycles "{kernel: $kernel, grid: [1], block: [1], args: [d, {u32: $((n / 4))}]}" "$buffer" "$@")
  long=$(cycles "{kernel: $kernel, grid: [1], block: [1], args: [d, {u32: $n}]}" "$buffer" "$@")
  loads=$((n - n / 4))
  if [ $(((long - short) % loads)) -eq 0 ]; then
    echo $(((long - short) / loads))
  else
    echo "$(((long - short) * 1000 / loads))/1000"
  fi
}
base=0x710000000000 base=$((base))

loads_that_hit_the_l1() { # 1 + l1d.latency + sm.stages
  is "the default" "$(per_load chase 0 80)" $((1 + 35 + 5))
  is "l1d.latency" "$(per_load chase 0 80 l1d.latency=50)" $((1 + 50 + 5))
  is "sm.stages" "$(per_load chase 0 80 sm.stages=17)" $((1 + 35 + 17))
  is "a faster network" "$(per_load chase 0 80 gpu.noc_mhz=1400)" $((1 + 35 + 5))
}

# l2 REQUEST-FLITS NOC ROP SECTORS LATENCY ANSWER-FLITS STAGES
l2() { echo $((3 + $1 - 1 + $2 + $3 + $4 - 1 + $5 + 1 + $6 - 1 + $2 + 1 + $7)); }

loads_that_hit_the_l2() { # the buffer is there from the start (l2.warm); an answer of 4 sectors is 8 + 128 bytes
  is "the default" "$(per_load chase 128 80)" "$(l2 1 5 120 4 1 4 5)"
  is "noc.latency" "$(per_load chase 128 80 noc.latency=23)" "$(l2 1 23 120 4 1 4 5)"
  is "l2.rop_latency" "$(per_load chase 128 80 l2.rop_latency=200)" "$(l2 1 5 200 4 1 4 5)"
  is "no l2.rop_latency" "$(per_load chase 128 80 l2.rop_latency=0)" "$(l2 1 5 0 4 1 4 5)"
  is "no sectors" "$(per_load chase 128 80 l2.sector_bytes=128)" "$(l2 1 5 120 4 1 4 5)"
  is "no sectors, a wide port" "$(per_load chase 128 80 l2.sector_bytes=128 l2.port_bytes=128)" "$(l2 1 5 120 1 1 4 5)"
  is "l2.latency" "$(per_load chase 128 80 l2.latency=30)" "$(l2 1 5 120 4 30 4 5)"
  is "sm.stages" "$(per_load chase 128 80 sm.stages=0)" "$(l2 1 5 120 4 1 4 0)"
  is "narrow links" "$(per_load chase 128 80 noc.flit_bytes=4)" "$(l2 2 5 120 4 1 34 5)"
  is "wide links" "$(per_load chase 128 80 noc.flit_bytes=136)" "$(l2 1 5 120 4 1 1 5)"
  is "sectors of the L1" "$(per_load chase 128 80 l1d.sector_bytes=32)" "$(l2 1 5 120 1 1 1 5)"
  is "half lines" "$(per_load chase 128 80 l1d.sector_bytes=64)" "$(l2 1 5 120 2 1 2 5)"
  is "past the L1" "$(per_load chase_cg 128 80)" "$(l2 1 5 120 1 1 1 5)"
  is "no L1" "$(per_load chase 128 80 l1d.on=false)" "$(l2 1 5 120 1 1 1 5)"
  is "l1d.latency does not matter" "$(per_load chase 128 80 l1d.latency=99)" "$(l2 1 5 120 4 1 4 5)"
  is "ideal network" "$(per_load chase 128 80 noc.allocator=ideal noc.flit_bytes=4)" "$(l2 1 5 120 4 1 1 5)"
  is "narrow links back" "$(per_load chase 128 80 noc.response_flit_bytes=4)" "$(l2 1 5 120 4 1 34 5)"
  is "queues for each output" "$(per_load chase 128 80 noc.allocator=islip noc.iterations=2)" "$(l2 1 5 120 4 1 4 5)"
  is "a shared link: a cycle each way" "$(per_load chase 128 80 noc.sms_per_link=3)" $(($(l2 1 5 120 4 1 4 5) + 2))
  is "more SMs" "$(per_load chase 128 80 gpu.sms=64)" "$(l2 1 5 120 4 1 4 5)"
}

# An atomic is a load past the L1. A fence issues in the cycle after the store's acknowledgement (the load's path but for the
# registers: 1 and sm.stages); then sub, setp and bra, which need one another, and the next store.
atomics_and_fences() {
  is "an atomic" "$(per_load chain_atomics 0 80)" "$(l2 1 5 120 1 1 1 5)"
  is "noc.latency" "$(per_load chain_atomics 0 80 noc.latency=9)" "$(l2 1 9 120 1 1 1 5)"
  is "a fence" "$(per_load fenced_stores 0 80 sm.fetch_latency=1)" $(($(l2 1 5 120 1 1 1 0) - 1 + 1 + 1 + 9 + 9 + 1))
  is "a fence, l2.rop_latency" "$(per_load fenced_stores 0 80 sm.fetch_latency=1 l2.rop_latency=20)" $(($(l2 1 5 20 1 1 1 0) - 1 + 1 + 1 + 9 + 9 + 1))
}

# A network of half the clock: everything in it takes twice as long, and messages from the SM wait for its edges.
other_clocks() {
  half=$(($(l2 1 5 120 4 1 4 5) + 5 + 3 + 5)) # noc.latency, flits, noc.latency
  # into the network twice: two core cycles instead of one where an edge was just missed
  got=$(per_load chase 128 80 gpu.noc_mhz=350)
  [ "$got" -ge "$half" ] && [ "$got" -le $((half + 3)) ] || fail "network at half the clock: $got, at least $half"
  # an L2 of twice the clock: 120 + 3 + 1 cycles take 62; its answers wait up to one for the network
  got=$(per_load chase 128 80 gpu.l2_mhz=1400)
  want=$(($(l2 1 5 120 4 1 4 5) - 62))
  [ "$got" -ge $((want - 1)) ] && [ "$got" -le $((want + 1)) ] || fail "L2 at twice the clock: $got, about $want"
  # all clocks alike: nothing changes, whatever they are
  is "all at 1 GHz" "$(per_load chase 128 80 gpu.core_mhz=1000 gpu.noc_mhz=1000 gpu.l2_mhz=1000)" "$(l2 1 5 120 4 1 4 5)"
}

# settings NAME=VALUE of everything but the DRAM, which runs at 924 MHz
clocks() { echo "gpu.core_mhz=$1 gpu.noc_mhz=$1 gpu.l2_mhz=$1"; }
one_bank="l2.warm=false l2.channels=1 l2.slices_per_channel=1 l1d.sector_bytes=32 dram.mapping=r12g2b2c6"

loads_from_dram() { # gddr5-gtx480: CL 12, burst 2, tRCD 12, tRP 12; rows of 4 KiB, the next row of a bank after 64 KiB
  sector=$(l2 1 5 120 1 1 1 5)
  same="$one_bank $(clocks 924)"
  # shellcheck disable=SC2046,SC2086 # settings are words
  {
    is "open row" "$(per_load chase 128 32 $same)" $((sector + 100 + 12 + 2 + 1))
    is "another row" "$(per_load chase 65536 40 $same)" $((sector + 100 + 12 + 12 + 12 + 2 + 1))
    is "dram.latency" "$(per_load chase 65536 40 $same dram.latency=7)" $((sector + 7 + 12 + 12 + 12 + 2 + 1))
    is "no dram.latency" "$(per_load chase 128 32 $same dram.latency=0)" $((sector + 0 + 12 + 2 + 1))
    is "noc.latency" "$(per_load chase 128 32 $same noc.latency=6)" $((sector + 2 + 100 + 12 + 2 + 1))
    # all else at half the clock: 139 cycles end within the 70th of the L2
    is "DRAM at twice the clock" "$(per_load chase 65536 40 $one_bank $(clocks 462))" $((sector + 70))
    # 139 cycles at 924 MHz are 105.3 at 700; an edge is waited for twice
    got=$(per_load chase 65536 40 $one_bank)
  }
  case $got in */1000) got=${got%/1000} ;; *) got=$((got * 1000)) ;; esac
  [ "$got" -ge $((sector * 1000 + 105000)) ] && [ "$got" -le $((sector * 1000 + 107300)) ] || fail "DRAM at 924 MHz: $got / 1000"
}

loads_of_shared_memory() { # 1 + sm.shared_latency + ways - 1 + sm.stages
  while read -r stride ways; do
    for n in 20 60; do
      cycles "{kernel: chase_shared, grid: [1], block: [32], args: [{u32: $stride}, {u32: $n}]}" "{bytes: 4}"
    done >"$tmp/two"
    is "stride $stride" $(($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two"))) $((40 * (1 + 26 + ways - 1 + 5)))
  done <<END
0 1
1 1
2 2
3 1
4 4
6 2
8 8
16 16
31 1
32 32
END
}

# Lanes that read the same word get it at once; different words of a bank come one after the other, however many lanes want each.
lanes_share_a_word_of_shared_memory() {
  while read -r shift step mask ways what; do
    for n in 20 60; do
      cycles "{kernel: shared_words, grid: [1], block: [32], args: [{u32: $shift}, {u32: $step}, {u32: $mask}, {u32: $n}]}" "{bytes: 4}"
    done >"$tmp/two"
    is "$what" $(($(tail -n1 "$tmp/two") - $(head -n1 "$tmp/two"))) $((40 * (1 + 26 + ways - 1 + 5)))
  done <<END
0 1 0 1 all lanes one word
0 1 31 1 a word each
0 1 15 1 two lanes a word
1 1 31 1 pairs side by side
1 3 2047 1 pairs, words three apart
0 32 63 2 two words of a bank, 16 lanes each
0 32 127 4 four words of a bank, 8 lanes each
2 32 2047 8 eight words of a bank, 4 lanes each
1 32 2047 16 sixteen words of a bank, pairs
0 32 2047 32 every lane another word of one bank
0 33 2047 1 a diagonal
0 2 2047 2 every second bank
END
}

# milli NAME LAUNCH BUFFER ACCESSES WANT SETTINGS...: 48 warps of one SM; N and 2 N rounds of ACCESSES accesses each;
# thousandths of a cycle per access are at least WANT, and at most 5 % more
milli() {
  name=$1 launch=$2 buffer=$3 accesses=$4 want=$5
  shift 5
  a=$(cycles "$(echo "$launch" | sed 's/ROUNDS/10/')" "$buffer" gpu.sms=1 sm.scheduler=lrr "$@")
  b=$(cycles "$(echo "$launch" | sed 's/ROUNDS/20/')" "$buffer" gpu.sms=1 sm.scheduler=lrr "$@")
  got=$(((b - a) * 1000 / (10 * accesses)))
  # fills and drains differ by a few cycles
  [ $((got + 6)) -ge "$want" ] && [ $((got * 100)) -le $((want * 105)) ] || fail "$name: $got / 1000 cycles instead of $want"
}

streams_reach_every_bound() {
  again="{kernel: loads_again, grid: [8], block: [192], args: [d, {u32: ROUNDS}]}"
  stores="{kernel: stores, grid: [8], block: [192], args: [d, {u32: ROUNDS}]}"
  d="{bytes: 64Ki, at: $base}" n=$((48 * 32))
  milli "L1: a line per cycle" "$again" "$d" $n 1000
  milli "answer link: 4 flits per line" "$again" "$d" $n 4000 l1d.on=false
  milli "answer link: 8 flits per line" "$again" "$d" $n 8000 l1d.on=false noc.flit_bytes=17
  milli "answer link at half the clock" "$again" "$d" $n 8000 l1d.on=false gpu.noc_mhz=350
  milli "request link: 4 flits per line" "$stores" "$d" $n 4000
  milli "request link: 8 flits per line" "$stores" "$d" $n 8000 noc.flit_bytes=17
  milli "narrow links back" "$again" "$d" $n 8000 l1d.on=false noc.response_flit_bytes=17
  milli "narrow links back: stores" "$stores" "$d" $n 4000 noc.response_flit_bytes=17
  milli "iSLIP" "$again" "$d" $n 4000 l1d.on=false noc.allocator=islip
  milli "L2: 4 sectors per line" "$again" "$d" $n 4000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1
  milli "L2: a wide port, lines whole" "$again" "$d" $n 1000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1 l2.sector_bytes=128 l2.port_bytes=128
  milli "L2: a narrow port, lines whole" "$again" "$d" $n 4000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1 l2.sector_bytes=128
  milli "L2: a port of half a sector" "$again" "$d" $n 8000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1 l2.port_bytes=16
  milli "L2: two slices" "$again" "$d" $n 2000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=2
  milli "L2 at half the clock" "$again" "$d" $n 8000 l1d.on=false noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1 gpu.l2_mhz=350
  milli "L2: stores" "$stores" "$d" $n 4000 noc.flit_bytes=136 l2.channels=1 l2.slices_per_channel=1
}

# All SMs behind links of three: each link carries the lines of all its SMs, whoever they are for.
shared_links_divide_their_bandwidth() {
  for sms in 1 3 6; do
    launch="{kernel: loads_again, grid: [$((8 * sms))], block: [192], args: [d, {u32: ROUNDS}]}"
    a=$(cycles "$(echo "$launch" | sed 's/ROUNDS/4/')" "{bytes: 64Ki, at: $base}" gpu.sms=$sms l1d.on=false noc.sms_per_link=3)
    b=$(cycles "$(echo "$launch" | sed 's/ROUNDS/8/')" "{bytes: 64Ki, at: $base}" gpu.sms=$sms l1d.on=false noc.sms_per_link=3)
    per_link=$((sms < 3 ? sms : 3))
    want=$((per_link * 4 * 48 * 32 * 4)) # rounds, warps, lines, flits
    got=$((b - a))
    [ $((got * 1000)) -ge $((want * 997)) ] && [ $((got * 100)) -le $((want * 105)) ] || fail "$sms SMs: $got cycles instead of $want"
  done
}

streams_reach_the_bound_of_dram() { # 4 sectors per line, each a burst of tCCD = 2 cycles
  loads="{kernel: loads, grid: [8], block: [192], args: [d, {u64: 6144}, {u32: ROUNDS}]}"
  d="{bytes: $((6144 * 170)), at: $base}" n=$((48 * 8))
  for mhz in 924 1848; do
    # shellcheck disable=SC2046 # settings are words
    milli "DRAM, all else at $mhz MHz" "$loads" "$d" $n $((8000 * mhz / 924)) l1d.on=false l2.warm=false $(clocks $mhz) l2.channels=1 \
      noc.flit_bytes=136 dram.mapping=r12b2c6g2
  done
}

conflicts_keep_shared_memory_busy() { # a cycle for each way
  for ways in 2 4 8; do
    milli "$ways ways" "{kernel: loads_shared, grid: [8], block: [192], args: [{u32: $ways}, {u32: ROUNDS}]}" "{bytes: 4}" $((48 * 32)) $((ways * 1000))
  done
}

atomics_keep_a_slice_busy() { # four sectors per line, l2.atomic_interval each
  for interval in 1 2 10; do
    milli "an atomic in $interval cycles" "{kernel: additions_in_memory, grid: [8], block: [192], args: [d, {u32: ROUNDS}]}" "{bytes: 64Ki, at: $base}" 48 \
      $((4000 * interval)) l2.channels=1 l2.slices_per_channel=1 noc.flit_bytes=136 l2.atomic_interval=$interval
  done
}

# 1 MiB of stores into an L2 of 6 x 2 x 64 x 8 lines = 768 KiB: what does not fit is written back, sector by sector, and nothing is read.
stores_beyond_the_l2_are_written_back() {
  for warm in true false; do
    cycles "{kernel: stores, grid: [256], block: [1024], args: [d, {u32: 1}]}" "{bytes: 1Mi, at: $base}" l2.warm=$warm l1i.on=false >/dev/null
    got=$(json dram.write_requests "$tmp/t.json")
    [ "$got" = $(((1024 - 768) * 1024 / 32)) ] || fail "$got sectors written back"
    [ "$(json dram.read_requests "$tmp/t.json")" = 0 ] || fail "reads"
    [ "$(json l2.accesses "$tmp/t.json")" = $((32 * 1024 * 1024 / 32)) ] || fail "L2 accesses"
  done
}

tests loads_that_hit_the_l1 loads_that_hit_the_l2 atomics_and_fences other_clocks loads_from_dram loads_of_shared_memory lanes_share_a_word_of_shared_memory streams_reach_every_bound shared_links_divide_their_bandwidth \
  streams_reach_the_bound_of_dram conflicts_keep_shared_memory_busy atomics_keep_a_slice_busy stores_beyond_the_l2_are_written_back
finish
