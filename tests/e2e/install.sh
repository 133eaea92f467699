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
  for f in /bin/sluice /include/sluice.h /include/sluice_stream.h /include/sluice_dram.h /include/sluice_technique.h /libsluice.a /libsluice.so.0 /pkgconfig/sluice.pc /man1/sluice.1 /bash-completion/completions/sluice \
    /site-functions/_sluice /presets/dram/gddr5-gtx480.yaml /presets/gpu/gtx480.yaml /libsluice-opencl.so /OpenCL/vendors/sluice.icd /pkgconfig/sluice-opencl.pc \
    /doc/sluice/docs/lab.md /doc/sluice/examples/sweep.yaml /doc/sluice/README.md; do
    installed "$f"
  done
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

# The examples of docs/library.md, with both libraries, as C and as C++; they print what the command prints.
examples_of_the_page_run() {
  awk -v to="$tmp/" '/^```c /{f = to $2 ".c"; next} /^```$/{f = ""} f{print > f}' docs/library.md
  for gpu in "" "--with cart"; do
    # shellcheck disable=SC2086 # an option and its value
    "$sluice" run bfs --gpu cart28 $gpu --quiet --json "$tmp/bfs.json" || fail "bfs does not run"
    json ipc "$tmp/bfs.json"
  done >"$tmp/ipc"
  lib=$(dirname "$(find "$root" -name libsluice.a)")
  for example in bfs watch dram; do
    for language in "cc -std=c11 -x c" "c++ -std=c++20 -Wno-missing-field-initializers -x c++"; do
      command -v "${language%% *}" >/dev/null || continue
      for kind in static shared; do
        # shellcheck disable=SC2046,SC2086 # flags are words
        if [ $kind = static ]; then
          run $language -Wall -Wextra -Werror "$tmp/$example.c" -x none -o "$tmp/program" $(sed "s,-lsluice,-l:libsluice.a," "$tmp/flags")
        else
          run $language -Wall -Wextra -Werror "$tmp/$example.c" -x none -o "$tmp/program" $(cat "$tmp/flags")
          readelf -d "$tmp/program" | grep -q 'NEEDED.*libsluice.so.0' || fail "$example does not ask for libsluice.so.0"
        fi
        exits 0
        run env LD_LIBRARY_PATH="$lib" "$tmp/program"
        exits 0
        if [ $example = bfs ]; then
          out_has "$(printf 'cart28 %.6f, with CART %.6f' $(cat "$tmp/ipc"))"
        elif [ $example = dram ]; then
          out_has "1000 reads in"
        fi
      done
    done
  done
}

# Programs have every other name to themselves.
libraries_export_their_own_names_only() {
  nm --defined-only --extern-only "$(find "$root" -name libsluice.a)" | sed -n 's/.* [A-Z] //p' | grep -v '^sluice_' >"$tmp/names"
  [ ! -s "$tmp/names" ] || fail "libsluice.a exports $(head -3 "$tmp/names")"
  nm -D --defined-only --extern-only "$(find "$root" -name libsluice.so)" | sed 's/.* //; s/@.*//' | grep -v '^sluice_\|^SLUICE_0$' >"$tmp/names"
  [ ! -s "$tmp/names" ] || fail "libsluice.so exports $(head -3 "$tmp/names")"
  sed -n 's/^SLUICE_API.*[ *]\(sluice_[a-z_]*\)(.*/\1/p' include/*.h | sort -u >"$tmp/declared"
  [ "$(wc -l <"$tmp/declared")" -gt 40 ] || fail "$(wc -l <"$tmp/declared") functions are declared"
  for kind in a so; do
    nm --defined-only --extern-only "$(find "$root" -name libsluice.$kind)" >"$tmp/names" 2>/dev/null
    [ -s "$tmp/names" ] || nm -D --defined-only "$(find "$root" -name libsluice.$kind)" >"$tmp/names"
    while read -r name; do
      grep -q " $name\(@.*\)\{0,1\}$" "$tmp/names" || fail "libsluice.$kind has no $name"
    done <"$tmp/declared"
  done
}

handles_run_on_threads_and_without_memory() {
  # shellcheck disable=SC2046 # flags are words
  run cc -std=gnu11 -Wall -Wextra -Werror -o "$tmp/program" tests/library/threads.c $(cat "$tmp/flags")
  exits 0
  run env LD_LIBRARY_PATH="$lib" "$tmp/program"
  exits 0
  out_has "6 handles"
  # shellcheck disable=SC2046 # flags are words
  run cc -std=gnu11 -Wall -Wextra -Werror -o "$tmp/program" tests/library/memory.c $(sed "s,-lsluice,-l:libsluice.a," "$tmp/flags") \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
  exits 0
  run "$tmp/program"
  exits 0
  out_has "failures, then"
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
  examples_of_the_page_run libraries_export_their_own_names_only handles_run_on_threads_and_without_memory \
  an_installed_driver_is_found_by_exec_and_by_its_icd_file the_header_is_cplusplus_too \
  uninstall_leaves_nothing another_prefix_is_obeyed_after_the_build
finish
