#!/bin/bash
# Run a test program that prints only what failed and, at the end, `N passed, N failed`; give one
# `ok` line per passed case so that the totals add up: tests/summary.sh COMMAND...
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$@" >"$out" 2>&1
status=$?
read -r passed failed < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out" | tail -n 1)
grep -v '^[0-9]* passed, ' "$out"
for ((i = 1; i <= ${passed:-0}; i++)); do
    echo "ok $i"
done
for ((i = 1; i <= ${failed:-0}; i++)); do
    echo "not ok $i: see above"
done
exit "$status"
