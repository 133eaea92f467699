#!/bin/sh
# Sweeps on a Slurm cluster of three nodes, which is installed if it is not there.
cd "$(dirname "$0")/../.." || exit 1
log=$(mktemp)
scripts/setup slurm >"$log" 2>&1 || echo "cannot install Slurm: $(tail -n 1 "$log")"
rm -f "$log"
LONG=1 exec tests/e2e/slurm.sh "$@"
