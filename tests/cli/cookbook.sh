#!/bin/bash
# docs/cookbook.md: every command of the page has the answer that stands behind it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$ROOT/examples/cookbook" || exit 2

n=0
while IFS='#' read -r command answer; do
    answer=$(echo "$answer" | tr -d ':' | xargs)
    read -ra words <<<"${command#heddle check }"
    n=$((n + 1))
    timeout "$LIMIT" "$HEDDLE" check -q --no-minimise --trace-dir "$tmp/$n" --json "$tmp/json" "${words[@]}" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$(verdict_of "$tmp/json")
    [ "$got" = "$answer" ] && pass "${words[*]}" || fail "${words[*]}" "$got instead of $answer; $(first_lines "$tmp/err")"
done < <(sed -n 's/^heddle check .*#/&/p' "$ROOT/docs/cookbook.md")
[ $n = 24 ] && pass 'twelve situations, each with its repair' || fail 'twelve situations, each with its repair' "$n commands"
for file in *.c; do
    grep -q " $file " "$ROOT/docs/cookbook.md" || fail "$file" 'it is not on the page'
done
