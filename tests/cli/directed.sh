#!/bin/bash
# Places to be reached: heddle check --target, --via, --strategy hgs and meta, --trials.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$ROOT/tests/slice
line() { grep -n "/\* $2 \*/" "$here/$1" | head -n 1 | cut -d: -f1; }

# verdict OPTIONS...: what a check of figure1.c says, and how it ended; "explored" where nothing but a look for races is
# missing from a proof.
verdict() {
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --json "$tmp/json" \
        "$@" "$here/figure1.c" >"$tmp/out" 2>"$tmp/err"
    echo "$? $(jq -r '[(if .violations == [] and .undischarged == ["races"] then "explored" else .verdict end), (.violations[0].kind // "none"), (.violations[0].location.line // 0)] | join(" ")' "$tmp/json")"
}
same() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

sed 's/heddle_target()/(void)0/' "$here/figure1.c" >"$tmp/figure1.c"
six=$(line figure1.c 't0: 6') three=$(line figure1.c 't0: 3') two=$(line figure1.c 't1: 2')
same 'a line is reached' "1 violation target $six" "$(verdict --target "figure1.c:$six")"
"$HEDDLE" replay -q "$here/figure1.c" "$tmp"/figure1-target-1.trace >"$tmp/out" 2>&1
if [ $? = 1 ] && grep -q "target reached: figure1.c:$six" "$tmp/out"; then
    pass 'its trace replays'
else
    fail 'its trace replays' "$(first_lines "$tmp/out")"
fi
same 'two lines at once' "1 violation target $three" "$(verdict --target "figure1.c:$three,figure1.c:$two")"
# t1 has left line 2 when x is no longer 0
same 'two lines that exclude each other' '0 explored none 0' \
    "$(here=$tmp verdict --strategy scale:nsb --target "figure1.c:$six,figure1.c:$two")"
same 'a function' "1 violation target $(line figure1.c 't2: 1')" "$(verdict --target t2)"
# y begins at 1, is only ever increased by one thread and decreased by another: never 9 in t2.
same 'a line that cannot be reached' '0 explored none 0' \
    "$(here=$tmp verdict --target "figure1.c:$(line figure1.c 't2: 3')")"
same 'several cannot be verified with a reduction' '0 no-violation-found none 0' \
    "$(here=$tmp verdict --target "t1,figure1.c:$(line figure1.c 't2: 3')")"

# refused TEXT OPTIONS...: exit status 2, one line with the text.
refused() {
    local text=$1 status
    shift
    "$HEDDLE" check -q "$@" "$here/figure1.c" >"$tmp/out" 2>"$tmp/err"
    status=$?
    if [ $status = 2 ] && grep -qe "$text" "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ]; then
        pass "refused: $text"
    else
        fail "refused: $text" "status $status: $(first_lines "$tmp/err")"
    fi
}
refused 'does nothing that another thread could see' --target "figure1.c:$(line figure1.c 't0: 9')"
refused 'neither FILE:LINE nor a function' --target nowhere
refused 'holds no code' --target figure1.c:1

# Guided searches.
reorder=$ROOT/tests/programs/directed/reorder.c
via() { grep -n "/\* via $1 \*/" "$reorder" | cut -d: -f1; }
route=reorder.c:$(via 1),reorder.c:$(via 2)
# density OPTIONS...: the share of ten trials that find the bug of reorder.c with eight setters.
density() {
    "$HEDDLE" check -q --races off --trials 10 --time 200s --cc-flags -DSETTERS=8 --json "$tmp/json" "$@" \
        "$reorder" >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -r '"\(.density) \(.states.max <= 1000)"' "$tmp/json"
}
same 'meta, along two places, by distance' '1 true' "$(density --strategy meta --via "$route")"
same 'hgs, by distance' '1 true' "$(density --strategy hgs)"
states() {
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --cc-flags -DSETTERS=1 --json "$tmp/json" "$@" \
        "$reorder" >/dev/null 2>&1
    jq -r '"\(.verdict) \(.states)"' "$tmp/json"
}
same 'one seed, one search' "$(states --strategy hgs:7)" "$(states --strategy hgs:7)"
# A search that ends with every state visited proves something; one in which steps lead back to a state does not.
"$HEDDLE" check -q --strategy hgs --heuristic depth --json "$tmp/json" "$ROOT/tests/litmus/correct/await_lock.c" >"$tmp/out" 2>&1
same 'breadth first, to the end' 'verified []' "$(jq -c -r '"\(.verdict) \(.undischarged)"' "$tmp/json")"
"$HEDDLE" check -q --strategy hgs --heuristic depth --json "$tmp/json" "$ROOT/tests/litmus/wrong/livelock_alone.c" >"$tmp/out" 2>&1
same 'breadth first, with a livelock' 'no-violation-found true' "$(jq -r '"\(.verdict) \(.undischarged | index("livelocks") != null)"' "$tmp/json")"
# Without room for more than one state that waits most are lost, and the verdict says so.
sed 's/heddle_target()/(void)0/' "$reorder" >"$tmp/reorder.c"
"$HEDDLE" check -q --races off --strategy hgs --heuristic blocked --queue 1 --cc-flags -DSETTERS=1 \
    "$tmp/reorder.c" >"$tmp/out" 2>&1
if grep -q 'states were not gone on from' "$tmp/out" && grep -q '^no-violation-found' "$tmp/out"; then
    pass 'a full queue is told'
else
    fail 'a full queue is told' "$(first_lines "$tmp/out")"
fi
# With room for all it meets the final states that brute force does.
observed() {
    "$HEDDLE" check -q --races off --keep-going --json "$tmp/json" "$@" "$ROOT/tests/programs/scale/loses.c" \
        >/dev/null 2>&1
    jq -r '"\(.observations) \(.observations_hash)"' "$tmp/json"
}
all=$(observed --strategy brute)
case $all in [1-9]*) pass 'there are final states' ;; *) fail 'there are final states' "$all" ;; esac
same 'hgs reaches what brute force does' "$all" "$(observed --strategy hgs --heuristic random)"
same 'meta reaches what brute force does' "$all" "$(observed --strategy meta --heuristic interleaving)"

refused '--via is a way for --strategy meta' --via t1
refused 'are for a guided search' --heuristic blocked
refused 'unknown heuristic' --strategy hgs --heuristic none
refused 'cannot be combined with a reduction' --strategy hgs --reduce optimal
refused 'needs -j 1' --strategy hgs -j 2
refused 'its only output file is --json' --trials 3 --html "$tmp/x.html"

# Strategies side by side.
"$HEDDLE" compare --time 50s --cc-flags -DSETTERS=1 --json "$tmp/json" --strategy optimal,hgs:1,brute "$reorder" >"$tmp/out" 2>"$tmp/err"
same 'compare' '1 optimal violation, hgs:1 violation, brute violation' \
    "$? $(jq -r '[.strategies[] | "\(.strategy) \(.verdict)"] | join(", ")' "$tmp/json")"
"$HEDDLE" compare --time 50s --cc-flags -DSETTERS=1 --json "$tmp/json" --strategy optimal,hgs:1 "$tmp/reorder.c" >"$tmp/out" 2>"$tmp/err"
same 'compare, a program without an assertion' '0 optimal verified, hgs:1 null' \
    "$? $(jq -r '[.strategies[] | "\(.strategy) \(.verdict)"] | join(", ")' "$tmp/json")"
"$HEDDLE" compare --strategy optimal,none "$reorder" >"$tmp/out" 2>"$tmp/err"
same 'compare, an unknown strategy' '2 1 0' "$? $(wc -l <"$tmp/err") $(wc -l <"$tmp/out")"

# Delay bounding: main starts and joins two threads of two steps each.  The schedules of a scheduler that goes round
# with at most K delays, counted by enumerating them without heddle.
cat >"$tmp/two.c" <<'P'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *twice(void *arg)
{
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, twice, NULL);
    pthread_create(&t[1], NULL, twice, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
P
"$HEDDLE" cc -o "$tmp/two" "$tmp/two.c" -pthread || exit 1
counts=
for k in 0 1 2 3 4 100; do
    counts+="$("$HEDDLE" check -q --reduce "delays:$k" --json - "$tmp/two" | jq -r '"\(.executions) \(.verdict)"'), "
done
same 'executions with at most K delays' "1 no-violation-found, 10 no-violation-found, 26 no-violation-found, \
89 no-violation-found, 125 no-violation-found, 251 verified, " "$counts"
refused 'cannot be combined' --reduce delays:2,optimal

# From a warning to a sequence of places: a thread that is to pass the gate at 2 has to see the thread that opens it.  That one
# has to see the step, which is made by a thread that has seen the gate at 1.  Without noise everything is explored, so that
# the answer depends on no time.  With noise there is too much to be explored, and the sequence leads there at once.
cat >"$tmp/guarded.c" <<'P'
#include <pthread.h>
#include <stdatomic.h>
#ifndef NOISE
#define NOISE 1
#endif
static atomic_int noise[NOISE], gate, step;
static int value;
static void *busy(void *arg)
{
    long n = (long)arg;
    for (int i = 0; i < 4; i++)
        noise[(n + i) % NOISE]++;
    return arg;
}
static void *opens(void *arg)
{
    gate = 1;
    if (step == 1)
        gate = 2;
    return arg;
}
static void *steps(void *arg)
{
    if (gate == 1)
        step = 1;
    return arg;
}
static void *first(void *arg)
{
    if (gate == 2)
        value++; /* one */
    return arg;
}
static void *second(void *arg)
{
    value++; /* two */
    return arg;
}
int main(void)
{
    pthread_t t[NOISE + 4];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    for (long i = 0; i < NOISE; i++)
        pthread_create(&t[4 + i], 0, busy, (void *)i);
    pthread_create(&t[2], 0, opens, 0);
    pthread_create(&t[3], 0, steps, 0);
    for (int i = 0; i < NOISE + 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
P
at() { grep -n "$1" "$tmp/guarded.c" | tail -n 1 | cut -d: -f1; }
printf 'guarded.c:%s: warning: possible data race\nguarded.c:%s: note: with this\n' "$(at one)" "$(at two)" >"$tmp/warning"
(cd "$tmp" && "$HEDDLE" confirm -j 2 --json json --trace-dir traces guarded.c warning) >"$tmp/out" 2>"$tmp/err"
status=$?
same 'a warning becomes a sequence of places' "1 confirmed $(at 'gate = 1;') $(at 'gate == 1') $(at 'step = 1;') \
$(at 'step == 1') $(at 'gate = 2;') $(at 'gate == 2')" \
    "$status $(jq -r '.warnings[0] | "\(.answer) \(.along)"' "$tmp/json" | sed 's/guarded.c://g; s/,/ /g')"
way=$(jq -r '.warnings[0].along' "$tmp/json")
(cd "$tmp" && "$HEDDLE" check -q --strategy meta --via "$way" --target "guarded.c:$(at one),guarded.c:$(at two)" --executions 50 \
    --cc-flags -DNOISE=6 --json json guarded.c) >"$tmp/out" 2>"$tmp/err"
same 'the sequence leads there' '1 target' "$? $(jq -r '.violations[0].kind' "$tmp/json")"
