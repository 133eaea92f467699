#!/bin/sh
# The command line: help, mistakes, documentation of itself.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh

version_is_printed() {
  run "$sluice" --version
  exits 0
  grep -qE '^sluice [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out" || fail "$(cat "$tmp/out")"
}

every_command_has_help_with_an_example() {
  run "$sluice" --help
  exits 0
  for c in $(sed -n '/^Commands:/,/^$/s/^  \([a-z-]\{1,\}\).*/\1/p' "$tmp/out"); do
    run "$sluice" "$c" --help
    exits 0
    out_has "Usage: sluice $c"
    out_has "Examples:"
    err_empty
  done
}

no_command_shows_help_and_is_a_mistake() {
  run "$sluice"
  exits 2
  err_has "Usage: sluice COMMAND"
}

a_mistyped_word_gets_the_nearest_one() {
  run "$sluice" lits
  exits 2
  err_has "unknown command 'lits'; did you mean 'list'?"
  run "$sluice" list parms
  exits 2
  err_has "did you mean 'params'?"
  run "$sluice" list params --jsno
  exits 2
  err_has "unknown option '--jsno'; did you mean '--json'?"
}

options_are_checked() {
  run "$sluice" list params --json=3
  exits 2
  err_has "takes no value"
  run "$sluice" list params --json --json
  exits 2
  err_has "given twice"
  run "$sluice" list -- --json
  exits 2
  err_has "no list '--json'"
}

lists_come_as_table_json_and_markdown() {
  for what in params stats; do
    run "$sluice" list "$what"
    exits 0
    run "$sluice" list "$what" --json
    exits 0
    out_has '"name": "'
    run "$sluice" list "$what" --markdown
    exits 0
    out_has '| --- |'
  done
}

completion_scripts_know_every_option() {
  run "$sluice" completion bash
  exits 0
  cp "$tmp/out" "$tmp/bash"
  out_has "--markdown"
  if command -v bash >/dev/null; then
    bash -n "$tmp/bash" || fail "bash does not read it"
    # shellcheck disable=SC2016
    run bash -c '. "$1"; COMP_WORDS=(sluice list --js); COMP_CWORD=2; _sluice; echo "${COMPREPLY[*]}"' - "$tmp/bash"
    [ "$(cat "$tmp/out")" = "--json" ] || fail "completes --js to: $(cat "$tmp/out" "$tmp/err")"
  fi
  run "$sluice" completion zsh
  exits 0
  out_has "#compdef sluice"
  run "$sluice" completion fish
  exits 2
}

the_man_page_names_every_exit_code() {
  run "$sluice" manpage
  exits 0
  out_has ".TH SLUICE 1"
  out_has "EXIT STATUS"
  out_has "\\-\\-markdown"
}

a_failed_write_is_an_error() {
  [ -w /dev/full ] || return 0
  code=0
  "$sluice" list params >/dev/full 2>"$tmp/err" || code=$?
  exits 1
  err_has "standard output: cannot write"
}

documentation_is_current() {
  scripts/docs "$tmp/docs" "$sluice" || fail "scripts/docs failed"
  for f in "$tmp"/docs/*.md; do
    cmp -s "$f" "docs/${f##*/}" || fail "docs/${f##*/} is out of date: run make docs"
  done
}

tests version_is_printed every_command_has_help_with_an_example no_command_shows_help_and_is_a_mistake \
  a_mistyped_word_gets_the_nearest_one options_are_checked lists_come_as_table_json_and_markdown \
  completion_scripts_know_every_option the_man_page_names_every_exit_code a_failed_write_is_an_error \
  documentation_is_current
finish
