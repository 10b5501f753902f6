#!/bin/bash
# Strategies that sample: they find a bug again with the same seed, its run replays, and they never
# say `verified`.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$HEDDLE" cc -o "$tmp/bug" "$ROOT/tests/bugs/wait_with_if.c" -pthread &&
    "$HEDDLE" cc -o "$tmp/good" "$ROOT/tests/bugs/lock_order-fixed.c" -pthread || fail build 'no build'

for s in random:3 pct:3:3 pct pos pos:7; do
    check_program "$s finds" 'violation assertion' '' '' --executions 5000 --strategy "$s" "$tmp/bug"
    first=$(jq -c '[.executions, .events, .violations[0].execution]' "$tmp/json")
    check_program "$s finds again" 'violation assertion' '' '' --executions 5000 --search "$s" "$tmp/bug"
    if [ "$first" = "$(jq -c '[.executions, .events, .violations[0].execution]' "$tmp/json")" ]; then
        pass "$s is seeded"
    else
        fail "$s is seeded" "$first, then $(jq -c '[.executions, .events]' "$tmp/json")"
    fi
    timeout "$LIMIT" "$HEDDLE" replay -q "$tmp/bug" "$(jq -r '.violations[0].trace' "$tmp/json")" >"$tmp/out" 2>&1
    [ $? = 1 ] && pass "$s replays" || fail "$s replays" "$(first_lines "$tmp/out")"
    check_program "$s verifies nothing" no-violation-found 300 '' --executions 300 --strategy "$s" "$tmp/good"
    check_program "$s -j 2" no-violation-found 300 '' -j 2 --executions 300 --strategy "$s" "$tmp/good"
done

# A program that leaves nothing to be drawn has one execution.
echo 'int main(void) { return 0; }' >"$tmp/one.c"
for s in random pct pos; do
    check_program "$s without a choice" no-violation-found 1 '' --executions 100 --strategy "$s" "$tmp/one.c"
done

expect_error 'pct:0' 'pct|1 to 64|number' "$HEDDLE" check --strategy pct:0 "$tmp/good"
expect_error 'pct:2:x' 'number' "$HEDDLE" check --strategy pct:2:x "$tmp/good"
expect_error 'pos and a reduction' 'random search' "$HEDDLE" check --search pos --reduce optimal "$tmp/good"
