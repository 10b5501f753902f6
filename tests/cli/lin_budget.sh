#!/bin/bash
# heddle lin: workers, budgets, checkpoints and random scenarios do not change the answer.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export XDG_CONFIG_HOME=$tmp/config

# same NAME WANTED GOT
same() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3' $(first_lines err)"; fi; }
has() { if grep -q -- "$2" "$3"; then pass "$1"; else fail "$1" "no '$2' in $(first_lines "$3")"; fi; }
lin() {
    rm -f json
    timeout "$LIMIT" "$HEDDLE" lin -q --json json "$@" >out 2>err </dev/null
    status=$?
}
field() { jq -r ".$1" json; }
counts() { jq -r '"\(.verdict) \(.scenarios) \(.executions) \(.events)"' json; }

cat >queue.c <<'C'
#include <heddle/lin.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items[16], n;
HEDDLE_LIN_SETUP { n = 0; }
HEDDLE_LIN_VOID(put, int v, HEDDLE_IN(1, 2))
{
    pthread_mutex_lock(&m);
    items[n++] = v;
#ifdef BUG
    if (n == 1)
#endif
        pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
}
HEDDLE_LIN_OP0(get)
{
    pthread_mutex_lock(&m);
    while (n == 0)
        pthread_cond_wait(&filled, &m);
    int v = items[0];
    for (int i = 1; i < n; i++)
        items[i - 1] = items[i];
    n--;
    pthread_mutex_unlock(&m);
    return v;
}
C
# The number of scenarios: 3 calls, up to 3 threads with up to 3 calls.  Two threads: one call each, 6 multisets; two and
# one, 9 * 3.  Three threads: 10 multisets.  Nothing or one of three calls before, likewise after: (6 + 27 + 10) * 16.
lin --calls 3 queue.c
whole=$(counts)
same 'scenarios' 'verified 688' "$(jq -r '"\(.verdict) \(.scenarios)"' json)"
lin --calls 3 -j 2 queue.c
same 'two workers' "$whole" "$(counts)"

# Interrupted by a budget again and again, it comes to the same numbers.
lin --calls 3 --executions 2500 --checkpoint kept queue.c
same 'executions: verdict' '0 no-violation-found' "$status $(field verdict)"
has 'executions: how to go on' 'with --resume kept' out
for i in 1 2 3 4 5 6 7 8; do
    [ "$(field verdict)" = no-violation-found ] || break
    cp kept before
    lin --calls 3 --executions 2500 --resume kept queue.c
done
same 'resumed' "$whole" "$(counts)"
lin --calls 3 --time 1ms --require-verified queue.c
same 'time, --require-verified' 3 "$status"

# Two waiting gets and two puts are needed (tests/lin/blocking_queue.c): no scenario of three calls has them, larger ones do.
# The same seed gives the same scenarios.
lin --calls 2 --cc-flags -DBUG --random 300 --seed 2 queue.c
first="$status $(field scenario)"
same 'random: found' '1 violation' "$status $(field verdict)"
# Calls that have no part in it are taken away: two puts and two gets are left.
same 'random: as small as it can be' 'get get put put' "$(field scenario | grep -o '[a-z]*' | sort | paste -sd' ')"
lin --calls 2 --cc-flags -DBUG --random 300 --seed 2 queue.c
same 'random: the same again' "$first" "$status $(field scenario)"
lin --calls 2 --before 0 --after 0 --seed 5 --random 16 queue.c
same 'random: none' '0 verified 6 16' "$status $(jq -r '"\(.verdict) \(.scenarios) \(.random)"' json)"

# A failure under sequential consistency does not hide a smaller scenario that fails under C11's memory model only: in
# `x | y` both may miss the other's store (store buffering); two bumps, which come later, lose one.
cat >both.c <<'C'
#include <heddle/lin.h>
#include <stdatomic.h>
static atomic_int a, b, n;
HEDDLE_LIN_SETUP { a = b = n = 0; }
#ifdef FIXED
HEDDLE_LIN_OP0(x) { return atomic_fetch_add_explicit(&a, 1, memory_order_relaxed); }
#else
HEDDLE_LIN_OP0(x) { atomic_store_explicit(&a, 1, memory_order_relaxed); return atomic_load_explicit(&b, memory_order_relaxed); }
HEDDLE_LIN_OP0(y) { atomic_store_explicit(&b, 1, memory_order_relaxed); return atomic_load_explicit(&a, memory_order_relaxed); }
HEDDLE_LIN_MAY_FAIL(x, 1) /* the two may see each other, which no order explains */
HEDDLE_LIN_MAY_FAIL(y, 1)
HEDDLE_LIN_OP0(bump) { int v = n; n = v + 1; return v; }
#endif
C
lin both.c
same 'the smaller of two models' '1 / x | y / rc11' "$status $(field scenario) $(field memory)"
lin --memory sc both.c
same 'sequential consistency alone' '1 / bump | bump / sc' "$status $(field scenario) $(field memory)"
# Several workers meet other failures first.
# ... is not what the program means, if it has weaker atomics.
lin --memory sc --calls 2 --cc-flags -DFIXED both.c
same 'sequential consistency alone verifies nothing weaker' '0 no-violation-found true' \
    "$status $(field verdict) $(jq '.executions > 0' json)"
lin --memory sc -j 4 --calls 3 both.c
same 'the smallest, with workers' '1 / bump | bump /' "$status $(field scenario)"

# What was explored under C11's memory model counts, and nothing else: the numbers are those of --memory rc11.
lin --calls 2 --memory rc11 --cc-flags -DFIXED both.c
weakly=$(counts)
lin --calls 2 --cc-flags -DFIXED both.c
same 'the counts of the model that decides' "$weakly" "$(counts)"
same 'there were executions' true "$(jq '.executions > 0' json)"

# --races warn: the race of note, which has no part in the results, is a warning; the lost increment is found.
cat >racy.c <<'C'
#include <heddle/lin.h>
#include <stdatomic.h>
static atomic_int n;
static int note;
HEDDLE_LIN_SETUP { n = 0; }
#ifdef FIXED
HEDDLE_LIN_OP0(increment) { note = 1; return n++; }
#else
HEDDLE_LIN_OP0(increment) { note = 1; int v = n; n = v + 1; return v; }
#endif
C
lin --calls 2 --cc-flags -DFIXED racy.c
same 'races: an error' '1 true' "$status $(jq '.history == null' json)"
lin --calls 2 --races warn racy.c
same 'races: results are judged' '1 true' "$status $(jq '.history != null' json)"
lin --calls 2 --races warn --cc-flags -DFIXED racy.c
same 'races: a warning, and not verified' '0 no-violation-found true' \
    "$status $(field verdict) $(jq '.race | test("writes note at racy.c:7.*in the scenario / increment . increment /")' json)"

bad() {
    local name=$1 pattern=$2
    shift 2
    timeout "$LIMIT" "$HEDDLE" lin -q "$@" >out 2>err </dev/null
    same "$name: status" 2 "$?"
    same "$name: one line" 1 "$(wc -l <err)"
    has "$name: words" "$pattern" err
}
bad 'resume: nothing there' 'No such file' --calls 3 --resume nowhere queue.c
bad 'resume: other options' 'of another program, other options' --calls 4 --resume before queue.c
bad 'resume: another program' 'of another program, other options' --calls 3 --resume before both.c
bad 'resume: another file' 'no checkpoint of heddle lin' --calls 3 --resume queue.c queue.c
sed 's/^done [0-9]*/done 688/' before >forged
bad 'resume: changed' 'not signed by this user' --calls 3 --resume forged queue.c
sed 's/^done .*/nonsense/' before >damaged
bad 'resume: damaged' 'damaged' --calls 3 --trust --resume damaged queue.c
lin --calls 3 --trust --resume forged queue.c
same 'resume: changed, --trust' '0 688' "$status $(field scenarios)"
bad 'races: no such word' 'there are error, warn, off' --races never queue.c
bad 'trust alone' 'give --resume' --trust queue.c
bad 'one scenario' 'leave out' --scenario '/ get | get /' --seed 1 queue.c
bad 'too many orders' 'more than 5040 sequential orders' --calls 12 --threads 4 queue.c
bad 'too many orders, one scenario' 'too many sequential orders' queue.c --check quiescent \
    --scenario '/ put(1); put(1); put(1); put(1) | get; get; get; get /'
