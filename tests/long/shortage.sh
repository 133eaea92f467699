#!/bin/sh
# Memory ends at every place where the library asks for some, of runs, recordings, replays, launches and the DRAM: each is an error, and nothing is left.
#   shortage.sh SLUICE
set -eu
cd "$(dirname "$0")/../.."
SLUICE_EVERY=1 "$(dirname "$1")/tests/test_shortage"
