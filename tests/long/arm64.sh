#!/bin/sh
# arm64: cross-compiles everything, runs the unit tests and the kernels under qemu, and compares all results
# with this machine's. Libraries for arm64 are unpacked into build-arm64/sys; the system stays as it is.
#   arm64.sh SLUICE
set -eu
cd "$(dirname "$0")/../.."
sluice=$1 dir=$PWD/build-arm64 failed=0
sys=$dir/sys
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
skip() {
  echo "SKIPPED: arm64: $*"
  exit 77
}

[ "$(uname -m)" = x86_64 ] || skip "only from x86-64"
scripts/setup cross >"$tmp/log" 2>&1 || skip "cannot install the cross compiler: $(tail -n 1 "$tmp/log")"
for c in qemu-aarch64 aarch64-linux-gnu-gcc; do command -v $c >/dev/null || skip "no $c"; done

apt_arm64() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$sys/lists" \
    -o Dir::State::status="$sys/status" -o Dir::Cache="$sys/cache" -o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}

fetch() {
  rm -rf "$sys"
  mkdir -p "$sys/lists/partial" "$sys/cache/archives/partial" "$sys/debs"
  : >"$sys/status"
  apt_arm64 update >"$tmp/log" 2>&1 || return 1
  (cd "$sys/debs" && apt_arm64 download libyaml-dev libyaml-0-2 libcmocka-dev libcmocka0 libzstd-dev libzstd1 liblzma-dev liblzma5 \
    libsqlite3-dev libsqlite3-0) \
    >"$tmp/log" 2>&1 || return 1
  for f in "$sys"/debs/*.deb; do dpkg -x "$f" "$sys/root"; done
  rm -rf "$sys/lists" "$sys/cache" "$sys/debs"
}
[ -d "$sys/root" ] || fetch || skip "cannot fetch the libraries: $(tail -n 1 "$tmp/log")"

lib=$sys/root/usr/lib/aarch64-linux-gnu
wrapper="'qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', 'LD_LIBRARY_PATH=$lib'"
mkdir -p "$dir"
cat >"$dir/cross.ini" <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = [$wrapper]
[properties]
sys_root = '$sys/root'
pkg_config_libdir = '$lib/pkgconfig'
[built-in options]
c_args = ['-isystem', '$sys/root/usr/include']
c_link_args = ['-L$lib', '-Wl,-rpath-link,$lib']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
[ -f "$dir/build/build.ninja" ] || meson setup "$dir/build" --cross-file "$dir/cross.ini" --buildtype=release \
  >"$tmp/log" 2>&1 || { cat "$tmp/log" && exit 1; }
ninja -C "$dir/build" --quiet

# The unit tests, the golden arithmetic among them, and the corpora.
meson test -C "$dir/build" --no-rebuild --print-errorlogs --suite unit --suite fuzz --timeout-multiplier 10 ||
  failed=1

cat >"$tmp/sluice" <<END
#!/bin/sh
exec qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$lib $dir/build/sluice "\$@"
END
chmod +x "$tmp/sluice"
tests/e2e/results.sh "$tmp/sluice" "$tmp/arm64"
tests/e2e/results.sh "$sluice" "$tmp/here"
diff -r "$tmp/here" "$tmp/arm64" || exit 1
echo "arm64: $(find "$tmp/arm64" -name '*.txt' | wc -l) kernel runs give the same as on $(uname -m)"
exit $failed
