#!/bin/bash
# heddle check --strategy slice-n-dice: the papers' examples, what interleaves, what it says, what it refuses.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$ROOT/tests/slice programs=$ROOT/tests/programs/directed
line() { grep -n "/\* $2 \*/" "$here/$1" | head -n 1 | cut -d: -f1; }
same() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

# dice OPTIONS... PROGRAM: exit status, verdict, threads that interleave, fixpoint.
dice() {
    rm -rf "$tmp/json" "$tmp/traces"
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp/traces" --json "$tmp/json" --time 600s "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    echo "$? $(jq -r '[.verdict, .slice_n_dice.threads, .slice_n_dice.fixpoint] | join(" ")' "$tmp/json")"
}
# Figure 1: t0 alone does not get there, t0 and t1 do (the paper's second iteration).
same 'Figure 1' '1 violation 2 false' "$(dice --strategy slice-n-dice "$here/figure1.c")"
same 'Figure 1: rounds' 3 "$(jq .slice_n_dice.rounds "$tmp/json")" # one without interleaving before
"$HEDDLE" replay -q "$here/figure1.c" "$tmp"/traces/figure1-target-1.trace >"$tmp/out" 2>&1
same 'its trace replays' 1 $?
# Its variant that looks for 45: the paper's refinement ends with t0 and t1, because y keeps nothing away.
same 'Figure 1, x == 45, as in the paper' '0 no-violation-found 2 true' \
    "$(dice --strategy slice-n-dice:1 --cc-flags -DWANTED=45 "$here/figure1.c")"
if grep -q '^no-violation-found (slice-n-dice fixpoint; completeness not proven): ' "$tmp/out"; then
    pass 'the verdict says what it is worth'
else
    fail 'the verdict says what it is worth' "$(first_lines "$tmp/out")"
fi
# Ours goes on with what the values of x come from: y, and with it t2.
same 'Figure 1, x == 45, ours' '0 no-violation-found 3 true' \
    "$(dice --strategy slice-n-dice --cc-flags -DWANTED=45 "$here/figure1.c")"
# Table 3.1: t2 only reads.
# A fixpoint proves nothing: two programs whose assertions can be reached, where nothing is left to add.
for program in fixpoint_held fixpoint_early; do
    same "$program: the assertion can be reached" '1 violation' "$(dice --strategy optimal "$programs/$program.c" | cut -d ' ' -f 1,2)"
done
same 'fixpoint_held: the published fixpoint has one thread' '0 no-violation-found 1 true' \
    "$(dice --strategy slice-n-dice:1 "$programs/fixpoint_held.c")"
same 'fixpoint_held: found beyond it' '1 violation 2 false' "$(dice --strategy slice-n-dice "$programs/fixpoint_held.c")"
same 'fixpoint_early: a fixpoint with all three threads' '0 no-violation-found 3 true' \
    "$(dice --strategy slice-n-dice "$programs/fixpoint_early.c")"

same 'Table 3.1' '1 violation 2 false' "$(dice --strategy slice-n-dice "$here/table31.c")"
sed 's/x > 6/x > 7/' "$here/table31.c" >"$tmp/table31.c"
cmp -s "$here/table31.c" "$tmp/table31.c" && fail 'Table 3.1 was changed' 'it was not'
same 'Table 3.1, unreachable' '0 no-violation-found 2 true' "$(dice --strategy slice-n-dice "$tmp/table31.c")"

# The number of setters changes nothing: one is enough, and which one does not matter.
for n in 2 12; do
    dice --strategy slice-n-dice --cc-flags "-DSETTERS=$n" "$programs/reorder.c" >"$tmp/said"
    echo "$(cat "$tmp/said") $(jq .states "$tmp/json")"
done >"$tmp/flat"
same 'flat on Reorder' "1 violation 2 false, 1 line" "$(cut -d' ' -f1-4 "$tmp/flat" | head -n 1), $(sort -u "$tmp/flat" | wc -l) line"
# main finds what one personal account and the one it pays to have done: three threads of eight.
same 'AccountSubtype: two specific threads' '1 violation 3 false' \
    "$(dice --strategy slice-n-dice --cc-flags -DBUSINESS=6 "$programs/account.c")"
same 'AccountSubtype without error' '0 no-violation-found 3 true' \
    "$(dice --strategy slice-n-dice --cc-flags '-DBUSINESS=1 -DRIGHT' "$programs/account.c")"
same 'Airline without error' '0 no-violation-found 3 true' \
    "$(dice --strategy slice-n-dice:7 --cc-flags '-DISSUERS=2 -DCUSHION=0' "$programs/airline.c")"
# No thread can reach the target: nothing interleaves.
same 'Reorder without a checker' '0 no-violation-found 0 true' \
    "$(dice --strategy slice-n-dice --cc-flags '-DSETTERS=4 -DCHECKERS=0' "$programs/reorder.c")"
same 'two targets at once' "1 violation 2 false" "$(dice --strategy slice-n-dice \
    --target "figure1.c:$(line figure1.c 't0: 3'),figure1.c:$(line figure1.c 't1: 2')" "$here/figure1.c")"

# A place each: from where both exist, every thread runs to its place and from there to its end, which makes
# 6 orders of 2 + 2; the checker alone has one, and so has the run without interleaving.  `aside` and main are outside,
# and nobody waits for them, so the last, wide round has the 6 again.
cat >"$tmp/places.c" <<'P'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, other;
static void *set(void *arg)
{
    other++;
    x = 1;
    other++;
    return arg;
}
static void *check(void *arg)
{
    other++;
    if (x == 2)
        heddle_target();
    other++;
    return arg;
}
static void *aside(void *arg)
{
    other++;
    return arg;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, aside, 0);
    pthread_create(&t[1], 0, check, 0);
    pthread_create(&t[2], 0, set, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
P
same 'only threads inside interleave, at their places' '0 no-violation-found 2 true 14' \
    "$(dice --strategy slice-n-dice --reduce none "$tmp/places.c") $(jq .executions "$tmp/json")"
# With states both ways on from a state are one.
dice --strategy slice-n-dice "$tmp/places.c" >"$tmp/said"
same 'states inside' '0 no-violation-found 2 true true' "$(cat "$tmp/said") $(jq '.executions < 14 and .pruned > 0' "$tmp/json")"

# A thread that another one creates: whoever creates it runs first, or main would have passed its place before.
cat >"$tmp/grandchild.c" <<'P'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static unsigned v0;
static pthread_t a, b;
static void *t2(void *u)
{
    unsigned e = 2;
    __atomic_compare_exchange_n(&v0, &e, 1u, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return u;
}
static void *t1(void *u)
{
    pthread_create(&b, 0, t2, 0);
    pthread_join(b, 0);
    return u;
}
int main(void)
{
    unsigned e = 0;
    pthread_create(&a, 0, t1, 0);
    __atomic_compare_exchange_n(&v0, &e, 2u, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    pthread_join(a, 0);
    assert(v0 != 2);
    return 0;
}
P
same 'the threads inside exist as soon as they can' '1 violation 2 false' "$(dice --strategy slice-n-dice "$tmp/grandchild.c")"

for strategy in slice-n-dice slice-n-dice:3; do
    "$HEDDLE" check -q --races off --strategy $strategy --trials 4 -j 2 --json "$tmp/json" --cc-flags -DSETTERS=3 \
        "$programs/reorder.c" >"$tmp/out" 2>"$tmp/err"
    same "$strategy: trials, two at a time" '1 4 1' "$? $(jq -r '"\(.trials) \(.density)"' "$tmp/json")"
done
"$HEDDLE" compare --time 50s --json "$tmp/json" --strategy optimal,slice-n-dice "$here/figure1.c" >"$tmp/out" 2>"$tmp/err"
same 'compare' '1 optimal violation, slice-n-dice violation' \
    "$? $(jq -r '[.strategies[] | "\(.strategy) \(.verdict)"] | join(", ")' "$tmp/json")"

refused() { expect_error "refused: $1" "$1" "$HEDDLE" check -q "${@:2}" "$here/figure1.c"; }
refused 'a reduction by races cannot run inside' --strategy slice-n-dice --reduce optimal
refused 'needs --search dfs' --strategy slice-n-dice --search random
refused 'leave out --keep-going' --strategy slice-n-dice --keep-going
refused 'use --strategy slice-n-dice' --reduce dice
refused 'needs -j 1' --strategy slice-n-dice -j 2
refused 'none can be kept' --strategy slice-n-dice --checkpoint "$tmp/kept"
sed 's/heddle_target()/(void)0/' "$here/figure1.c" >"$tmp/figure1.c"
here=$tmp refused 'no assertion and no heddle_target' --strategy slice-n-dice
