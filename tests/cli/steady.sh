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

# One schedule, 10,000 times in one worker.
"$HEDDLE" cc -o "$tmp/restore" "$ROOT/tests/programs/restore.c" -pthread || exit 1
"$HEDDLE" check -q --files off --reduce none --json "$tmp/json" "$tmp/restore" -- "$tmp/lines" \
    >"$tmp/out" 2>"$tmp/err"
n=$(jq .executions "$tmp/json")
different=$(sort -u "$tmp/lines" | wc -l)
if [ "$n" != 10000 ] || [ "$(wc -l <"$tmp/lines")" != 10000 ]; then
    fail 'restore: 10,000 times' "$n executions, $(wc -l <"$tmp/lines") lines $(first_lines "$tmp/err")"
elif [ "$different" != 1 ]; then
    fail 'restore: 10,000 times' "$different different lines: $(sort -u "$tmp/lines" | head -n 2)"
else
    pass 'restore: 10,000 times'
fi

# Undoing steps, starting again from the root, and checking at every step explore the same.
same_events() {
    local name=$1 file=$2 flags=$3 reduce=${4:-none} way first='' digest
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "$file" -pthread || return
    for way in '' '' --no-undo --paranoid; do
        "$HEDDLE" check -q --reduce "$reduce" --keep-going --executions 3000 --digest $way \
            --json "$tmp/json" "$tmp/program" >"$tmp/out" 2>"$tmp/err"
        digest=$(jq -r '"\(.executions) \(.events) \(.max_depth)"' "$tmp/json")
        # the digest is one of steps performed, those of re-executed prefixes among them
        [ "$way" = --no-undo ] || digest="$digest $(jq -r .digest "$tmp/json")"
        : "${first:=$digest}"
        if [[ $first != "$digest"* || $digest == *null* ]]; then
            fail "same events: $name" "${way:-again}: $digest instead of $first $(first_lines "$tmp/err")"
            return
        fi
    done
    pass "same events: $name"
}
for f in counter tls errno malloc_across sorting strings random_numbers time struct_copy \
    main_pthread_exit constructors printing ping_pong long_jump; do
    same_events "$f" "$ROOT/tests/litmus/correct/$f.c" ''
done
for f in several lock_order trylock; do
    same_events "$f" "$ROOT/tests/litmus/wrong/$f.c" ''
done
# The same with the fast paths of the default reduction.
for f in counter tls malloc_across strings struct_copy main_pthread_exit printing ping_pong; do
    same_events "$f, optimal" "$ROOT/tests/litmus/correct/$f.c" '' optimal
done
for f in several lock_order trylock; do
    same_events "$f, optimal" "$ROOT/tests/litmus/wrong/$f.c" '' optimal
done
same_events 'barrier, optimal' "$ROOT/tests/programs/scale/barrier.c" '-DN=3' optimal
same_events 'threadpool, optimal' "$ROOT/tests/programs/scale/threadpool.c" '-DN=2' optimal
same_events barrier "$ROOT/tests/programs/scale/barrier.c" '-DN=3'
same_events threadpool "$ROOT/tests/programs/scale/threadpool.c" '-DN=2'
