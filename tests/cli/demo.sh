#!/bin/bash
# The demonstration of README: the bug is found, replayed, and gone when it is repaired.
set -u
. "$(dirname "$0")/../lib.sh"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if (cd "$ROOT" && timeout "$LIMIT" tools/demo.sh "$HEDDLE") >"$out" 2>&1; then
    pass "demo"
else
    fail "demo" "$(tail -n 3 "$out" | tr '\n' ' ')"
fi
