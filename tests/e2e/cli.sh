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

lists_can_be_of_a_beginning_of_names() {
  run "$sluice" list params l1d.m && exits 0 && out_has 'l1d.mshrs' && out_has 'l1d.merges'
  ! grep -q '^l2' "$tmp/out" || fail "other names, too"
  run "$sluice" list stats zzz && exits 2 && err_has "no name begins with 'zzz'"
  run "$sluice" list devices && exits 0 && out_has hbm3e-9200
  run "$sluice" list controllers && exits 0 && out_has like-ramulator2
}

a_reader_that_leaves_is_no_mistake() {
  { "$sluice" list params 2>"$tmp/err"; echo $? >"$tmp/code"; } | head -n 1 >/dev/null
  err_empty
  case $(cat "$tmp/code") in 0 | 141) ;; *) fail "exit code $(cat "$tmp/code")" ;; esac
}

mistakes_say_what_to_do() {
  run "$sluice" run spmv --gpu rx540 --with cart && exits 2 && err_has "'nonblocking' and 'cart'" && err_has '--set tech.with=cart'
  run "$sluice" run spmv --gpu rx540 --set tech.with=cart --quiet && exits 0
  run "$sluice" run spmv --seed 99999999999999999999 && exits 2 && err_has 'too large'
}

# The kernel stores 7; 8 is expected.
a_launch_file_need_not_be_verified() {
  printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .u64 %%d<2>; .reg .u32 %%r<2>;
    ld.param.u64 %%d1, [p]; mov.u32 %%r1, 7; st.global.u32 [%%d1], %%r1; ret; }\n' >"$tmp/v.ptx"
  printf 'ptx: v.ptx\nbuffers: {o: {type: u32, count: 1}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [o]}]
outputs: [{buffer: o, equals: {value: 8}}]\n' >"$tmp/v.yaml"
  run "$sluice" run "$tmp/v.yaml" --quiet && exits 1
  run "$sluice" run "$tmp/v.yaml" --quiet --no-verify && exits 0
}

results_say_what_made_them() {
  run "$sluice" run spmv --quiet --json "$tmp/m.json" --set 'l2.warm=false' && exits 0
  grep -q '"sim.command": "sluice run spmv --quiet --json .* --set l2.warm=false"' "$tmp/m.json" || fail "no command line"
  grep -q '"sim.model": "' "$tmp/m.json" || fail "no model"
  grep -qE '"sim.date": "20[0-9-]+T[0-9:]+Z"' "$tmp/m.json" || fail "no date"
}

sweeps_keep_to_the_processors_they_are_given() {
  printf 'workloads: spmv\n' >"$tmp/p.yaml"
  run env SLURM_CPUS_PER_TASK=1 "$sluice" sweep "$tmp/p.yaml" --plan && exits 0 && out_has 'with 1 at once'
  command -v taskset >/dev/null || return 0
  run taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" "$sluice" sweep "$tmp/p.yaml" --plan && exits 0 && out_has 'with 1 at once'
}

a_stream_that_cannot_be_read_is_executed_again() {
  XDG_CACHE_HOME=$tmp/cache run "$sluice" sweep "$tmp/p.yaml" --db "$tmp/p.db" && exits 0
  for f in "$tmp"/cache/sluice/streams/*.stream; do rm "$f" && mkdir "$f" && touch "$f/x"; done
  rm "$tmp/p.db"
  XDG_CACHE_HOME=$tmp/cache run "$sluice" sweep "$tmp/p.yaml" --db "$tmp/p.db" && exits 0 && out_has '1 done (1 run now'
}

completion_knows_names() {
  run "$sluice" completion bash && exits 0
  for name in spmv bucl l1d.sets= hbm3e-9200; do out_has "$name"; done
  command -v bash >/dev/null && bash -n "$tmp/out"
  run "$sluice" completion zsh && exits 0 && out_has 'kmeans-point'
}

# The command, the headers, the newest entry of the changelog and the citation.
versions_agree() {
  version=$("$sluice" --version | sed 's/^sluice \([0-9.]*\).*/\1/')
  macros=$(sed -n 's/^#define SLUICE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/sluice_api.h | paste -sd.)
  [ "$macros" = "$version" ] || fail "sluice_api.h has $macros, the command $version"
  grep -m1 '^## ' CHANGELOG.md | grep -qE "^## $version, 20[0-9]{2}-[0-9]{2}-[0-9]{2}\$" || fail "CHANGELOG.md begins with $(grep -m1 '^## ' CHANGELOG.md)"
  grep -qx "version: $version" CITATION.cff || fail "CITATION.cff is of $(grep ^version CITATION.cff)"
}

tests versions_agree lists_can_be_of_a_beginning_of_names a_reader_that_leaves_is_no_mistake mistakes_say_what_to_do \
  a_launch_file_need_not_be_verified results_say_what_made_them sweeps_keep_to_the_processors_they_are_given \
  a_stream_that_cannot_be_read_is_executed_again completion_knows_names \
  version_is_printed every_command_has_help_with_an_example no_command_shows_help_and_is_a_mistake \
  a_mistyped_word_gets_the_nearest_one options_are_checked lists_come_as_table_json_and_markdown \
  completion_scripts_know_every_option the_man_page_names_every_exit_code a_failed_write_is_an_error \
  documentation_is_current
finish
