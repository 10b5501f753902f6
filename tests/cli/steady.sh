#!/bin/bash
# Long explorations: memory does not grow with the number of executions, and what is found does not
# depend on how often the world was brought back.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$HEDDLE" cc -DK=10 -o "$tmp/counter" "$ROOT/bench/counter.c" -pthread || exit 1
rss() {
    "$HEDDLE" check -q --reduce none --executions "$1" --json "$tmp/json" "$tmp/counter" \
        >"$tmp/out" 2>"$tmp/err"
    jq .peak_rss_kb "$tmp/json"
}
few=$(rss 1000)
many=$(rss 100000)
n=$(jq .executions "$tmp/json")
if [ "$n" != 100000 ]; then
    fail 'memory: plain DFS' "made $n executions instead of 100000 ($(first_lines "$tmp/err"))"
elif [ "$((many - few))" -gt 1024 ]; then
    fail 'memory: plain DFS' "$few KiB after 1,000 executions, $many KiB after 100,000"
else
    pass 'memory: plain DFS'
fi
