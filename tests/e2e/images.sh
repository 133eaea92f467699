#!/bin/sh
# Images in the timing model: how they lie in memory and which cache they come through changes what a kernel costs, never what it
# computes. Counts follow from the layout.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
app=$(dirname "$sluice")/tests/app_images
[ -x "$app" ] || { echo "built without OpenCL: nothing to test" && exit 77; }
XDG_CACHE_HOME=$(dirname "$(realpath "$sluice")")/cache
export XDG_CACHE_HOME ASAN_OPTIONS=detect_leaks=0

# timed KERNEL OPTIONS...: runs it, 128 x 128 texels; value NAME gives a statistic
timed() {
  kernel=$1
  shift
  run "$sluice" exec --json "$tmp/json" "$@" -- "$app" "$kernel" 128
  exits 0
}
value() { sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$tmp/json" | tail -1; } # the statistic, not the parameter of the same name

# 512 warps read 32 texels of a column each. In rows of 512 bytes every texel lies in a line of its own. A line of 128 bytes
# holds 32 bytes by 4 rows of a GOB, and 8 by 4 texels of a tile.
layouts_change_the_cost_and_not_the_result() {
  timed turn --gpu gtx480 --set host.image_layout=pitch
  out_has "turn 1040384.0" # (7.5 * 8 + 3.5) * 128 * 128
  cp "$tmp/out" "$tmp/first"
  [ "$(value "l1t.accesses")" -eq $((512 * 32)) ] || fail "in rows: $(value "l1t.accesses") line accesses"
  for layout in block_linear tiles; do
    timed turn --gpu gtx480 --set host.image_layout=$layout
    cmp -s "$tmp/first" "$tmp/out" || fail "the layout changed the result"
    [ "$(value "l1t.accesses")" -eq $((512 * 8)) ] || fail "$layout: $(value "l1t.accesses") line accesses"
    [ "$(value "l1t.misses")" -eq $((128 * 128 * 4 / 128)) ] || fail "$layout: a line is missed twice"
  done
}

fermi_has_a_texture_cache() {
  timed rotate --gpu gtx480
  cp "$tmp/out" "$tmp/first"
  [ "$(value "l1t.accesses")" -gt 1000 ] || fail "l1t.accesses is $(value "l1t.accesses")"
  [ "$(value "l1t.accesses")" -eq "$(($(value "l1t.hits") + $(value "l1t.misses") + $(value "l1t.merges")))" ] ||
    fail "accesses are not hits, misses and merges"
  small=$(value "l1t.misses")
  timed rotate --gpu gtx480 --set l1t.ways=2
  [ "$(value "l1t.misses")" -gt "$small" ] || fail "a texture cache of 1 KB misses no more than one of 12 KB"
  cmp -s "$tmp/first" "$tmp/out" || fail "the cache changed the result"
  timed rotate --gpu gtx480
  cycles=$(value "cycles")
  timed rotate --gpu gtx480 --set l1t.latency=300
  [ "$(value "cycles")" -gt "$cycles" ] || fail "hits that take 300 cycles cost nothing"
  timed rotate --gpu gtx480 --set l1t.on=false
  [ "$(value "l1t.accesses")" -eq 0 ] || fail "l1t.accesses without a texture cache"
  cmp -s "$tmp/first" "$tmp/out" || fail "the cache changed the result"
}

tests layouts_change_the_cost_and_not_the_result fermi_has_a_texture_cache
finish
