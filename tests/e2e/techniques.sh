#!/bin/sh
# Techniques on the whole machine: they combine, they are refused by name where they cannot, and numbers do not depend on
# how they are simulated. (tests/e2e/invariants.sh has every pair, on random traffic.)
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

kernel=examples/gpgpusim/ttiled_512.yaml
irregular=examples/gpgpusim/gather_16K.yaml # un-coalesced: L1 and L2 refuse, row buffers conflict

gpu=fermi15
numbers() { # FILE OPTIONS...: a hash of everything but what the host did
  file=$1
  shift
  run "$sluice" run "$file" --gpu $gpu --quiet --csv "$tmp/n.csv" "$@"
  exits 0
  grep -v ',sim\.' "$tmp/n.csv" | cksum
}

each_gives_the_same_numbers_however_simulated() {
  for t in cart,bucl,swl,mars,frc mrpb,nonblocking,ccws racb,bankqueue,frc:entries=4,fcfs mars,parbs cart,bliss:threshold=1:interval=500 drrip,mrpb:bypass=any ship,frc:entries=4; do
    want=$(numbers $kernel --with $t)
    for how in --no-skip "--shuffle 11 --threads 3 --delays 1"; do
      # shellcheck disable=SC2086 # options and their values
      [ "$(numbers $kernel --with $t $how)" = "$want" ] || fail "$t: other numbers with $how"
    done
  done
}

# What is there when nothing is named, named.
the_baseline_is_a_technique() {
  want=$(numbers $kernel)
  for t in fifo conventional frfcfs fifo,conventional,frfcfs; do
    [ "$(numbers $kernel --with $t)" = "$want" ] || fail "$t: not the baseline's numbers"
  done
}

# Loads between the SMs of a cluster; several launches, and lines that several SMs read.
neither_do_those_of_clusters_depend_on_it() {
  gpu=rata80
  for with in rata:ways=2 rata:ideal=true:latency=4 rata:ideal=true:in_flight=true:width=8:slots=64 rata:ideal=true:in_flight=true:fill=true rata:fill=true:width=4 rata,cart,mrpb,mars,frc,swl; do
    want=$(numbers tests/kernels/cl_bfs.yaml --with $with)
    for how in --no-skip "--shuffle 11 --threads 3 --delays 1"; do
      # shellcheck disable=SC2086 # options and their values
      [ "$(numbers tests/kernels/cl_bfs.yaml --with $with $how)" = "$want" ] || fail "$with: other numbers with $how"
    done
  done
  gpu=fermi15
}

# 80 CTAs of a warp, one for each SM. The first SM of each cluster of eight reads 16 lines, the others later the same.
shared_lines() {
  cat >"$tmp/shared.ptx" <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry shared(.param .u64 in) {
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %a<3>;
  .reg .f32 %f<16>;
  mov.u32 %r1, %ctaid.x;
  and.b32 %r1, %r1, 7;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra READ;
  mov.u32 %r2, 0;
LATER:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 1000;
  @%p2 bra LATER;
READ:
  ld.param.u64 %a1, [in];
  mov.u32 %r3, %tid.x;
  mad.wide.u32 %a2, %r3, 4, %a1;
$(for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "  ld.global.f32 %f$i, [%a2+$((i * 128))];"; done)
  ret;
}
END
  cat >"$tmp/shared.yaml" <<END
ptx: shared.ptx
buffers:
  in: {count: 512, type: f32, fill: zero}
launches:
  - {kernel: shared, grid: [80], block: [32], args: [in]}
END
}

counted() { # COUNTER WANT
  [ "$(json "$1" "$tmp/r.json")" = "$2" ] || fail "$with: $1 is $(json "$1" "$tmp/r.json"), not $2"
}

lines_come_from_other_l1s() {
  shared_lines
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --json "$tmp/r.json"
  exits 0
  with=none
  counted l2.requests $((80 * 16))
  counted noc.link_answers 0
  for with in rata rata:ideal=true rata:latency=4 rata:width=8 rata:ideal=true:width=8:slots=256 rata:ideal=true:in_flight=true; do
    run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with $with --json "$tmp/r.json"
    exits 0
    counted rata.lookups $((80 * 16))
    counted rata.remote_hits $((70 * 16))
    counted noc.link_answers $((70 * 16))
    counted l2.requests $((10 * 16))
    counted l1d.fills $((10 * 16)) # the others keep nothing
    counted rata.captured 1
  done
  with=rata:fill=true
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with $with --json "$tmp/r.json"
  exits 0
  counted rata.remote_hits $((70 * 16))
  counted l2.requests $((10 * 16))
  counted l1d.fills $((80 * 16)) # all keep theirs
}

# Ten CTAs: by number eight of them are in the first cluster and two in the second; in turn each has a cluster of its own.
ctas_are_dealt_to_sms_or_to_clusters() {
  shared_lines
  sed -i 's/grid: \[80\]/grid: [10]/' "$tmp/shared.yaml"
  with=rata
  for deal in sm cluster; do
    run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=$deal --quiet --with $with --json "$tmp/r.json"
    exits 0
    case $deal in sm) shared=8 ;; cluster) shared=0 ;; esac
    counted rata.remote_hits $((shared * 16))
    counted l2.requests $(((10 - shared) * 16))
  done
}

# An array of one entry forgets what the L1 still has; an L1 of four lines has lost what the array still names.
the_array_errs() {
  shared_lines
  with=rata:sets=1:ways=1
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with $with --json "$tmp/r.json"
  exits 0
  [ "$(json rata.false_negatives "$tmp/r.json")" -gt 0 ] || fail "no false negative"
  counted rata.false_positives 0
  with="rata, small L1"
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with rata --set l1d.sets=1 --set l1d.ways=4 --json "$tmp/r.json"
  exits 0
  [ "$(json rata.false_positives "$tmp/r.json")" -gt 0 ] || fail "no false positive"
  counted rata.redirected $(($(json rata.false_positives "$tmp/r.json") + $(json rata.remote_hits "$tmp/r.json")))
  with="ideal, small L1"
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with rata:ideal=true --set l1d.sets=1 --set l1d.ways=4 --json "$tmp/r.json"
  exits 0
  counted rata.false_positives 0
  counted rata.false_negatives 0
}

each_does_something_somewhere() {
  while read -r t file counter; do
    run "$sluice" run "$file" --gpu fermi15 --quiet --with "$t" --json "$tmp/t.json"
    exits 0
    v=$(json "$counter" "$tmp/t.json")
    [ "${v:-0}" != 0 ] || fail "$t: $counter is ${v:-missing}"
  done <<END
nonblocking $irregular nonblocking.passed
bankqueue $irregular bankqueue.requests
cart $irregular cart.same_row
bucl $irregular bucl.bypassed_loads
mrpb:bypass=any $irregular mrpb.bypass_other
racb $irregular racb.l1_mshr
swl:warps=4 $irregular swl.held
ccws examples/gpgpusim/bfs_16K.yaml ccws.hits
mars $irregular mars.visits
frc $irregular frc.swaps
frc:victims=stay $irregular frc.kept
frc:victims=pile $irregular frc.kept_hits
END
}

every_miss_of_the_l2_is_served_or_finds_the_frc_full() {
  run "$sluice" run $kernel --gpu fermi15 --quiet --with frc:entries=4 --json "$tmp/frc.json"
  exits 0
  served=$(json frc.served "$tmp/frc.json") full=$(json frc.full "$tmp/frc.json") fetches=$(json l2.fetches "$tmp/frc.json")
  [ $((served + full)) -eq "$fetches" ] || fail "$served served and $full full are not $fetches fetches"
  [ "$full" -gt 0 ] || fail "four entries were always enough"
}

# Bits by arithmetic: entries x bits x units.
added_storage_is_declared() {
  while read -r g t bits; do
    run "$sluice" run $kernel --gpu "$g" --quiet --with "$t" --json "$tmp/s.json"
    exits 0
    [ "$(json tech.storage_bits "$tmp/s.json")" = "$bits" ] || fail "$t on $g: $(json tech.storage_bits "$tmp/s.json") bits, not $bits"
  done <<END
fermi15 cart $((12 * 16 * 4 * 2 * (2 * 64 + 24)))
fermi15 cart:rows=8:columns=8:entries=8 $((12 * 16 * 8 * 8 * (8 * 64 + 24)))
fermi15 mars $((512 * (64 + 9) + 128 * (28 + 2 * 9) + 128 * 7))
rata80 rata $((10 * 64 * 48 * (1 + 27 + 3)))
fermi15 swl 0
fermi15 cart,mars $((12 * 16 * 4 * 2 * (2 * 64 + 24) + 512 * (64 + 9) + 128 * (28 + 2 * 9) + 128 * 7))
END
}

# TUCD over time: each interval's periods, and their TUCDs; together the whole run's.
techniques_count_over_time() {
  run "$sluice" run "$irregular" --gpu fermi15 --quiet --with bucl --interval 2000 --series "$tmp/t.csv" --json "$tmp/t.json"
  exits 0
  for c in bucl.periods bucl.tucd_sum; do
    sum=$(awk -F, -v c=$c 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i } NR > 1 && k { s += $k } END { print s + 0 }' "$tmp/t.csv")
    [ "$sum" -gt 0 ] || fail "$c: nothing in any interval"
    [ "$sum" = "$(json $c "$tmp/t.json")" ] || fail "$c: intervals add up to $sum, not $(json $c "$tmp/t.json")"
  done
}

# Without RATA's help: the same cycles as without it, and what it could have found.
watching_changes_nothing() {
  shared_lines
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --json "$tmp/r.json"
  exits 0
  cycles=$(json cycles "$tmp/r.json") with=rata:watch=true
  run "$sluice" run "$tmp/shared.yaml" --gpu rata80 --set gpu.deal=sm --quiet --with $with --json "$tmp/r.json"
  exits 0
  counted cycles "$cycles"
  counted rata.replicated $((70 * 16))
  counted rata.redirected 0
  counted rata.replication 0.875
}

mistakes_are_named() {
  while read -r with message; do
    run "$sluice" run $kernel --with "$with"
    exits 2
    err_has "$message"
  done <<END
cart,bankqueue 'cart' and 'bankqueue' both claim the L2 admission hook
bucl,mrpb 'bucl' and 'mrpb' both claim the L1 admission hook
swl,ccws both claim the warp gate hook
fcfs,frfcfs both claim the DRAM scheduler hook
parbs,bliss both claim the DRAM scheduler hook
drrip,ship both claim the replacement hook
ship:entries=3 must be a power of two
ship:initial=9 more than ship.bits can hold
conventional,frc both claim the miss management hook
kart did you mean 'cart'
cart:row=4 did you mean 'cart.rows'
cart:rows=99 out of range
cart:rows not of the form name=value
cart,cart named twice
mars:pages=3 must be a multiple
frc:entries=12 must be a multiple
frc:victims=stays did you mean 'stay'
frc:slots=1 out of range
rata noc.sms_per_link
END
  run "$sluice" run $kernel --gpu rata80 --set l1d.allocate=on-miss --with rata
  exits 2
  err_has "l1d.allocate must be on-fill"
  run "$sluice" run $kernel --gpu rata80 --with rata:sets=48
  exits 2
  err_has "must be a power of two"
  run "$sluice" run $kernel --set cart.rows=8
  exits 2
  err_has "the GPU is built without 'cart'"
  run "$sluice" run $kernel --plugin "$tmp/none.so"
  exits 2
  run "$sluice" run $kernel --gpu fermi15 --with cart:rows=8:rows=9
  exits 2
  err_has "parameter 'rows' of 'cart' is given twice, the second time as '9'"
  run "$sluice" run $kernel --gpu fermi15 --with cart:rows=8,mars --with cart:rows=9
  exits 2
  err_has "technique 'cart' is named twice"
}

# misses FUNCTIONS: makes a plugin that manages misses and has these besides those it must have
misses() {
  cat >"$tmp/misses.c" <<END
#include "sluice_technique.h"
#include <stdlib.h>
static void *open(const struct sluice_env *env) { return env ? malloc(1) : NULL; }
static uint32_t none(const void *self) { return self ? 0 : 1; }
__attribute__((unused)) static bool take(void *self, uint64_t line, uint64_t cycle) { return !self && line > cycle; }
__attribute__((unused)) static bool grant(void *self, uint64_t line, uint64_t cycle) { return self && line + 1 > cycle - cycle; }
__attribute__((unused)) static void drop(void *self, uint64_t line, bool taken) { (void)self, (void)line, (void)taken; }
__attribute__((unused)) static bool holds(const void *self, uint64_t line) { return !self && line; }
static const struct sluice_fill_buffer buffer = {.size = sizeof(struct sluice_fill_buffer), .open = open, .close = free, .lookup = none, .swap = none, $1};
static const struct sluice_technique misses = {SLUICE_TECHNIQUE_HEAD,
  .name = "misses", .summary = "Manages misses.", .paper = "a test", .fill_buffer = &buffer};
const struct sluice_technique *sluice_plugin(void);
const struct sluice_technique *sluice_plugin(void) { return &misses; }
END
  ${CC:-cc} -Wall -Wextra -shared -fPIC -Iinclude "$tmp/misses.c" -o "$tmp/misses.so" || fail "it does not compile"
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/misses.so" --with misses --json "$tmp/m.json"
}

a_miss_management_without_entries_needs_nothing_for_them() {
  run "$sluice" run $kernel --gpu fermi15 --quiet --json "$tmp/b.json"
  for functions in ".take = NULL" ".take = take, .drop = drop"; do
    misses "$functions"
    exits 0
    [ "$(json cycles "$tmp/m.json")" = "$(json cycles "$tmp/b.json")" ] || fail "$functions: other cycles"
  done
  misses ".take = take"
  exits 2
  err_has "only one of take and drop"
  misses ".take = take, .drop = drop, .holds = holds"
  exits 2
  err_has "only some of holds, swapped and evicted"
}

a_plugin_is_a_technique_like_any_other() {
  ${CC:-cc} -O2 -Wall -Wextra -shared -fPIC -Iinclude examples/plugin/rowfirst.c -o "$tmp/rowfirst.so" ||
    fail "the example does not compile"
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/rowfirst.so" --with rowfirst:entries=8 --json "$tmp/p.json"
  exits 0
  [ "$(json rowfirst.kept "$tmp/p.json")" -gt 0 ] || fail "it decided nothing"
  run "$sluice" run $kernel --plugin "$tmp/rowfirst.so" --with rowfirst,cart
  exits 2
  err_has "'rowfirst' and 'cart' both claim the L2 admission hook"
  # what it says of its accesses must be one of its counters
  sed -e '/^static const struct sluice_technique rowfirst/i static uint32_t arrays(const struct sluice_env *e, struct sluice_array *a, uint32_t capacity) { (void)e; if (!capacity) return 1; a->name = "queue"; a->entries = 8; a->bits = 64; a->units = 1; a->reads = "kept+keptt"; return 1; }' \
    -e 's/    .l2_order = &order,/&\n    .arrays = arrays,/' examples/plugin/rowfirst.c >"$tmp/wrong.c"
  ${CC:-cc} -shared -fPIC -Iinclude "$tmp/wrong.c" -o "$tmp/wrong.so" || fail "it does not compile"
  run "$sluice" run $kernel --plugin "$tmp/wrong.so" --with rowfirst
  exits 2
  err_has "'keptt' counts accesses"
  printf 'int x;' >"$tmp/empty.c"
  ${CC:-cc} -shared -fPIC "$tmp/empty.c" -o "$tmp/empty.so"
  run "$sluice" run $kernel --plugin "$tmp/empty.so"
  exits 2
  err_has "sluice_plugin()"
}

# errs HOOK PICK ASK: a plugin with room for one request which, after three, picks PICK, and asks about ASK while it is offered one
errs() {
  cat >"$tmp/errs.c" <<END
#include "sluice_technique.h"
#include <stdlib.h>
struct one { struct sluice_env env; uint32_t now, served; };
static void *open(const struct sluice_env *env) {
  struct one *o = malloc(sizeof *o);
  *o = (struct one){*env, SLUICE_NONE, 0};
  return o;
}
static bool insert(void *self, uint32_t handle, const struct sluice_request *r, uint64_t cycle) {
  struct one *o = self;
  (void)r, (void)cycle;
  if (o->env.would_fail && o->served >= 3)
    o->env.would_fail(o->env.unit_state, $3);
  if (o->now != SLUICE_NONE)
    return false;
  o->now = handle;
  return true;
}
static uint32_t pick(const void *self, uint64_t cycle) {
  const struct one *o = self;
  (void)cycle;
  return o->served >= 3 ? $2 : o->now;
}
static void took(void *self, uint32_t handle, uint64_t cycle) {
  struct one *o = self;
  (void)handle, (void)cycle;
  o->now = SLUICE_NONE, o->served++;
}
static void refused(void *self, uint32_t handle, enum sluice_fail why, uint64_t cycle) { (void)self, (void)handle, (void)why, (void)cycle; }
static uint64_t next(const void *self, uint64_t cycle) { (void)self, (void)cycle; return SLUICE_NEVER; }
static const struct sluice_order order = {sizeof(struct sluice_order), open, free, insert, pick, took, refused, next};
static const struct sluice_technique errs = {SLUICE_TECHNIQUE_HEAD,
  .name = "errs", .summary = "Errs.", .paper = "a test", $1};
const struct sluice_technique *sluice_plugin(void);
const struct sluice_technique *sluice_plugin(void) { return &errs; }
END
  ${CC:-cc} -Wall -Wextra -Wno-unused -shared -fPIC -Iinclude "$tmp/errs.c" -o "$tmp/errs.so" || fail "it does not compile"
}

# What a plugin does wrong is named with the plugin, however the GPU is simulated; it never brings the simulator down.
a_plugin_that_errs_is_named() {
  for hook in l1_order l2_order source; do
    for wrong in 123456789 'o->now + 1'; do
      errs ".$hook = &order" "$wrong" handle
      for how in "" --no-skip "--threads 3"; do
        # shellcheck disable=SC2086 # an option and its value
        run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/errs.so" --with errs $how
        exits 2
        err_has "technique 'errs' (--plugin $tmp/errs.so)"
        err_has "pick() named a request that it does not hold"
        [ -z "$how" ] && cp "$tmp/err" "$tmp/first"
        cmp -s "$tmp/err" "$tmp/first" || fail "$hook: another message with $how: $(cat "$tmp/err")"
      done
    done
  done
  errs ".l2_order = &order" 'o->now' 123456789
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/errs.so" --with errs
  exits 2
  err_has "would_fail() about a request that it does not hold (handle 123456789)"
  errs ".l2_order = &order" 'o->now' handle # no mistake
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/errs.so" --with errs
  exits 0
  misses ".take = grant, .drop = drop"
  exits 2
  err_has "technique 'misses' (--plugin $tmp/misses.so)"
  err_has "take() granted an entry"
  errs ".gate = NULL" 'o->now' handle
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/errs.so" --with errs
  exits 2
  err_has "technique 'errs': it sits on no hook"
}

parameters_reach_the_technique() {
  run "$sluice" run "$irregular" --gpu fermi15 --quiet --with cart:rows=1:columns=1:entries=1 --json "$tmp/a.json"
  exits 0
  run "$sluice" run "$irregular" --gpu fermi15 --quiet --with cart:rows=8:columns=8:entries=8 --json "$tmp/b.json"
  exits 0
  a=$(json cart.fill_stalls "$tmp/a.json") b=$(json cart.fill_stalls "$tmp/b.json")
  [ "$a" -gt "$b" ] || fail "a smaller tree stalls less: $a, $b"
}

# Two launches of 4 CTAs of one warp. Each warp loads a word a thread on line 8 (one line of 128 bytes), then with .cg on line 9 another, and
# stores: the L1 sees the loads of line 8, the L2 the requests of both and stores of no instruction.
a_technique_sees_who_asks() {
  ${CC:-cc} -O2 -Wall -Wextra -shared -fPIC -Iinclude tests/e2e/sees.c -o "$tmp/sees.so" || fail "does not compile"
  cat >"$tmp/sees.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64 .file 1 "k.cu"
.visible .entry k(.param .u64 p) { .reg .u64 %d<9>; .reg .u32 %r<9>;
ld.param.u64 %d1, [p];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; shl.b32 %r3, %r1, 5; add.u32 %r4, %r3, %r2;
mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d1, %d2; .loc 1 42 3
ld.global.u32 %r5, [%d3]; .loc 1 43 3
ld.global.cg.u32 %r6, [%d3+1024];
add.u32 %r7, %r5, %r6; st.global.u32 [%d3+2048], %r7; ret; }
END
  printf 'ptx: sees.ptx\nbuffers: {d: {type: u32, count: 1024, fill: zero}}\nlaunches: [{kernel: k, grid: 4, block: 32, args: [d], repeat: 2}]\n' >"$tmp/sees.yaml"
  for how in '' --no-skip '--threads 3 --delays 1'; do
    # shellcheck disable=SC2086 # words
    run "$sluice" run "$tmp/sees.yaml" --gpu fermi15 --quiet --plugin "$tmp/sees.so" --with sees:a=8:b=9 --json "$tmp/sees.json" $how
    exits 0
    # 2 launches x 4 CTAs; a CTA's loads of line 8 before each L1, half of them of the second launch
    for want in l1_a=8 l1_cta1=2 l1_second=4 l2_young=0 l1_source=8 l2_source=8; do
      [ "$(json "sees.${want%=*}" "$tmp/sees.json")" = "${want#*=}" ] || fail "$how: ${want%=*} is $(json "sees.${want%=*}" "$tmp/sees.json"), not ${want#*=}"
    done
    # the L1s are empty at the start of a launch: each line of both loads is asked of the L2; stores and code come without an instruction
    for want in l2_a=8 l2_b=8 l2_none=$((8 + $(json l1i.misses "$tmp/sees.json"))); do
      [ "$(json "sees.${want%=*}" "$tmp/sees.json")" = "${want#*=}" ] || fail "$how: ${want%=*} is $(json "sees.${want%=*}" "$tmp/sees.json"), not ${want#*=}"
    done
  done
}

# One warp loads 200 lines, each when the one before is there. Two equal distances make the table sure: of the third load and each after, the
# next line is fetched, 198 in all; nobody asks for the last. Two fetches are under way at a time: about half the cycles.
lines_of_a_stride_are_fetched_ahead() {
  cat >"$tmp/st.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) { .reg .u64 %d<9>; .reg .u32 %r<9>; .reg .pred %p;
ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; mov.u32 %r3, 0; mov.u32 %r4, 0;
L: ld.global.u32 %r5, [%d3]; add.u32 %r4, %r4, %r5;
add.u64 %d3, %d3, 128; add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, %r1; @%p bra L;
st.global.u32 [%d1], %r4; ret; }
END
  printf 'ptx: st.ptx\nbuffers: {d: {type: u32, count: 8192, fill: zero}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [d, {u32: 200}]}]\n' >"$tmp/st.yaml"
  run "$sluice" run "$tmp/st.yaml" --gpu fermi15 --quiet --json "$tmp/st0.json" && exits 0
  for how in '' --no-skip '--threads 3 --delays 1' '--shuffle 7'; do
    # shellcheck disable=SC2086 # words
    run "$sluice" run "$tmp/st.yaml" --gpu fermi15 --quiet --with stride --json "$tmp/st.json" $how && exits 0
    [ "$(json prefetch.issued "$tmp/st.json")" = 198 ] || fail "$how: $(json prefetch.issued "$tmp/st.json") fetched ahead, not 198"
    [ "$(($(json prefetch.useful "$tmp/st.json") + $(json prefetch.late "$tmp/st.json")))" = 197 ] || fail "$how: not all but one were used"
    [ "$(json prefetch.useless "$tmp/st.json")" = 1 ] || fail "$how: the last is not useless"
    echo "$(json cycles "$tmp/st0.json") $(json cycles "$tmp/st.json")" >>"$tmp/st"
  done
  awk '$2 < 0.45 * $1 || $2 > 0.55 * $1 || (NR > 1 && $2 != last) { bad = 1 } { last = $2 } END { exit bad || NR != 4 }' "$tmp/st" ||
    fail "not about half the cycles: $(cat "$tmp/st")"
  run "$sluice" run "$tmp/st.yaml" --gpu fermi15 --quiet --with stride:distance=4 --json "$tmp/st4.json" && exits 0
  [ "$(json cycles "$tmp/st4.json")" -lt "$((${last:-$(json cycles "$tmp/st.json")} * 6 / 10))" ] || fail "further ahead is no sooner"
}

# The same loads, all of one slice. On a miss the next line is fetched: every second load finds its line there, 100 in all. With degree=4 four of
# five do. Always: all but the first, and nobody asks for the last. The L2 misses that many fewer, whatever else misses there.
next_lines_of_a_slice_are_fetched_ahead() {
  one="--gpu fermi15 --set l2.channels=1 --set l2.slices_per_channel=1 --quiet"
  # shellcheck disable=SC2086 # words
  run "$sluice" run "$tmp/st.yaml" $one --json "$tmp/st0.json" && exits 0
  while read -r with used; do
    for how in '' --no-skip '--threads 3 --delays 1' '--shuffle 7'; do
      # shellcheck disable=SC2086 # words
      run "$sluice" run "$tmp/st.yaml" $one --with "$with" --json "$tmp/st.json" $how && exits 0
      [ "$(($(json l2.prefetch.useful "$tmp/st.json") + $(json l2.prefetch.late "$tmp/st.json")))" = "$used" ] || fail "$with $how: not $used lines were used"
      [ "$(($(json l2.misses "$tmp/st0.json") - $(json l2.misses "$tmp/st.json")))" = "$used" ] || fail "$with $how: $(json l2.misses "$tmp/st.json") misses"
      [ "$(json l2.prefetch.useless "$tmp/st.json")$(json l2.prefetch.polluting "$tmp/st.json")" = 00 ] || fail "$with $how: lines were replaced"
      json cycles "$tmp/st.json" >>"$tmp/next-$used"
    done
    [ "$(sort -u "$tmp/next-$used" | wc -l)" = 1 ] || fail "$with: cycles $(tr '\n' ' ' <"$tmp/next-$used")"
  done <<'END'
nextline 100
nextline:degree=4 160
nextline:always=true 199
END
  run "$sluice" run "$tmp/st.yaml" --gpu rx540 --with nextline
  exits 2
  err_has "l2.inclusive"
}

tests lines_of_a_stride_are_fetched_ahead next_lines_of_a_slice_are_fetched_ahead a_technique_sees_who_asks the_baseline_is_a_technique each_gives_the_same_numbers_however_simulated neither_do_those_of_clusters_depend_on_it \
  lines_come_from_other_l1s ctas_are_dealt_to_sms_or_to_clusters the_array_errs each_does_something_somewhere every_miss_of_the_l2_is_served_or_finds_the_frc_full \
  added_storage_is_declared techniques_count_over_time watching_changes_nothing \
  mistakes_are_named a_miss_management_without_entries_needs_nothing_for_them \
  a_plugin_is_a_technique_like_any_other a_plugin_that_errs_is_named parameters_reach_the_technique
finish
