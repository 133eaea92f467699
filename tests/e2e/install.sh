#!/bin/sh
# make install: what is there afterwards, and that others can build against it.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
build=$(dirname "$sluice")
root=$tmp/root

installed() { find "$root" -path "*$1" | grep -q . || fail "not installed: $1"; }

command_library_header_and_pages_are_installed() {
  run env DESTDIR="$root" meson install -C "$build" --no-rebuild
  exits 0
  for f in /bin/sluice /include/sluice.h /pkgconfig/sluice.pc /man1/sluice.1 /bash-completion/completions/sluice \
    /site-functions/_sluice /presets/dram/gddr5-gtx480.yaml /presets/gpu/gtx480.yaml /libsluice-opencl.so /OpenCL/vendors/sluice.icd /pkgconfig/sluice-opencl.pc \
    /doc/sluice/docs/lab.md /doc/sluice/examples/sweep.yaml /doc/sluice/README.md; do
    installed "$f"
  done
  find "$root" -name 'libsluice.*' | grep -q . || fail "no library"
  run "$(find "$root" -path '*/bin/sluice')" --version
  exits 0
}

a_program_builds_through_pkg_config_and_runs() {
  pc=$(dirname "$(find "$root" -name sluice.pc)")
  PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$pc pkg-config --static --cflags --libs sluice >"$tmp/flags" ||
    fail "pkg-config does not know it"
  # shellcheck disable=SC2046 # flags are words
  run cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$tmp/program" tests/e2e/installed.c $(cat "$tmp/flags")
  exits 0
  run env LD_LIBRARY_PATH="$(dirname "$pc")" "$tmp/program" examples/gpgpusim/kernels.ptx
  exits 0
  out_has "version $("$sluice" --version | sed 's/sluice //') loads 64"
}

an_installed_driver_is_found_by_exec_and_by_its_icd_file() {
  command -v clinfo >/dev/null || return 0
  run "$(find "$root" -path '*/bin/sluice')" exec -- clinfo -l
  exits 0
  out_has "Sluice"
  find "$root" -name libsluice-opencl.so >"$tmp/sluice.icd"
  run env OCL_ICD_VENDORS="$tmp/sluice.icd" SLUICE_GPU=v100 clinfo -l
  exits 0
  out_has "v100"
}

the_header_is_cplusplus_too() {
  command -v c++ >/dev/null || return 0
  printf '#include <sluice.h>\nint main() { return sluice_version() == 0; }\n' >"$tmp/x.cc"
  # shellcheck disable=SC2046 # flags are words
  run c++ -Wall -Wextra -Werror -o "$tmp/x" "$tmp/x.cc" $(cat "$tmp/flags")
  exits 0
}

# After all others: it removes what they installed.
uninstall_leaves_nothing() {
  cp "$build/meson-logs/install-log.txt" "$tmp/log" || fail "no list of what was installed"
  run scripts/uninstall "$build" && exits 0 && out_has 'files removed'
  [ "$(find "$root" -type f | wc -l)" -eq 0 ] || fail "left behind: $(find "$root" -type f | head -3)"
  [ "$(find "$root" -type d -name 'sluice*' | wc -l)" -eq 0 ] || fail "folders left behind: $(find "$root" -type d -name 'sluice*')"
}

another_prefix_is_obeyed_after_the_build() {
  mkdir "$tmp/project"
  echo "project('x')" >"$tmp/project/meson.build"
  meson setup "$tmp/project/b" "$tmp/project" --prefix=/usr/local >/dev/null || fail "no project"
  run scripts/prefix "$tmp/project/b" /opt/other && exits 0
  meson introspect "$tmp/project/b" --buildoptions | grep -q '"/opt/other"' || fail "the prefix is as it was"
}

tests command_library_header_and_pages_are_installed a_program_builds_through_pkg_config_and_runs \
  an_installed_driver_is_found_by_exec_and_by_its_icd_file the_header_is_cplusplus_too \
  uninstall_leaves_nothing another_prefix_is_obeyed_after_the_build
finish
