#!/bin/sh
# Plugins of other versions of the technique interface: older ones of the same number work, all others are refused by name.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
kernel=examples/gpgpusim/vecadd_1M.yaml

# older STATEMENT: makes the plugin, and runs with it
older() {
  ${CC:-cc} -O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -Iinclude "-DAS=$1" tests/e2e/older.c -o "$tmp/older.so" ||
    fail "it does not compile"
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$tmp/older.so" --with older:nth=4 --json "$tmp/older.json"
}

# vecadd_1M: 2 loads of 1,048,576 / 32 warps; each SM counts to 4 by itself, 15 SMs have at most one bypass more.
a_plugin_of_an_older_header_works() {
  older ""
  exits 0
  loads=$(json older.loads "$tmp/older.json") bypassed=$(json older.bypassed "$tmp/older.json")
  [ "$loads" -eq 65536 ] || fail "$loads loads instead of 65536"
  [ "$bypassed" -ge 16384 ] && [ "$bypassed" -lt 16399 ] || fail "$bypassed bypassed of $loads"
  [ "$(json older.storage_bits "$tmp/older.json")" -eq 900 ] || fail "not 20 arrays of 3 bits on 15 SMs"
}

# counts PLUGIN: vecadd_1M: 65,536 loads, one of four bypasses the L1; 3 bits on each of 15 SMs; what the controllers serve is what they read and write.
counts() {
  run "$sluice" run $kernel --gpu fermi15 --quiet --plugin "$1" --with counts:nth=4 --json "$tmp/counts.json"
  exits 0
  [ "$(json counts.loads "$tmp/counts.json")" -eq 65536 ] || fail "$1: $(json counts.loads "$tmp/counts.json") loads"
  bypassed=$(json counts.bypassed "$tmp/counts.json")
  [ "$bypassed" -ge 16384 ] && [ "$bypassed" -lt 16399 ] || fail "$1: $bypassed bypassed"
  [ "$(json counts.storage_bits "$tmp/counts.json")" -eq 45 ] || fail "$1: not 3 bits on 15 SMs"
  served=$(json counts.served "$tmp/counts.json")
  [ "$served" -eq $(($(json dram.reads "$tmp/counts.json") + $(json dram.writes "$tmp/counts.json"))) ] || fail "$1: $served requests served"
}

# The header and the plugin are those of 0.2's first day; fields have been added since.
a_plugin_kept_from_0_2_works() {
  ${CC:-cc} -O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -Itests/abi/0.2 tests/abi/counts.c -o "$tmp/counts.so" ||
    fail "it does not compile"
  counts "$tmp/counts.so"
  [ "$(uname -s) $(uname -m)" != "Linux x86_64" ] || counts tests/abi/counts-x86_64.so
}

a_plugin_of_a_later_header_is_refused() {
  older 't.size = sizeof t + 8'
  exits 2
  err_has "was built with a later header than this program: struct sluice_technique has"
  older 't.request_size += 8'
  exits 2
  err_has "technique 'older' was built with a later header than this program: struct sluice_request has"
  err_has "recompile it with this program's sluice_technique.h"
}

a_table_without_its_size_is_refused() {
  older 't.param_size = 0'
  exits 2
  err_has "technique 'older': struct sluice_param does not tell its size"
  older 'bypass.size = 0; t.l1_bypass = cut(&bypass, 64)'
  exits 2
  err_has "technique 'older': struct sluice_l1_bypass does not tell its size"
}

# The first two words of all interfaces so far: number and size.
a_plugin_of_another_interface_is_refused_by_name() {
  for abi in 1 3 5; do
    printf 'unsigned t[64] = {%d, 200};\nvoid *sluice_plugin(void) { return t; }\n' $abi >"$tmp/abi$abi.c"
    ${CC:-cc} -shared -fPIC "$tmp/abi$abi.c" -o "$tmp/abi$abi.so" || fail "it does not compile"
    run "$sluice" run $kernel --plugin "$tmp/abi$abi.so"
    exits 2
    err_has "$tmp/abi$abi.so was built for version $abi of the technique interface, this program has version 4: recompile its source with the sluice_technique.h of this program (sluice $("$sluice" --version | sed 's/sluice //'))"
  done
  printf 'void *sluice_plugin(void) { return 0; }\n' >"$tmp/null.c"
  ${CC:-cc} -shared -fPIC "$tmp/null.c" -o "$tmp/null.so" || fail "it does not compile"
  run "$sluice" run $kernel --plugin "$tmp/null.so"
  exits 2
  err_has "$tmp/null.so gives no technique"
}

tests a_plugin_of_an_older_header_works a_plugin_kept_from_0_2_works a_plugin_of_a_later_header_is_refused a_table_without_its_size_is_refused \
  a_plugin_of_another_interface_is_refused_by_name
finish
