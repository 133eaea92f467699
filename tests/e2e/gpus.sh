#!/bin/sh
# GPUs by name: every preset loads, says where its values come from, and runs.
set -u
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
gpus="cart28 fermi15 gtx480 h200 hd7770 hd7770m2s hd7870 mars24 mars40 mars64 rata80 rx540 rx570 v100 vega64"

every_preset_is_listed() {
  for form in "" --markdown --json; do
    # shellcheck disable=SC2086 # no option is no word
    run "$sluice" list gpus $form
    exits 0
    for f in presets/gpu/*.yaml; do
      out_has "$(basename "$f" .yaml)"
    done
  done
  [ "$(for f in presets/gpu/*.yaml; do basename "$f" .yaml; done | LC_ALL=C sort | tr '\n' ' ')" = "$gpus " ] || fail "presets without a test"
  run "$sluice" completion bash
  out_has "$gpus"
}

every_value_has_a_source() {
  for f in presets/gpu/*.yaml; do
    grep -nE '^ *[a-z0-9_]+: [^#]*$' "$f" && fail "$f: values without a source"
    [ "$(grep -cE '^# (Source|Not modelled): ' "$f")" -eq 2 ] || fail "$f: its head names no source or no gaps"
  done
}

# A value that cites a configuration of another simulator is in it: tests/sources.txt has what those say.
cited_values_are_those_of_the_source() {
  tab=$(printf '\t')
  for g in v100 rata80 cart28 fermi15; do
    awk '/^ *[a-z0-9_]+:/ {
      match($0, /^ */); depth = RLENGTH / 2; rest = substr($0, RLENGTH + 1); name[depth] = rest; sub(/:.*/, "", name[depth])
      if (rest !~ /#/) next
      value = rest; sub(/^[a-z0-9_]+: */, "", value); sub(/ *#.*/, "", value); sub(/^[^#]*# */, "", rest); sub(/:.*/, "", rest)
      path = name[0]; for (i = 1; i <= depth; i++) path = path "." name[i]
      print rest "\t" path "\t" value "\t" }' "presets/gpu/$g.yaml" >"$tmp/cited"
    n=0
    while IFS=$tab read -r source name value rest; do
      case $source in "Accel-Sim SM7_QV100" | "GPGPU-Sim 3 GTX480") ;; *) continue ;; esac
      n=$((n + 1))
      grep -qF "$source$tab$name$tab$value$tab" tests/sources.txt || fail "$g: $name: $value is not what $source has"
    done <"$tmp/cited"
    [ $n -gt 40 ] || fail "$g: $n values with a source"
  done
}

# Each value of the file is in the echo, with the file's name and line.
values_name_their_preset() {
  for g in $gpus; do
    run "$sluice" run --gpu "$g" --echo-config
    exits 0
    err_empty
    [ "$(grep -c "# presets/gpu/$g.yaml:" "$tmp/out")" = "$(grep -cE '^ *[a-z0-9_]+: +[^ #]' "presets/gpu/$g.yaml")" ] ||
      fail "$g: not every value is there"
  done
}

layers_win_in_order() {
  echo 'gpu: {sms: 7}' >"$tmp/c.yaml"
  run "$sluice" run --config "$tmp/c.yaml" --set l2.ways=12 --gpu v100 --echo-config
  exits 0
  grep -q "  sms: 7 .*# $tmp/c.yaml:1" "$tmp/out" || fail "--config does not win over --gpu"
  grep -q "  ways: 12 .*# --set" "$tmp/out" || fail "--set does not win over --gpu"
  grep -q "  threads: 2048 .*# presets/gpu/v100.yaml:" "$tmp/out" || fail "--gpu does not win over the default"
}

# Naming no GPU is naming the gtx480: every value and its origin, and every number of a run.
the_default_is_the_gtx480() {
  "$sluice" run --echo-config >"$tmp/a"
  "$sluice" run --gpu gtx480 --echo-config >"$tmp/b"
  diff "$tmp/a" "$tmp/b" || fail "the configurations differ"
  for k in histogram bfs transpose spmv tests/kernels/histogram.yaml examples/gpgpusim/matmul_128.yaml; do
    for g in "" "--gpu gtx480"; do
      # shellcheck disable=SC2086 # an option or none
      run "$sluice" run $k $g --json "$tmp/g.json"
      exits 0
      grep -v '"sim\.' "$tmp/g.json" >"$tmp/numbers$g"
    done
    diff "$tmp/numbers" "$tmp/numbers--gpu gtx480" >"$tmp/difference" || fail "$k: $(head -4 "$tmp/difference")"
  done
}

# The defaults of the parameters are its values, but for its allocator (buffers of --functional have gaps between them) and what it
# alone has of GPGPU-Sim's pipeline, caches and network: those are off, so that other GPUs are what their files say.
parameters_default_to_the_gtx480() {
  own='guard|align|big_align|keep_read_only|mem_queue|imul|sfu|cvt|logic|imad|imax|fma|fmax|froot|droot|stages|load_stages'
  own="$own|collectors|collectors_sfu|register_banks|result_buses|fetch_ahead|rotate_schedulers|latency_first|params|speedup"
  own="$own|sector_packets|join_writes|latency|segments"
  "$sluice" run --functional --echo-config | sed 's/ *#.*//' | grep -vE "^ *($own):" >"$tmp/a"
  "$sluice" run --gpu gtx480 --echo-config | sed 's/ *#.*//' | grep -vE "^ *($own):" >"$tmp/b"
  diff "$tmp/a" "$tmp/b" || fail "the defaults and gtx480 differ"
  "$sluice" run --functional --echo-config | grep -q '^  guard: 256 ' || fail "no gaps between buffers of --functional"
}

# Outputs are compared by the launch files; violated invariants would end the run with another code.
every_preset_runs() {
  for k in examples/gpgpusim/matmul_128 tests/kernels/histogram; do
    for g in $gpus; do
      run "$sluice" run "$k.yaml" --gpu "$g" --functional --json "$tmp/f.json" # as many lanes
      exits 0
      run "$sluice" run "$k.yaml" --gpu "$g" --max-cycles 1000000 --json "$tmp/g.json"
      exits 0
      grep -q '"status": "complete"' "$tmp/g.json" || fail "$g: $k is not complete"
      [ "$(json sm.issued "$tmp/g.json")" -gt 0 ] || fail "$g: $k issued nothing"
      for n in warp_instructions thread_instructions; do
        [ "$(json $n "$tmp/g.json")" -eq "$(json $n "$tmp/f.json")" ] || fail "$g: $k: $n differs"
      done
      for c in l1d l2; do
        [ "$(json $c.accesses "$tmp/g.json")" -eq \
          $(($(json $c.hits "$tmp/g.json") + $(json $c.misses "$tmp/g.json") + $(json $c.merges "$tmp/g.json"))) ] ||
          fail "$g: $k: $c accesses"
      done
    done
  done
}

# channels x bytes of the bus x transfers per command clock x MHz = MB/s; the headline of the data sheet in GB/s.
peak_bandwidth_is_the_data_sheets() {
  run "$sluice" list gpus
  while read -r g channels bytes transfers mhz sheet; do
    mbps=$((channels * bytes * transfers * mhz))
    [ $(((mbps + 500) / 1000)) = "$sheet" ] || fail "$g: $mbps MB/s, but the data sheet says $sheet GB/s"
    shown=$(sed -n "/^$g:/,/^\$/s/^  peak bandwidth  \([0-9]*\)\.\([0-9]\) GB.s\$/\1\2/p" "$tmp/out")
    [ "$shown" = $(((mbps + 50) / 100)) ] || fail "$g: $shown is listed, $mbps MB/s computed"
  done <<END
gtx480 6 8 4 924 177
fermi15 6 8 4 924 177
cart28 8 8 4 1150 294
v100 32 16 2 850 870
rata80 32 16 2 850 870
h200 188 4 4 1600 4813
mars64 2 8 2 1600 51
hd7770 4 4 2 1499 48
hd7870 8 4 2 1499 96
rx540 4 4 4 1499 96
rx570 16 4 4 1499 384
vega64 16 16 2 1000 512
END
}

a_wrong_name_gets_the_nearest() {
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu gtx48
  exits 2
  err_has "no GPU 'gtx48'; did you mean 'gtx480'?"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu something-else-entirely
  exits 2
  err_has "one of: cart28, fermi15, gtx480, h200, hd7770, hd7770m2s, hd7870, mars24, mars40, mars64, rata80, rx540, rx570, v100, vega64"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu "$tmp/none.yaml"
  exits 2
  printf 'gpu:\n  smz: 4\n' >"$tmp/wrong.yaml"
  run "$sluice" run examples/gpgpusim/matmul_128.yaml --gpu "$tmp/wrong.yaml"
  exits 2
  err_has "did you mean 'gpu.sms'?"
}

tests every_preset_is_listed every_value_has_a_source cited_values_are_those_of_the_source values_name_their_preset layers_win_in_order the_default_is_the_gtx480 \
  parameters_default_to_the_gtx480   every_preset_runs peak_bandwidth_is_the_data_sheets a_wrong_name_gets_the_nearest
finish
