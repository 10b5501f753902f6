#!/bin/bash
# What docs/editors.md and packaging/ give to others works (editors.py).
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
cp "$ROOT/tests/bugs/lost_update.c" .
python3 "$ROOT/tests/cli/editors.py" "$HEDDLE" "$ROOT" lost_update.c || fail 'editors.py' "status $?"
