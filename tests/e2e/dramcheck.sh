#!/bin/sh
# The checker of command logs: it must find every rule broken, one at a time, and nothing else.
# tests/dramcheck/RULE.log and RULE-case.log break that rule alone, with their last command; where that is a
# distance, by one cycle.
# shellcheck source=tests/e2e/lib.sh
. tests/e2e/lib.sh
dramcheck=$(dirname "$sluice")/tools/dramcheck/dramcheck
[ -x "$dramcheck" ] || { echo "no command $dramcheck"; exit 1; }

# later FILE N: the log with its last command N cycles later
later() {
  awk -v n="$2" '{ line[NR] = $0 } END { for (i = 1; i < NR; i++) print line[i]; $0 = line[NR]; $1 += n; print }' "$1"
}

every_rule_has_a_broken_log() {
  run "$dramcheck" --rules
  exits 0
  while read -r rule _; do
    [ -f "tests/dramcheck/$rule.log" ] || fail "no log breaks $rule"
  done <"$tmp/out"
}

each_broken_log_breaks_exactly_its_rule() {
  for log in tests/dramcheck/*.log; do
    rule=${log##*/} rule=${rule%.log} rule=${rule%%-*}
    [ "$rule" = valid ] && continue
    run "$dramcheck" "$log"
    exits 1
    grep -q "^$log:.* $rule: " "$tmp/out" || fail "$log: $rule is not named: $(cat "$tmp/out")"
    out_has "1 violations: $rule=1"
  done
}

one_cycle_later_the_distance_is_kept() {
  for log in tests/dramcheck/*.log; do
    case ${log##*/} in
    # broken by order or place, not by a distance
    data_bus* | power_down* | open* | closed* | row* | ref_open* | address* | refi* | valid*) continue ;;
    esac
    later "$log" 1 >"$tmp/later.log"
    run "$dramcheck" "$tmp/later.log"
    exits 0
    out_has "OK: "
  done
}

a_refresh_one_cycle_earlier_is_in_time() {
  later tests/dramcheck/refi.log -1 >"$tmp/earlier.log"
  run "$dramcheck" "$tmp/earlier.log"
  exits 0
  out_has "refresh checked"
  run "$dramcheck" "$tmp/earlier.log" --postpone 7
  exits 1
  run "$dramcheck" tests/dramcheck/refi.log --refresh none
  exits 0
  out_has "refresh not checked"
}

valid_logs_are_accepted() {
  for log in tests/dramcheck/valid*.log; do
    run "$dramcheck" "$log"
    exits 0
    out_has "OK: "
  done
}

a_violation_names_both_commands_and_the_distance() {
  run "$dramcheck" tests/dramcheck/faw.log
  out_has "faw: 29 ACT 0 0 1 5 - comes 29 cycles after line 4: 0 ACT 0 0 0 5 -; at least 30"
}

the_form_of_dramsim3_is_read() {
  printf '%s\n' '0 activate 0 0 0 0 0x5 0x0' '17 read 0 0 0 0 0x5 0x1f' '40 precharge 0 0 0 0 0x6 0x0' >"$tmp/d3.log"
  run "$dramcheck" "$tmp/d3.log" --format dramsim3 --device tests/dramcheck/device.yaml
  exits 0
  out_has "ACT=1 PRE=1 RD=1"
}

presets_are_found_by_name() {
  printf '# device ref-hbm2\n0 ACT 0 0 0 0 0\n14 RD 0 0 0 0 0\n' >"$tmp/hbm.log"
  run "$dramcheck" "$tmp/hbm.log"
  exits 0
}

every_preset_is_read() {
  for f in presets/dram/*.yaml; do
    printf '0 ACT 0 0 0 0 0\n' | "$dramcheck" - --device "$f" >"$tmp/out" || fail "$f"
  done
}

# refused LOG-TEXT MESSAGE
refused() {
  printf '%b' "$1" >"$tmp/bad.log"
  run "$dramcheck" "$tmp/bad.log" --device tests/dramcheck/device.yaml
  exits 2
  err_has "$2"
}

bad_input_is_told_from_violations() {
  refused '0 ACTX 0 0 0 0 0\n' "bad.log:1: 'ACTX' is not a command"
  refused '# x\n0 ACT 0 0\n' "bad.log:2: a number is missing"
  refused '0 ACT 0 0 0 0 0 7\n' "'7"
  refused '0 RD 0 0 0 0 -\n' "bad.log:1: a number is missing at '-"
  refused '9 ACT 0 0 0 0 0\n8 PRE 0 0 0 0 0\n' "bad.log:2: cycle 8 comes after cycle 9"
  refused '-1 ACT 0 0 0 0 0\n' "bad.log:1"
  refused '99999999999999999999999 ACT 0 0 0 0 0\n' "bad.log:1"
  run "$dramcheck" tests/dramcheck/no-such.log
  exits 2
  run "$dramcheck" tests/dramcheck/valid.log --device no-such-device
  exits 2
  err_has "no device 'no-such-device'"
  printf 'timing: {cl: 1\n' >"$tmp/bad.yaml"
  run "$dramcheck" tests/dramcheck/valid.log --device "$tmp/bad.yaml"
  exits 2
  err_has "not valid YAML"
  grep -v rcd_rd tests/dramcheck/device.yaml >"$tmp/bad.yaml"
  run "$dramcheck" tests/dramcheck/valid.log --device "$tmp/bad.yaml"
  exits 2
  err_has "timing.rcd_rd is missing"
}

tests every_rule_has_a_broken_log each_broken_log_breaks_exactly_its_rule one_cycle_later_the_distance_is_kept \
  a_refresh_one_cycle_earlier_is_in_time valid_logs_are_accepted a_violation_names_both_commands_and_the_distance \
  the_form_of_dramsim3_is_read presets_are_found_by_name every_preset_is_read bad_input_is_told_from_violations
finish
