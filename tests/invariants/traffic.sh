# Sourced by tests/e2e/invariants.sh and tests/long/invariants.sh: random traffic, and what must hold of it with every technique.
# $tmp is a folder; $sluice the command.
# shellcheck shell=sh disable=SC2034,SC2154

# traffic SEED CTAS ROUNDS LINES: makes $tmp/traffic.yaml. Each warp draws what to do next: a load, a store, an atomic, a
# load and a store of the same place in either order; all lanes in one line, in 2, 8, 16, 32, anywhere, or in one of 8
# lines that everybody uses. LINES is a power of two.
traffic() {
  {
    cat <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry traffic(.param .u64 data, .param .u64 out, .param .u32 seed, .param .u32 rounds, .param .u32 mask) {
  .reg .pred %p<8>;
  .reg .b32 %r<40>;
  .reg .b64 %a<8>;
  ld.param.u64 %a1, [data];
  ld.param.u64 %a2, [out];
  ld.param.u32 %r1, [seed];
  ld.param.u32 %r2, [rounds];
  ld.param.u32 %r3, [mask];
  mov.u32 %r4, %tid.x;
  mov.u32 %r5, %ctaid.x;
  mov.u32 %r6, %ntid.x;
  mad.lo.u32 %r7, %r5, %r6, %r4;
  and.b32 %r8, %r7, 31;
  shr.u32 %r9, %r7, 5;
  mul.lo.u32 %r10, %r9, -1640531527;
  add.u32 %r10, %r10, %r1;
  mov.u32 %r11, 0;
  mov.u32 %r22, 0;
  mov.u32 %r30, 0;
  mov.u32 %r31, 0;
  mov.u32 %r32, 0;
  mov.u32 %r33, 0;
ROUND:
END
    for k in 0 1 2 3; do
      cat <<END
  mul.lo.u32 %r10, %r10, 1664525;
  add.u32 %r10, %r10, 1013904223;
  shr.u32 %r12, %r10, 15;
  xor.b32 %r12, %r12, %r10;
  mul.lo.u32 %r12, %r12, 739982445;
  shr.u32 %r13, %r12, 12;
  xor.b32 %r12, %r12, %r13;
  shr.u32 %r13, %r12, 8;
  and.b32 %r14, %r12, 7;
  mov.u32 %r15, 0;
  setp.eq.u32 %p1, %r14, 2;
  @%p1 shr.u32 %r15, %r8, 1;
  setp.eq.u32 %p1, %r14, 3;
  @%p1 mov.u32 %r15, %r8;
  setp.eq.u32 %p1, %r14, 4;
  @%p1 shr.u32 %r15, %r8, 2;
  setp.eq.u32 %p1, %r14, 5;
  @%p1 shr.u32 %r15, %r8, 4;
  setp.eq.u32 %p1, %r14, 6;
  @%p1 mul.lo.u32 %r15, %r8, 747796405;
  @%p1 shr.u32 %r15, %r15, 7;
  add.u32 %r16, %r13, %r15;
  and.b32 %r16, %r16, %r3;
  setp.eq.u32 %p1, %r14, 7;
  @%p1 and.b32 %r16, %r16, 7;
  and.b32 %r17, %r8, 31;
  mad.lo.u32 %r18, %r16, 32, %r17;
  mad.wide.u32 %a3, %r18, 4, %a1;
  shr.u32 %r19, %r12, 3;
  and.b32 %r19, %r19, 15;
  setp.lt.u32 %p2, %r19, 8;
  @%p2 bra LOAD$k;
  setp.lt.u32 %p2, %r19, 11;
  @%p2 bra STORE$k;
  setp.eq.u32 %p2, %r19, 11;
  @%p2 bra BOTH$k;
  setp.eq.u32 %p2, %r19, 12;
  @%p2 bra READBACK$k;
  setp.eq.u32 %p2, %r19, 13;
  @%p2 bra ADD$k;
  setp.eq.u32 %p2, %r19, 14;
  @%p2 bra PAST$k;
  bra NEXT$k;
LOAD$k:
  ld.global.u32 %r3$k, [%a3];
  bra NEXT$k;
STORE$k:
  st.global.u32 [%a3], %r12;
  bra NEXT$k;
BOTH$k:
  ld.global.u32 %r3$k, [%a3];
  st.global.u32 [%a3], %r12;
  bra NEXT$k;
READBACK$k:
  st.global.u32 [%a3], %r12;
  ld.global.u32 %r3$k, [%a3];
  bra NEXT$k;
ADD$k:
  red.global.add.u32 [%a3], %r12;
  bra NEXT$k;
PAST$k:
  ld.global.cg.u32 %r3$k, [%a3];
NEXT$k:
END
    done
    cat <<END
  add.u32 %r20, %r30, %r31;
  add.u32 %r21, %r32, %r33;
  add.u32 %r22, %r22, %r20;
  add.u32 %r22, %r22, %r21;
  and.b32 %r23, %r11, 7;
  setp.ne.u32 %p3, %r23, 7;
  @%p3 bra ON;
  bar.sync 0;
ON:
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p4, %r11, %r2;
  @%p4 bra ROUND;
  mad.wide.u32 %a4, %r7, 4, %a2;
  st.global.u32 [%a4], %r22;
  ret;
}
END
  } >"$tmp/traffic.ptx"
  cat >"$tmp/traffic.yaml" <<END
ptx: traffic.ptx
buffers:
  data: {count: $(($4 * 32)), type: u32, fill: zero}
  out: {count: $(($2 * 128)), type: u32, fill: zero}
launches:
  - {kernel: traffic, grid: [$2], block: [128], args: [data, out, {u32: $1}, {u32: $3}, {u32: $(($4 - 1))}]}
END
}

# Little of everything, so that accesses are refused for every reason there is.
tight="--set check.requests=true --set l1d.mshrs=8 --set l1d.merges=2 --set l1d.miss_queue=4 --set l2.sets=16 --set l2.ways=4 --set l2.mshrs=16 --set l2.merges=2 --set l2.in=8 --set l2.out=8 --set l2.write_miss=validate --set l2.warm=false"

# All there are, those of clusters of SMs apart; and some in other forms than their default one.
names="nonblocking bankqueue cart bucl mrpb racb swl ccws mars frc victim fcfs rata"
singles="fifo frfcfs nonblocking bankqueue:queues=3 cart cart:drain=greedy cart:drain=longest:replay=hold cart:drain=roundrobin bucl bucl:mode=prf mrpb:bypass=any:age_limit=500 mrpb:drain=longest racb racb:l2=false racb:l1=false swl:warps=4 ccws mars mars:entries=8:pages=4 frc:entries=4 frc frc:level=l1:entries=4 frc:level=both frc:level=both,mrpb:bypass=any frc:level=both,racb frc:entries=8:victims=stay,racb frc:entries=4:victims=pile:slots=2 victim:bytes=1024 victim:bytes=4096:ways=4 fcfs parbs:cap=2 bliss:threshold=1:thread=warp drrip ship:entries=16,frc:level=both"
clusters="rata rata:ways=2 rata:ideal=true rata:latency=4:ways=2 rata:ways=2,cart,mars,bucl,frc:entries=8 rata,nonblocking,racb,swl,frc"
# On a GPU of compute units that writes back before it fetches.
units="frc:entries=4 frc victim:bytes=1024 victim:bytes=2048,mars frc,swl:warps=4,mars frc:entries=8:victims=stay,mars frc:entries=4:victims=pile:slots=3,cart"

# Core cycles after which a request must be back. On its way it is in a queue of its SM (4 and 8), of the network (64 for
# each SM), of a slice (8, and 120 cycles of delay) or in its miss registers (16): at most 15 x 76 + 12 x 144, a sixth of them
# for each channel, one row cycle (40 ns, 56 cycles) after another.
longest=$(((15 * 76 + 12 * 144) / 6 * 56))

# adds_up NAME A...: the statistic is the sum of those that follow
adds_up() {
  want=$(json "$1" "$tmp/l.json") sum=0
  whole=$1
  shift
  for part in "$@"; do
    v=$(json "$part" "$tmp/l.json")
    sum=$((sum + ${v:-0}))
  done
  [ "$want" = "$sum" ] || fail "$with: $whole is $want, its parts ($*) are $sum"
}

# What each technique counts, against what it counts otherwise and what the units count.
counts_add_up() {
  case ,$with in *,cart*) adds_up l2.requests cart.requests ;; esac
  case ,$with in *,nonblocking*) adds_up l2.requests nonblocking.requests ;; esac
  case ,$with in *,bankqueue*) adds_up l2.requests bankqueue.requests ;; esac
  case ,$with in
  *,frc:level=l1*) ;; # beside the L1s alone
  *,frc*) adds_up l2.fetches frc.served frc.full l2.bypasses ;; # stores fetch nothing
  esac
  case ,$with in *,racb*) ;; *,victim*) adds_up victim.lookups victim.hits l2.fetches ;; esac
  case ,$with in *,racb*)
    adds_up l1d.bypasses racb.l1_ways racb.l1_mshr racb.l1_merge
    adds_up l2.bypasses racb.l2_ways racb.l2_mshr racb.l2_merge
    ;;
  esac
  case ,$with in *,ccws*) adds_up l1d.evictions ccws.victims ;; esac
  case ,$with in *,mrpb*) adds_up l1d.bypasses mrpb.bypass_ways mrpb.bypass_other ;; esac
  case ,$with in *,rata*)
    adds_up rata.redirected rata.remote_hits rata.false_positives
    adds_up noc.link_answers rata.remote_hits
    adds_up noc.requests noc.request_messages rata.remote_hits
    ;;
  esac
}

# holds_the_invariants GPU WITH [OPTIONS...]: runs the traffic; what is refused must say that two claim a hook
holds_the_invariants() {
  gpu=$1 with=$2
  shift 2
  # shellcheck disable=SC2086 # options and their values
  run "$sluice" run "$tmp/traffic.yaml" --gpu "$gpu" --quiet --json "$tmp/l.json" $tight --set check.longest_wait=$longest --with "$with" "$@"
  case $code in
  0) counts_add_up ;;
  2) grep -q -e "both claim the" -e "noc.sms_per_link" "$tmp/err" || fail "$with: $(cat "$tmp/err")" ;;
  *) fail "$with on $gpu: $(cat "$tmp/err")" ;;
  esac
}

# What goes together, as DO GPU WITH [OPTIONS...] for each. The first two on traffic for 15 SMs, the others for 80.
each_alone() {
  for one in $singles; do "$1" fermi15 "$one"; done
}
each_pair() {
  for a in $names; do
    for b in $names; do
      [ "$a" = "$b" ] && break
      "$1" fermi15 "$a,$b"
    done
  done
}
each_of_clusters() {
  for one in $clusters; do "$1" rata80 "$one"; done
}
each_of_units() {
  for one in $units; do "$1" rx540 "$one" --set l2.inclusive=false; done
  "$1" rx540 frc:entries=4 --set l2.inclusive=true --set l2.nack=true
  "$1" rx540 frc:entries=8:victims=stay,bankqueue --set l2.inclusive=true --set l2.nack=true
  "$1" rx540 frc:entries=8:victims=pile:slots=2 --set l2.inclusive=true --set l2.evict_clean=20
}
# Lines leave an L1 as others are missed, as data comes, as stores take ways, as blocks beside it are exchanged with ways and
# as stores ask a directory. A technique that decides by them sees them all.
each_way_of_replacing() {
  "$1" fermi15 ccws --set l1d.allocate=on-fill
  "$1" fermi15 ccws,mrpb:bypass=any --set l1d.allocate=on-fill
  "$1" fermi15 ccws,frc:level=l1:entries=4
  "$1" fermi15 ccws --set l1d.write_global=back --set l1d.write_global_miss=validate
  "$1" fermi15 ccws --set l1d.write_global=around
  "$1" rx540 ccws --set l1d.sets=2
  for p in moesi nmoesi; do
    "$1" hd7770 ccws --set l1d.sets=2 --set l1d.coherence=$p --set l2.inclusive=true --set l1d.allocate=on-miss --set l1d.write_global=back \
      --set l1d.write_global_miss=fetch --set l1d.write_local=back --set l1d.write_local_miss=fetch
  done
}
each_pair_with_rata() {
  for one in $names; do
    [ "$one" = rata ] || "$1" rata80 "rata:ways=2,$one"
  done
}
