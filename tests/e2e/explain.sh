#!/bin/sh
# `sluice explain` names what limits kernels that were built to be limited by one thing, and the ideal without that is faster.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
kernels=$(dirname "$0")/../explain

# limited KERNEL LIMITER IDEAL SETTINGS...: the first limiter by name, and the ideal is at least a quarter faster
limited() {
  kernel=$1 limiter=$2 ideal=$3
  shift 3
  run "$sluice" explain "$kernels/$kernel.yaml" "$@" --what-if "$ideal"
  exits 0
  out_has "It is limited by"
  got=$(sed -n 's/^It is limited by .* (\([a-z0-9-]*\), [0-9]* % of the time).$/\1/p' "$tmp/out")
  [ "$got" = "$limiter" ] || fail "$kernel is limited by $got, not by $limiter"
  awk -v ideal="$ideal" '$1 == ideal { fast = $3 + 0 } END { exit !(fast >= 1.25) }' "$tmp/out" ||
    fail "$kernel: $ideal is no quarter faster: $(grep "^$ideal" "$tmp/out")"
}

# All SMs read different lines once: the buses of all channels are taken.
dram_bandwidth() { limited dram_bandwidth dram-bandwidth dram=free; }
# All channels, but one bank of each, and another row every time: 6 channels x 256 bytes in turn, 1,024 bursts of a row's banks.
dram_bank_conflicts() { limited dram_banks dram-banks dram=rows; }
# Addresses 6 x 256 bytes apart are in one channel of six.
one_channel_is_hot() { limited channel_hot dram-channel-hot dram=free; }
# Everything hits the L2; 12 slices give a sector each per cycle, and FIFO crossbars let 59 % of that through.
crossbar() { limited crossbar crossbar noc=ideal; }
# The same with crossbars that let everything through: 12 sectors per cycle are what the slices have.
l2_bandwidth() { limited l2_bandwidth l2-bandwidth l2=fast --set noc.allocator=ideal --set noc.speedup=1 --set noc.sector_packets=false; }
# Eight misses under way of an L1 take a latency of about 200 cycles for 1 KB.
miss_registers() { limited miss_registers miss-registers misses=unlimited --set l1d.mshrs=8; }
# 48 warps with 8 lines each, again and again, in an L1 of 128 lines.
l1_thrashing() { limited l1_thrash l1-capacity l1=infinite; }
# Every lane reads a line of its own, which is in the L1: 32 accesses of an instruction, one per cycle.
l1_ports() { limited l1_ports l1-ports l1=wide; }
# All lanes are in one bank: 32 cycles for an access.
shared_memory_conflicts() { limited shared_conflicts shared-memory shared=free; }
# Additions that wait for nothing.
issue() { limited issue issue issue=wide; }
# One warp on an SM that holds 48.
too_few_warps() { limited too_few_warps too-few-warps latency=none; }
# Each load needs the one before, in 24 warps of an SM.
latency() { limited latency latency latency=none; }
# Divisions that wait for nothing: 8 cycles of their pipeline each.
arithmetic() { limited arithmetic arithmetic issue=wide; }

# One CTA of 120 does 20 times as much: no ideal memory helps.
imbalance() {
  run "$sluice" explain "$kernels/imbalance.yaml" --what-if dram=free,noc=ideal,l1=infinite
  exits 0
  out_has "(imbalance, "
  awk '/^(dram|noc|l1)=/ { if ($3 + 0 > 1.05) bad = 1 } END { exit bad }' "$tmp/out" || fail "an ideal memory helps: $(cat "$tmp/out")"
}
# 480 warps add to one word: one slice of twelve works.
one_slice_is_hot() {
  run "$sluice" explain "$kernels/atomics.yaml"
  exits 0
  out_has "(l2-slice-hot, "
}

# Shares add up: limiters and issuing are all of the time.
shares_are_all_of_the_time() {
  run "$sluice" explain "$kernels/crossbar.yaml" --json
  exits 0
  awk '/"launches"/ { exit }
       /"limiters"/ { on = 1; next }
       on && /}/ { on = 0 }
       on || /"work"/ { sub(/.*: /, ""); sum += $0 + 0 }
       END { exit !(sum > 0.999 && sum < 1.001) }' "$tmp/out" || fail "shares do not add up to 1: $(head -40 "$tmp/out")"
}

# changes KERNEL A B LINK: from one setting to the other, that link of the chain changes first
changes() {
  for set in "$2" "$3"; do
    run "$sluice" run "$kernels/$1.yaml" --set "$set" --quiet --timeline "$tmp/$set.tl"
    exits 0
  done
  run "$sluice" explain "$tmp/$2.tl" "$tmp/$3.tl"
  exits 0
  out_has "${2%=*}: ${2#*=} -> ${3#*=}"
  out_has "The first link of the chain that changed: $4"
}
two_runs_are_compared_link_by_link() {
  changes latency noc.latency=5 noc.latency=60 "request network"
  changes l1_thrash l1d.ways=4 l1d.ways=16 "L1 hit rate"
  run "$sluice" explain "$tmp/l1d.ways=4.tl" "$tmp/l1d.ways=4.tl"
  exits 0
  out_has "No parameter differs."
  out_has "No link of the chain changed."
}

# A timeline's run is executed again for --what-if, or comes from the stream that is named.
ideals_of_a_timeline() {
  run "$sluice" run "$kernels/too_few_warps.yaml" --quiet --record "$tmp/s.stream"
  run "$sluice" run "$kernels/too_few_warps.yaml" --quiet --timeline "$tmp/w.tl"
  run "$sluice" explain "$tmp/w.tl" --what-if latency=none
  exits 0
  cp "$tmp/out" "$tmp/again"
  run "$sluice" explain "$tmp/w.tl" --what-if latency=none --stream "$tmp/s.stream"
  exits 0
  cmp -s "$tmp/out" "$tmp/again" || fail "the stream gives another answer"
}

mistakes_are_named() {
  run "$sluice" explain "$kernels/issue.yaml" --what-if dram=fre
  exits 2
  err_has "did you mean 'dram=free'?"
  run "$sluice" explain
  exits 2
  run "$sluice" explain "$tmp/absent.json"
  exits 2
  err_has "absent.json"
  run "$sluice" explain "$tmp/w.tl" --launch 9
  exits 2
  err_has "launches 0 to 0"
  run "$sluice" explain "$tmp/w.tl" "$tmp/w.tl" --what-if dram=free
  exits 2
}

tests dram_bandwidth dram_bank_conflicts one_channel_is_hot crossbar l2_bandwidth miss_registers l1_thrashing l1_ports \
  shared_memory_conflicts issue too_few_warps latency arithmetic imbalance one_slice_is_hot shares_are_all_of_the_time \
  two_runs_are_compared_link_by_link ideals_of_a_timeline mistakes_are_named
finish
