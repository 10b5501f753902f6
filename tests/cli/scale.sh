#!/bin/bash
# SCALE's filters: its published numbers, busy waiting, the cache of states, and what is refused.
set -u
. "$(dirname "$0")/../lib.sh"
# SCALE makes every access a step, so its numbers are those of programs with all of them.
export HEDDLE_ACCESSES=all
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
scale=$ROOT/tests/programs/scale

# check OPTIONS...: the JSON is in $tmp/json.
check() {
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check -q --races off --trace-dir "$tmp/traces" --json "$tmp/json" "$@" \
        >/dev/null 2>"$tmp/err"
}

# is NAME EXPECTED JQ: of the last check.
is() {
    local got
    got=$(jq -rc "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines "$tmp/err"))"; fi
}

# published PRESET PROGRAM FLAGS RUNS: as tables 6.1 to 6.3 of the thesis have it.
published() {
    check --strategy "$1" --count-like-scale --cc-flags "$3" "$scale/$2.c"
    is "$1 $2 $3: $4 runs" "$4" '.executions + .pruned'
}
published scale indexer -DN=2 2
published scale indexer -DN=3 8
published scale indexer -DN=4 32
published scale indexer -DN=5 146
published scale:nsb indexer -DN=2 18
published scale:nsb indexer -DN=3 309
published scale:nsb indexer -DN=4 5256
published scale threadpool -DN=1 6
published scale threadpool -DN=2 124
is 'the published filter keeps 82 of the 90 traces of the pool' 82 .executions
published scale threadpool -DN=3 3347
is 'and 1,824 of 2,436' 1824 .executions
published scale:nsb threadpool -DN=1 6
published scale:nsb threadpool -DN=2 136
is 'the pool has 90 traces' 90 .executions
published scale:nsb threadpool -DN=3 4875
is 'and 2,436 with three workers' 2436 .executions
for preset in scale scale:nsb; do
    published $preset barrier '-DN=2 -DSTEPS=1' 6
    published $preset barrier '-DN=2 -DSTEPS=2' 54
    published $preset barrier '-DN=2 -DSTEPS=3' 486
    published $preset barrier '-DN=3 -DSTEPS=1' 481
done
is 'counting like SCALE claims nothing' no-violation-found .verdict

# The queue ends without a depth bound, and loses an element.
check --strategy scale --cc-flags '-DN=2 -DNO_ASSERT' "$scale/nbqueue.c"
is 'the queue is explored to the end' '["no-violation-found",0]' '[.verdict, .bounded]'
check --strategy stateful --cc-flags '-DN=2 -DNO_ASSERT' "$scale/nbqueue.c"
is 'but has a loop that need not end, which local-cycle cuts' livelock '.violations[0].kind'
for n in 2 6 10; do
    check --strategy scale --cc-flags "-DN=$n" "$scale/nbqueue.c"
    is "the queue of $n loses an element" assertion '.violations[0].kind'
done
for seed in 54 29; do
    check --strategy scale --search dfs:$seed --cc-flags -DN=4 "$scale/nbqueue.c"
    is "the queue of 4 loses an element, seed $seed" assertion '.violations[0].kind'
done

# Busy waiting against brute force with a depth bound: the same results.  (Where a thread may spin for
# ever, brute force says so; the filter only does not go round.)
results='[.observations, .observations_hash]'
for program in flag lock tries; do
    file=$ROOT/tests/programs/spin/$program.c
    check --reduce none --depth 24 --keep-going "$file"
    expected=$(jq -c "$results" "$tmp/json")
    check --reduce not-seen --depth 60 --keep-going "$file"
    is "$program: the depth bound is deep enough" "$expected" "$results"
    for chain in local-cycle not-seen,local-cycle local-cycle,super-step \
        not-seen,local-cycle,super-step; do
        check --reduce $chain "$file"
        is "$program: $chain" "[\"no-violation-found\",$expected]" "[.verdict, $results]"
    done
    for chain in states states,super-step; do # these see who waits for ever
        check --reduce $chain --keep-going "$file"
        is "$program: $chain" "$expected" "$results"
    done
done

# A small cache repeats work and finds the same.
check --reduce not-seen --cc-flags -DN=2 "$scale/threadpool.c"
is 'not-seen' '[["races"],90]' '[.undischarged, .executions]'
events=$(jq .events "$tmp/json")
check --reduce not-seen --state-cache 50 --cc-flags -DN=2 "$scale/threadpool.c"
is 'a cache of 50 states works more' "[[\"races\"],true]" "[.undischarged, .events > $events]"
check --reduce not-seen --state-cache 1000000 --cc-flags -DN=2 "$scale/threadpool.c"
is 'a cache that is large enough' "[[\"races\"],90,$events]" '[.undischarged, .executions, .events]'

# Chains that lose behaviours claim nothing, or are refused.
check --reduce not-seen,super-step --keep-going "$scale/loses.c"
is 'super-step before not-seen' 10 .executions
check --reduce not-seen,super-step:thesis --keep-going "$scale/loses.c"
is 'super-step behind not-seen loses an execution' 9 .executions
check --reduce not-seen,super-step:thesis --cc-flags -DN=2 "$scale/indexer.c"
is 'super-step:thesis claims nothing' no-violation-found .verdict
for one in super-step super-step:thesis local-cycle like-scale; do
    for other in sleep dpor source optimal preemptions:2; do
        expect_error "$one,$other" 'cannot be combined' \
            "$HEDDLE" check --reduce "$one,$other" "$scale/indexer.c"
    done
done
expect_error 'super-step twice' 'cannot be combined' \
    "$HEDDLE" check --reduce super-step,super-step:thesis "$scale/indexer.c"
expect_error 'a cache of nothing' 'state-cache' \
    "$HEDDLE" check --state-cache 0 "$scale/indexer.c"
