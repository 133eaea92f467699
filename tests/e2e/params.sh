#!/bin/sh
# Every parameter of `sluice list params` changes a statistic that users read, or tests/params.txt says why it cannot.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/invariants/traffic.sh
. "$(dirname "$0")/../invariants/traffic.sh"
table=$(dirname "$0")/../params.txt

# launch NAME PTX LAUNCH: makes $tmp/NAME.yaml
launch() { printf 'ptx: %s\nbuffers:\n  d: {bytes: 65536, fill: zero}\nlaunches:\n  - %s\n' "$2" "$3" >"$tmp/$1.yaml"; }

scenes() {
  timing_kernels
  cp "$(dirname "$0")/../timing/gcn.ptx" "$tmp"
  traffic 1 15 2 2048
  launch shared kernels.ptx '{kernel: chase_shared, grid: [120], block: [32], args: [{u32: 1}, {u32: 10}]}'
  launch constants kernels.ptx '{kernel: constants, grid: [4], block: [128], args: [{u32: 40}, {u32: 40}, {u32: 68}]}'
  launch scalars gcn.ptx '{kernel: scalar_loads, grid: [10], block: [128], args: [d, {u32: 5}]}'
  # an instruction of each kind that has a cost of its own, and several that need one result port, bank and collector
  cat >"$tmp/kinds.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry kinds(.param .u32 rounds) {
  .reg .pred %p;
  .reg .u32 %n;
  .reg .s32 %i<4>;
  .reg .f32 %f<8>;
  .reg .f64 %d<4>;
  .reg .u64 %l<4>;
  .reg .b32 %lane, %pair;
  .reg .b16 %half;
  .reg .pred %q;
  ld.param.u32 %n, [rounds];
  mov.u32 %lane, %laneid;
  setp.lt.u32 %q, %lane, 7;
again:
  mul.lo.u64 %l1, %l1, %l2;
  mad.lo.u64 %l2, %l1, %l2, %l2;
  cvt.u64.u32 %l3, %i1;
  add.u64 %l3, %l3, %l1;
  cvt.u32.u64 %i1, %l2;
  cvt.rn.f32.s32 %f7, %i1;
  cvt.rzi.s32.f32 %i1, %f7;
  popc.b32 %i2, %i1;
  vote.sync.ballot.b32 %i3, %p, -1;
  redux.sync.add.s32 %i3, %i3, -1;
  @%q bra few;
  add.s32 %i1, %i1, %i3;
few:
  bar.sync 0;
  mad.lo.s32 %i1, %i1, %i2, %i3;
  max.s32 %i2, %i1, %i3;
  xor.b32 %i3, %i1, %i2;
  fma.rn.f32 %f1, %f1, %f2, %f3;
  fma.rn.f32 %f2, %f2, %f3, %f4;
  fma.rn.f32 %f3, %f3, %f4, %f5;
  fma.rn.f32 %f4, %f4, %f5, %f6;
  fma.rn.f16x2 %pair, %pair, %pair, %pair;
  cvt.rn.f16.f32 %half, %f4;
  cvt.f32.f16 %f4, %half;
  max.f32 %f5, %f1, %f2;
  rsqrt.approx.f32 %f5, %f5;
  sin.approx.f32 %f5, %f5;
  sqrt.rn.f32 %f6, %f5;
  rcp.rn.f32 %f6, %f6;
  sqrt.rn.f64 %d1, %d1;
  sqrt.rn.f64 %d2, %d2;
  sqrt.rn.f64 %d3, %d3;
  rcp.rn.f64 %d3, %d3;
  sub.u32 %n, %n, 1;
  setp.ne.u32 %p, %n, 0;
  @%p bra again;
  ret;
}
PTX
  sed -i 's/^.target sm_70/.target sm_80/' "$tmp/kinds.ptx"
  launch kinds kinds.ptx '{kernel: kinds, grid: [1], block: [256], args: [{u32: 20}]}'
  cat >"$tmp/one_word.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry one_word(.param .u64 d) {
  .reg .u64 %d;
  ld.param.u64 %d, [d];
  red.global.add.u32 [%d], 1;
  red.global.add.u32 [%d], 2;
  red.global.add.f32 [%d+256], 0f3F800000;
  ret;
}
PTX
  launch one_word one_word.ptx '{kernel: one_word, grid: [4], block: [64], args: [d]}'
  # 16 calls deep, with a KiB of local memory each
  cat >"$tmp/recursion.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .func deeper(.param .u32 left) {
  .local .align 4 .b8 frame[1024];
  .reg .pred %p;
  .reg .u32 %n;
  .reg .b64 %a;
  ld.param.u32 %n, [left];
  mov.u64 %a, frame;
  st.local.u32 [%a], %n;
  setp.eq.u32 %p, %n, 0;
  @%p bra done;
  sub.u32 %n, %n, 1;
  {
    .param .u32 next;
    st.param.u32 [next], %n;
    call.uni deeper, (next);
  }
done:
  ret;
}
.visible .entry deep() {
  .reg .u32 %n;
  mov.u32 %n, 16;
  {
    .param .u32 next;
    st.param.u32 [next], %n;
    call.uni deeper, (next);
  }
  ret;
}
PTX
  cat >"$tmp/tensor.ptx" <<'PTX'
.version 7.0
.target sm_80
.address_size 64
.visible .entry products() {
  .reg .f32 %d<4>;
  .reg .b32 %a<4>;
  mov.f32 %d0, 0f00000000;
  mov.f32 %d1, 0f00000000;
  mov.f32 %d2, 0f00000000;
  mov.f32 %d3, 0f00000000;
  mov.u32 %a0, 0;
  mov.u32 %a1, 0;
  mov.u32 %a2, 0;
  mov.u32 %a3, 0;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%a0,%a1}, {%d0,%d1,%d2,%d3};
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%a0,%a1}, {%d0,%d1,%d2,%d3};
  ret;
}
PTX
  sed 's/m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%a0,%a1}/m16n8k8.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1}, {%a0}/' \
    "$tmp/tensor.ptx" >"$tmp/tensor_half.ptx"
  sed 's/\.f32/.f64/g; s/0f00000000/0d0000000000000000/; s/m16n8k16.row.col.f64.f16.f16.f64 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%a0,%a1}, {%d0,%d1,%d2,%d3}/m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d0,%d1}/' \
    "$tmp/tensor.ptx" >"$tmp/tensor_f64.ptx"
  launch tensor_half tensor_half.ptx '{kernel: products, grid: [1], block: [256], args: []}'
  launch tensor_f64 tensor_f64.ptx '{kernel: products, grid: [1], block: [256], args: []}'
  launch tensor tensor.ptx '{kernel: products, grid: [1], block: [256], args: []}'
  launch recursion recursion.ptx '{kernel: deep, grid: [1], block: [32], args: []}'
}

# outcome STATISTIC FILE: what a run of $code left behind
outcome() {
  if [ "$1" = exit ]; then
    echo "$code"
  else
    json "$1" "$2"
  fi
}

every_parameter_acts() {
  while read -r what value rest; do
    case $what in
    '' | '#'*) ;;
    on)
      # shellcheck disable=SC2086 # options are words
      set -- $rest
      case $value in @*) value=$tmp/${value#@}.yaml ;; esac
      set -- "$value" "$@"
      rm -f "$tmp/base.json"
      run "$sluice" run "$@" --quiet --json "$tmp/base.json"
      scene=$code
      [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || fail "$*: exit code $code: $(cat "$tmp/err")"
      ;;
    *)
      echo "${what%%=*}" >>"$tmp/seen"
      [ "$value" = - ] && continue
      rm -f "$tmp/other.json"
      run "$sluice" run "$@" --set "$what" --quiet --json "$tmp/other.json"
      [ "$value" = exit ] || [ "$code" -eq 0 ] || fail "$what: exit code $code: $(cat "$tmp/err")"
      after=$(outcome "$value" "$tmp/other.json")
      code=$scene
      before=$(outcome "$value" "$tmp/base.json")
      [ -n "$after" ] || fail "$what: no $value"
      [ "$before" != "$after" ] || fail "$what: $value is $after with and without, on $*"
      ;;
    esac
  done <"$table"
}

every_parameter_is_in_the_table() {
  run "$sluice" list params --json
  sed -n 's/^    "name": "\(.*\)",$/\1/p' "$tmp/out" | LC_ALL=C sort >"$tmp/all"
  LC_ALL=C sort -u "$tmp/seen" >"$tmp/tested"
  [ -s "$tmp/all" ] || fail "no parameters"
  diff "$tmp/all" "$tmp/tested" >"$tmp/difference" || fail "not in tests/params.txt (<), or not a parameter (>): $(grep '^[<>]' "$tmp/difference")"
}

scenes
tests every_parameter_acts every_parameter_is_in_the_table
finish
