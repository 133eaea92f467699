#!/bin/sh
# Traces of Accel-Sim: what is imported, counted by hand; what is exported, read by a reader of its own and run again;
# what is damaged, refused with file and line.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/lib.sh
kernels=examples/gpgpusim
reader=$(dirname "$sluice")/tests/accelsim_reader

# head NAME GRID BLOCK SHMEM NREGS BINARY VERSION LINEINFO
head_of() {
  cat <<END
-kernel name = $1
-kernel id = 1
-grid dim = ($2,1,1)
-block dim = ($3,1,1)
-shmem = $4
-nregs = $5
-binary version = $6
-cuda stream id = ${9:-0}
-shmem base_addr = 0x00007f0000000000
-local mem base_addr = 0x00007f0001000000
-nvbit version = 1.5.5
-accelsim tracer version = $7
-enable lineinfo = $8

#traces format = whatever

END
}
# block X LINES...: a thread block of warps that all do the same; WARPS says how many
block() {
  printf '#BEGIN_TB\n\nthread block = %s,0,0\n' "$1"
  shift
  w=0
  while [ $w -lt "${WARPS:-1}" ]; do
    printf '\nwarp = %s\ninsts = %s\n' $w $#
    printf '%s\n' "$@"
    w=$((w + 1))
  done
  printf '\n#END_TB\n'
}
# imports [OPTION...]: $tmp/t/kernelslist.g to $tmp/t.stream
imports() { run "$sluice" trace import "$tmp/t/kernelslist.g" -o "$tmp/t.stream" "$@"; }
# one: the only kernel of the list comes from standard input
one() { mkdir -p "$tmp/t" && echo kernel-1.traceg >"$tmp/t/kernelslist.g" && cat >"$tmp/t/kernel-1.traceg"; }
counts() { # NAME VALUE, of a functional run of $tmp/t.stream
  got=$(awk -F, -v n="$1" '$1 == "total" && $3 == n { print $4 }' "$tmp/t.csv")
  [ "$got" = "$2" ] || fail "$1 is $got instead of $2"
}
functional() { run "$sluice" run "$tmp/t.stream" --functional --quiet --csv "$tmp/t.csv" && exits 0; }
total() { awk -F, -v n="$2" '$1 == "total" && $3 == n { print $4 }' "$1"; }

a_small_trace_is_counted_as_arithmetic_says() {
  {
    head_of small 2 64 4096 32 75 5 1
    for cta in 0 1; do
      WARPS=2 block $cta \
        '7 0000 ffffffff 1 R1 IMAD.MOV.U32 1 R4 0 7' \
        '8 0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fb000000000 4 0' \
        '8 0020 00000011 1 R6 LDG.E.64.SYS 1 R2 8 2 0x7fb000000100 4096 0' \
        '9 0030 0000000f 0 STG.E.SYS 2 R2 R4 4 0 0x7fb000010000 0x7fb000010020 0x7fb000010040 0x7fb000010060 0' \
        '9 0040 00000000 0 EXIT 0 0 0' \
        '10 0050 ffffffff 1 R8 LDS.U 1 R5 4 1 0x0 128 0' \
        '11 0060 ffffffff 0 BAR.SYNC 0 0 0' \
        '12 0070 ffffffff 0 EXIT 0 0 0'
    done
  } | one
  printf 'MemcpyHtoD,0x00007fb000000000,4096\nMemcpyDtoH,0x1,2\nMemcpyHtoD,0x00007fb000010000,512\nkernel-1.traceg\n' >"$tmp/t/kernelslist.g"
  imports && exits 0 && out_has '1 kernels, 2 CTAs, 32 warp instructions'
  functional
  counts ctas 2
  counts warp_instructions 32
  counts thread_instructions $(((32 + 32 + 2 + 4 + 0 + 32 + 32 + 32) * 4))
  counts loads $((3 * 4))
  counts loads.global 8
  counts loads.shared 4
  counts stores.global 4
  counts barriers 4
  counts global.sectors $(((4 + 2 + 4) * 4))
  counts global.lines $(((1 + 2 + 1) * 4))
  counts shared.bank_cycles $((32 * 4))
  counts footprint 4608
}

three_ways_to_write_addresses_are_the_same() {
  for how in '1 0x1000 8' '2 0x1000 8 8 8' '0 0x1000 0x1008 0x1010 0x1018'; do
    { head_of k 1 32 0 8 61 3 0; block 0 "0008 0000000f 1 R1 LDG.E 1 R2 4 $how" '0010 ffffffff 0 EXIT 0 0'; } |
      sed '/lineinfo/d' | one
    imports --quiet && exits 0
    [ ! -e "$tmp/way.stream" ] || cmp -s "$tmp/t.stream" "$tmp/way.stream" || fail "$how: another stream"
    mv "$tmp/t.stream" "$tmp/way.stream"
  done
}

packed_kernels_are_read_like_plain_ones() {
  command -v xz >/dev/null || return 0
  { head_of k 1 32 0 8 80 4 0; block 0 '0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4' '0010 ffffffff 0 EXIT 0 0'; } | one
  imports --quiet && exits 0
  cp "$tmp/t.stream" "$tmp/plain.stream"
  xz -k "$tmp/t/kernel-1.traceg" && echo kernel-1.traceg.xz >"$tmp/t/kernelslist.g"
  imports --quiet && exits 0
  cmp -s "$tmp/t.stream" "$tmp/plain.stream" || fail "the streams differ"
  head -c 150 "$tmp/t/kernel-1.traceg.xz" >"$tmp/t/cut.xz" && mv "$tmp/t/cut.xz" "$tmp/t/kernel-1.traceg.xz"
  imports && exits 2 && err_has 'kernel-1.traceg.xz:'
  rm "$tmp/t/kernel-1.traceg.xz"
}

registers_and_shared_memory_limit_ctas() {
  # of 65,536 registers, 8 warps of 32 threads with 128 registers take 32,768; of 96 KiB, 40 KiB are taken twice
  for of in '0 128 2 registers' '40960 32 2 shared'; do
    # shellcheck disable=SC2086
    set -- $of
    { head_of k 400 256 "$1" "$2" 70 4 0; WARPS=8 block 0 '0000 ffffffff 0 EXIT 0 0'; } | one
    imports --quiet --partial && exits 0
    run "$sluice" run "$tmp/t.stream" --gpu v100 --quiet --csv "$tmp/t.csv" && exits 0
    grep -q "^0,k,ctas_per_sm,$3,"  "$tmp/t.csv" || fail "$of: $(grep ctas_per_sm, "$tmp/t.csv")"
    grep -q "^0,k,registers,$2," "$tmp/t.csv" || fail "registers are not $2"
    grep -q "^0,k,registers.from,trace," "$tmp/t.csv" || fail "registers do not come from the trace"
  done
}

registers_make_instructions_wait() {
  for chain in 'R3 R3' 'R4 R3' 'R255 R255'; do
    # shellcheck disable=SC2086
    set -- $chain
    {
      head_of k 1 32 0 8 70 4 0
      # shellcheck disable=SC2046 # a line each
      block 0 $(seq 16 | awk -v d="$1" -v s="$2" '{ printf "%04x~ffffffff~1~%s~FADD~1~%s~0 ", $1 * 16, d, s }') \
        '0200~ffffffff~0~EXIT~0~0' | tr '~' ' '
    } | one
    imports --quiet && exits 0
    run "$sluice" run "$tmp/t.stream" --gpu v100 --set l1i.on=false --quiet --csv "$tmp/t.csv" && exits 0
    total "$tmp/t.csv" cycles >"$tmp/cycles.$1"
  done
  # each of 16 waits for the one before; R4 only for its own writes; nothing waits for RZ
  [ "$(cat "$tmp/cycles.R3")" -gt $(($(cat "$tmp/cycles.R255") + 30)) ] || fail "a chain takes no longer"
}

opcodes_that_are_not_known_are_named_and_counted() {
  { head_of k 1 32 0 8 90 5 0; block 0 '0000 ffffffff 1 R1 FROB.X 0 0 0' '0010 ffffffff 1 R1 FROB.Y 0 0 0' \
    '0020 0000000f 0 ZAP 0 0 0' '0030 ffffffff 0 EXIT 0 0 0'; } | one
  imports
  exits 2 && err_has 'FROB             2 times, first in' && err_has 'ZAP              1 times' && err_has 'kernel-1.traceg:23'
  [ ! -e "$tmp/t.stream" ] || rm "$tmp/t.stream"
  imports --unknown int && exits 0 && out_has '4 warp instructions'
  imports --unknown itn
  exits 2 && err_has "did you mean 'int'"
}

kernels_of_several_streams_follow_each_other() {
  for k in 1 2 3; do
    { head_of "k$k" 1 32 0 8 70 4 0 $k; block 0 '0000 ffffffff 0 EXIT 0 0'; } | one
    mv "$tmp/t/kernel-1.traceg" "$tmp/t/kernel-s$k.traceg"
  done
  printf 'kernel-s1.traceg\n\nkernel-s2.traceg\nMemcpyHtoD,0x10,16\nkernel-s3.traceg\nkernel-s1.traceg\n' >"$tmp/t/kernelslist.g"
  imports && exits 0 && out_has 'several CUDA streams' && out_has '1 copies to the GPU after the first kernel'
  run "$sluice" trace info "$tmp/t.stream" && exits 0 && out_has '4 launches' && out_has k3 && out_has 'in traced order'
}

a_run_says_what_means_less() {
  run "$sluice" run "$tmp/t.stream" --gpu v100 && exits 0 && out_has 'nothing was executed, checked or verified' && out_has memcheck.violations
  run "$sluice" run "$tmp/t.stream" --gpu gtx480 --with cart,bucl --json "$tmp/t.json" --quiet && exits 0
  grep -q '"note": "Imported' "$tmp/t.json" || fail "no note in the JSON"
}

# refused LINE MESSAGE: the kernel is, at that line
refused() {
  imports
  exits 2 && err_has "kernel-1.traceg:$1: " && err_has "$2"
}
damaged_traces_are_refused_with_file_and_line() {
  exit='0000 ffffffff 0 EXIT 0 0'
  { head_of k 1 32 0 8 70 2 0; block 0 "$exit"; } | one; refused 15 'versions 3 to 5'
  { head_of k 1 32 0 8 35 4 0; block 0 "$exit"; } | one; refused 15 'from Maxwell'
  { head_of k 0 32 0 8 70 4 0; block 0 "$exit"; } | one; refused 15 '-grid dim: x is 0'
  { head_of k 1 2048 0 8 70 4 0; block 0 "$exit"; } | one; refused 15 '-block dim'
  { head_of k 1 32 0 many 70 4 0; block 0 "$exit"; } | one; refused 6 'nregs'
  { head_of k 1 32 0 8 70 4 0 | sed /nregs/d; block 0 "$exit"; } | one; refused 14 'does not say -nregs'
  { head_of k 1 32 0 8 70 4 0; block 1 "$exit"; } | one; refused 19 'outside the grid'
  { head_of k 1 32 0 8 70 4 0; block 0 "$exit"; block 0 "$exit"; } | one; refused 26 'more thread blocks'
  { head_of k 2 32 0 8 70 4 0; block 0 "$exit"; } | one; refused 26 '1 of 2 thread blocks'
  imports --partial && exits 0 && out_has '1 thread blocks of the grids are not in the trace'
  { head_of k 1 32 0 8 70 4 0; WARPS=2 block 0 "$exit"; } | one; refused 25 'warp = n'
  { head_of k 1 32 0 8 70 4 0; block 0 "$exit" | sed 's/insts = 1/insts = 0/'; } | one; refused 23 'more instructions'
  { head_of k 1 32 0 8 70 4 0; block 0 "$exit" | sed '/END/d'; } | one; refused 25 'inside a thread block'
  for bad in 'xyz ffffffff 0 EXIT 0 0' '0000 fffffffff 0 EXIT 0 0' '0000 ffffffff 9 EXIT 0 0' '0000 ffffffff 1 P0 MOV 0 0' \
    '0000 ffffffff 1 R1 4 0 0' '0000 ffffffff 1 R1 LDG 0' '0000 ffffffff 1 R1 LDG 0 64 1 0x0 4' '0000 ffffffff 1 R1 LDG 0 4' \
    '0000 ffffffff 1 R1 LDG 0 4 3 0x0 4' '0000 0000000f 1 R1 LDG 0 4 0 0x0 0x4 0x8' '0000 0000000f 1 R1 LDG 0 4 2 0x0 4 4' \
    '0000 0000000f 1 R1 LDG 0 4 1 0xffffffffffff0000 4' '0000 ffffffff 0 EXIT 0 0 1 2' '0000 ffffffff 0 BAR.CLASS99 0 0' \
    '0000 ffffffff 1 R99999999999 MOV 0 0'; do
    { head_of k 1 32 0 8 70 4 0; block 0 "$bad"; } | one; refused 23 ''
  done
  { head_of k 1 32 0 8 70 4 0; block 0 "$(head -c 100000 /dev/zero | tr '\0' 0)"; } | one; refused 23 'a line of more than'
  echo kernel-9.traceg >"$tmp/t/kernelslist.g" && imports && exits 2 && err_has 'kernelslist.g:1:' && err_has 'kernel-9.traceg is not there'
  echo kernel-9.trace >"$tmp/t/kernelslist.g" && imports && exits 2 && err_has 'post-traces-processing'
  echo MemcpyHtoD,12 >"$tmp/t/kernelslist.g" && imports && exits 2 && err_has 'kernelslist.g:1:'
  : >"$tmp/t/kernelslist.g" && imports && exits 2 && err_has 'no line names a kernel'
}

an_exported_stream_is_read_by_others_and_gives_the_same_statistics() {
  for what in $kernels/ttiled_512.yaml $kernels/matmul_128.yaml histogram256 scan kmeans blackscholes-vector mars-wl4; do
    run "$sluice" trace record "$what" --gpu v100 -o "$tmp/a.stream" --quiet && exits 0
    rm -rf "$tmp/out.d"
    run "$sluice" trace export "$tmp/a.stream" -o "$tmp/out.d" && exits 0
    run "$sluice" trace import "$tmp/out.d/kernelslist.g" -o "$tmp/b.stream" --quiet && exits 0
    for s in a b; do
      run "$sluice" run "$tmp/$s.stream" --gpu v100 --quiet --csv "$tmp/$s.csv" && exits 0
      # registers that hold constants, or that the instruction before read, are known within a block, and a trace has none
      grep -v ',sim\.\|,registers.from,\|,footprint,\|,registers.reads,\|,registers.reused,\|,registers.others,\|,energy\.\|,power\.' "$tmp/$s.csv" >"$tmp/$s.kept"
    done
    cmp -s "$tmp/a.kept" "$tmp/b.kept" || fail "$what: $(diff "$tmp/a.kept" "$tmp/b.kept" | head -4)"
    [ -n "$(total "$tmp/a.csv" cycles)" ] || fail "$what: no cycles"
    # kernels ctas warp_instructions thread_instructions global_accesses global_sectors shared_accesses
    run "$reader" "$tmp/out.d/kernelslist.g" && exits 0
    want=$(for n in ctas warp_instructions thread_instructions global.accesses global.sectors shared.accesses; do
      total "$tmp/a.csv" $n
    done | xargs | sed "s/^/$(awk -F, '$3 == "ctas" && $1 != "total"' "$tmp/a.csv" | wc -l) /")
    case "$(cat "$tmp/out")" in "$want "*) ;; *) fail "$what: read $(cat "$tmp/out"), counted $want" ;; esac
  done
}

a_trace_cut_anywhere_is_refused() {
  run "$sluice" trace record $kernels/ttiled_512.yaml --gpu v100 -o "$tmp/a.stream" --quiet
  rm -rf "$tmp/out.d" && run "$sluice" trace export "$tmp/a.stream" -o "$tmp/out.d" --quiet && exits 0
  mkdir -p "$tmp/t" && echo kernel-1.traceg >"$tmp/t/kernelslist.g"
  head -c 40000 "$tmp/out.d/kernel-1.traceg" >"$tmp/whole"
  i=1
  while [ $i -lt 40000 ]; do
    head -c $i "$tmp/whole" >"$tmp/t/kernel-1.traceg"
    imports --quiet && exits 2 && err_has 'kernel-1.traceg:'
    i=$((i + 1777))
  done
}

export_refuses_what_accelsim_has_no_words_for() {
  run "$sluice" trace record $kernels/ttiled_512.yaml --warp-width 64 -o "$tmp/wide.stream" --quiet && exits 0
  run "$sluice" trace export "$tmp/wide.stream" -o "$tmp/w.d"
  exits 2 && err_has 'warps of 32'
  run "$sluice" trace export "$tmp/wide.stream"
  exits 2 && err_has 'name the folder'
}

tests a_small_trace_is_counted_as_arithmetic_says three_ways_to_write_addresses_are_the_same \
  packed_kernels_are_read_like_plain_ones registers_and_shared_memory_limit_ctas registers_make_instructions_wait \
  opcodes_that_are_not_known_are_named_and_counted kernels_of_several_streams_follow_each_other a_run_says_what_means_less \
  damaged_traces_are_refused_with_file_and_line an_exported_stream_is_read_by_others_and_gives_the_same_statistics \
  a_trace_cut_anywhere_is_refused export_refuses_what_accelsim_has_no_words_for
finish
