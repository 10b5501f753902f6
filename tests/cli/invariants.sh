#!/bin/bash
# --paranoid asserts the numbered invariants of the source at every step of what really runs, fast paths included.  It
# must not change what is counted, and every search and filter that keeps something is run with it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fields='[.verdict, .executions, .blocked, .pruned, .bounded, .states, .choices, .events]'

# counted OPTIONS...: what must be the same with --paranoid.
counted() {
    timeout "$LIMIT" "$HEDDLE" check -q --keep-going --executions 3000 --json "$tmp/json" --trace-dir "$tmp/traces" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -c "$fields" "$tmp/json" 2>/dev/null
}

same() {
    local name=$1 plain checked
    shift
    rm -f "$tmp/json"
    plain=$(counted "$@")
    rm -f "$tmp/json"
    checked=$(counted --paranoid "$@")
    if [ -n "$plain" ] && [ "$plain" = "$checked" ]; then
        pass "$name"
    else
        fail "$name" "$checked instead of $plain $(first_lines "$tmp/err")"
    fi
}

build() { "$HEDDLE" cc "$2" -o "$tmp/$1" "$ROOT/$3" -pthread || fail "$1" 'no build'; }
build philosophers -DN=3 tests/programs/dpor/philosophers.c
build account -DBUSINESS=1 tests/programs/directed/account.c
build threadpool -DN=2 tests/programs/scale/threadpool.c
build rax -O1 bench/hybrid/rax.c

for strategy in optimal source inspect stateful dpor-stateful hybrid hybrid:hr hr scale jpf chess:2; do
    for program in philosophers account threadpool rax; do
        same "$program $strategy" --strategy "$strategy" "$tmp/$program"
    done
done
# Searches that jump from state to state, and several searches in turns.
for strategy in hgs:7 meta:7; do
    same "philosophers $strategy" --strategy "$strategy" "$tmp/philosophers"
    same "account $strategy" --strategy "$strategy" "$tmp/account"
done
# With --paranoid `auto` is `optimal`, whose first execution is in the order of threads: it takes other steps to the same executions.
fields='[.verdict, .executions, .blocked, .pruned, .bounded, .states]'
same 'philosophers auto' --strategy auto "$tmp/philosophers"
same 'rax auto' --strategy auto "$tmp/rax"
