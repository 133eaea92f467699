#!/bin/sh
# A sweep killed at 50 random moments ends with the database of an undisturbed one.
KILLS=${KILLS:-50} exec "$(dirname "$0")/../e2e/sweep.sh" "$@"
