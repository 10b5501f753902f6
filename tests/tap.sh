#!/bin/bash
# Run a cmocka program and turn its TAP lines into ours: tests/tap.sh PROGRAM
out=$(mktemp)
trap 'rm -f "$out"' EXIT
CMOCKA_MESSAGE_OUTPUT=TAP timeout 900 "$@" >"$out" 2>&1
status=$?
sed -n 's/^ok [0-9]* - /ok /p; s/^not ok [0-9]* - /not ok /p' "$out"
if [ "$status" != 0 ]; then
    grep -v '^ok \|^not ok \|^1\.\.' "$out"
    # A crash has no `not ok` line of its own.
    grep -q '^not ok ' "$out" || exit "$status"
fi
exit 0
