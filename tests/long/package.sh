#!/bin/sh
# make deb and make archive: the package installs, runs and goes again in a system of its own (the machine's, with all changes
# in a folder that is thrown away); the archive's command needs no library.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
check() { # what command...
  what=$1
  shift
  if "$@" >"$tmp/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $what: $(tail -3 "$tmp/log")"; fi
}

check "make deb" make deb
deb=$PWD/$(tail -n 1 "$tmp/log")
check "the package names its libraries" sh -c "dpkg-deb -f '$deb' Depends | grep -q libsqlite3"
check "docs and examples are in it" sh -c "dpkg-deb -c '$deb' | grep -q 'share/doc/sluice/examples/sweep.yaml'"

cat >"$tmp/inside" <<'END'
set -e
dpkg -i /tmp/sluice.deb
cd /tmp
sluice --version
sluice run /usr/share/doc/sluice/examples/gpgpusim/matmul_128.yaml --quiet
sluice run spmv --gpu cart28 --with cart --quiet
sluice new technique mine && make -C mine
dpkg -r sluice
[ ! -e /usr/bin/sluice ]
END
if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/up" "$tmp/work" "$tmp/root" && mount -t tmpfs tmpfs "$tmp/work" 2>/dev/null; then
  mkdir "$tmp/work/up" "$tmp/work/work"
  if mount -t overlay overlay -o "lowerdir=/,upperdir=$tmp/work/up,workdir=$tmp/work/work" "$tmp/root" 2>/dev/null; then
    mount --bind /proc "$tmp/root/proc"
    mount --bind /dev "$tmp/root/dev"
    cp "$deb" "$tmp/root/tmp/sluice.deb"
    cp "$tmp/inside" "$tmp/root/tmp/inside"
    check "the package in a system of its own" chroot "$tmp/root" sh /tmp/inside
    umount "$tmp/root/proc" "$tmp/root/dev" "$tmp/root"
  else
    echo "skipped: no overlay file system here"
  fi
  umount "$tmp/work"
else
  echo "skipped: needs root"
fi

check "make archive" make archive
archive=$(tail -n 1 "$tmp/log")
tar -C "$tmp" -xzf "$archive"
check "the command is static" sh -c "! ldd '$tmp'/sluice-*/bin/sluice"
check "the command runs" sh -c "cd / && '$tmp'/sluice-*/bin/sluice run spmv --quiet"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
