#!/bin/bash
# --finer locks: critical sections of one mutex with nothing in common come in one order (docs/design/029-locks.md).
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# is NAME EXPECTED FILTER ARGUMENTS...: what the filter of jq gives of the result.
is() {
    local name=$1 expected=$2 filter=$3 got
    shift 3
    rm -rf traces json
    timeout "$LIMIT" "$HEDDLE" check -q --json json --trace-dir traces --strategy optimal --finer locks "$@" >out 2>err
    got=$(jq -c "$filter" json 2>/dev/null)
    if [ "$got" = "$expected" ]; then pass "$name"; else fail "$name" "$got, not $expected: $(first_lines err)"; fi
}
# replays NAME SOURCE ARGUMENTS: the first trace shows the violation again, without anything that is split.
replays() {
    local name=$1
    shift
    timeout "$LIMIT" "$HEDDLE" replay -q "$@" "$(jq -r '.violations[0].trace' json)" >out 2>err
    [ $? = 1 ] && pass "$name: replay" || fail "$name: replay" "$(first_lines err)"
}

cat >head.h <<'C'
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int z;
static int x, y;
C
# two NAME EXPECTED FILTER A B ARGUMENTS...: a program of two threads that do A and B.
cat >two.c <<'C'
#include "head.h"
static void *a(void *unused) { A; return unused; }
static void *b(void *unused) { B; return unused; }
#ifndef BEFORE
#define BEFORE
#endif
#ifndef AFTER
#define AFTER
#endif
int main(void)
{
    pthread_t s, t;
    BEFORE;
    pthread_create(&s, 0, a, 0);
    pthread_create(&t, 0, b, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    AFTER;
    return 0;
}
C
two() {
    is "$1" "$2" "$3" "-DA=$4" "-DB=$5" "${@:6}" two.c
}

# N threads that lock, write what is theirs and unlock: one execution.  On a counter: all orders.
cat >many.c <<'C'
#include "head.h"
static int of[N];
static void *own(void *at)
{
    LOCK(m);
    ++*(int *)at;
    UNLOCK(m);
    return at;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, own, &of[i % BUCKETS]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += of[i];
    assert(sum == N);
}
C
for n in 2 3 4 5 6 7 8; do
    is "disjoint($n)" '["verified",1,0,0]' '[.verdict, .executions, .blocked, .lock_parts.rounds]' -DN=$n -DBUCKETS=$n many.c
done
orders=1
for n in 2 3 4 5 6; do
    orders=$((orders * n))
    is "counter($n)" "[\"verified\",$orders,0]" '[.verdict, .executions, .blocked]' -DN=$n -DBUCKETS=1 many.c
done
# Buckets of a hash map under one lock: (threads of a bucket)! for each bucket.
is '6 threads in 3 buckets' '["verified",8]' '[.verdict, .executions]' -DN=6 -DBUCKETS=3 many.c
is '6 threads in 2 buckets' '["verified",36]' '[.verdict, .executions]' -DN=6 -DBUCKETS=2 many.c
is 'two workers' '["verified",36]' '[.verdict, .executions]' -j 2 -DN=6 -DBUCKETS=2 many.c
is 'with --paranoid' '["verified",8]' '[.verdict, .executions]' --paranoid -DN=6 -DBUCKETS=3 many.c
"$HEDDLE" check --strategy optimal --finer locks -DN=2 -DBUCKETS=2 many.c >out 2>err
grep -q 'finer:locks' out && grep -q 'order of critical sections with nothing in common are one' out && pass 'the result says so' ||
    fail 'the result says so' "$(first_lines out)"

# What docs/design/009-finer.md says a naive version gets wrong.
two 'two locks in both orders' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); LOCK(n); UNLOCK(n); UNLOCK(m)' 'LOCK(n); LOCK(m); UNLOCK(m); UNLOCK(n)'
replays 'two locks in both orders' '-DA=LOCK(m); LOCK(n); UNLOCK(n); UNLOCK(m)' '-DB=LOCK(n); LOCK(m); UNLOCK(m); UNLOCK(n)' two.c
two 'an attempt that fails' '["violation","assertion"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); x = 1; UNLOCK(m)' 'assert(pthread_mutex_trylock(&m) == 0); UNLOCK(m)'
two 'an attempt that succeeds' '["violation","assertion"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); x = 1; UNLOCK(m)' 'int r = pthread_mutex_trylock(&m); if (!r) UNLOCK(m); assert(r)'
two 'a condition that is never signalled' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); pthread_cond_wait(&c, &m); UNLOCK(m)' 'LOCK(m); y = 1; UNLOCK(m)'
two 'a signal that comes too early' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); pthread_cond_wait(&c, &m); UNLOCK(m)' 'LOCK(m); pthread_cond_signal(&c); UNLOCK(m)'
two 'a flag with a condition' '"verified"' .verdict \
    'LOCK(m); while (!x) pthread_cond_wait(&c, &m); UNLOCK(m)' 'LOCK(m); x = 1; pthread_cond_signal(&c); UNLOCK(m)'

# Data races that depend on the order of the sections: one order has them, the other does not.
two 'a race in one order' '["violation","data-race"]' '[.verdict, .violations[0].kind]' \
    'x = 1; LOCK(m); UNLOCK(m)' 'LOCK(m); UNLOCK(m); x = 2'
replays 'a race in one order' '-DA=x = 1; LOCK(m); UNLOCK(m)' '-DB=LOCK(m); UNLOCK(m); x = 2' two.c
two 'a race with an access in a section' '["violation","data-race"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); x = 1; UNLOCK(m)' 'x = 2'
two 'a race of sections of two mutexes' '["violation","data-race"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); x = 1; UNLOCK(m)' 'LOCK(n); x = 2; UNLOCK(n)'
two 'a message that a section carries' '"verified"' .verdict \
    'x = 1; LOCK(m); y = 1; UNLOCK(m)' 'LOCK(m); int r = y; UNLOCK(m); if (r) x = 2'
two 'a message that a relaxed atomic carries' '["violation","data-race"]' '[.verdict, .violations[0].kind]' \
    'x = 1; atomic_store_explicit(&z, 1, memory_order_relaxed)' 'if (atomic_load_explicit(&z, memory_order_relaxed)) x = 2'
# The relaxed store is read, so the sections come in this order, and that is what orders the accesses.
two 'sections that a relaxed atomic orders' '["no-violation-found",true]' '[.verdict, .lock_parts.all_whole]' \
    'x = 1; LOCK(m); UNLOCK(m); atomic_store_explicit(&z, 1, memory_order_relaxed)' \
    'if (atomic_load_explicit(&z, memory_order_relaxed)) { LOCK(m); UNLOCK(m); x = 2; }'

# Whoever holds the mutex must go on.
two 'a thread ends with the mutex' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' 'LOCK(m)' 'LOCK(m); y = 1; UNLOCK(m)'
two 'a holder that waits' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); while (!atomic_load(&z)) ; UNLOCK(m)' 'LOCK(m); atomic_store(&z, 1); UNLOCK(m)'
two 'a holder that yields' '"verified"' .verdict 'LOCK(m); sched_yield(); UNLOCK(m)' 'LOCK(m); y = 1; UNLOCK(m)'
two 'main holds it and joins' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' 'x = 1' 'LOCK(m); y = 1; UNLOCK(m)' '-DBEFORE=LOCK(m)'
two 'main holds it and creates' '"verified"' .verdict 'y = 1' 'z++' '-DBEFORE=LOCK(m)' '-DAFTER=UNLOCK(m)'

# The mutex as an object.
two 'destroyed too early' '["violation","misuse"]' '[.verdict, .violations[0].kind]' 'LOCK(m); y = 1; UNLOCK(m)' 'pthread_mutex_destroy(&m)'
two 'destroyed after the joins' '["verified",1]' '[.verdict, .executions]' 'LOCK(m); x = 1; UNLOCK(m)' 'LOCK(m); y = 1; UNLOCK(m)' \
    '-DBEFORE=pthread_mutex_init(&m, 0)' '-DAFTER=pthread_mutex_destroy(&m)'
two 'destroyed while main holds it' '["violation","misuse"]' '[.verdict, .violations[0].kind]' 'x = 1' 'y = 1' '-DAFTER=LOCK(m); pthread_mutex_destroy(&m)'
two 'initialised twice' '["violation","misuse"]' '[.verdict, .violations[0].kind]' 'LOCK(m); y = 1; UNLOCK(m)' 'pthread_mutex_init(&m, 0)'
two 'unlocked by another thread' '["violation","misuse"]' '[.verdict, .violations[0].kind]' 'LOCK(m); y = 1; UNLOCK(m)' 'UNLOCK(m)'
two 'locked twice' '["violation","misuse"]' '[.verdict, .violations[0].kind]' 'LOCK(m); LOCK(m)' 'LOCK(m); UNLOCK(m)'
two 'overwritten in a section' '["violation","misuse"]' '[.verdict, .violations[0].kind]' \
    'LOCK(m); memset(&m, 0, sizeof m); UNLOCK(m)' 'y = 1'
cat >heap.c <<'C'
#include "head.h"
static struct node { pthread_mutex_t lock; int value; } *node;
static void *use(void *unused) { pthread_mutex_lock(&node->lock); pthread_mutex_unlock(&node->lock); return unused; }
static void *end(void *unused) { pthread_mutex_lock(&node->lock); pthread_mutex_unlock(&node->lock); EARLY; return unused; }
int main(void)
{
    pthread_t s, t;
    node = calloc(1, sizeof *node);
    pthread_mutex_init(&node->lock, 0);
    pthread_create(&s, 0, use, 0);
    pthread_create(&t, 0, end, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    LATE;
}
C
is 'freed too early' '"violation"' .verdict '-DEARLY=free(node)' -DLATE= heap.c
is 'freed after the joins' '["verified",1]' '[.verdict, .executions]' -DEARLY= '-DLATE=free(node)' heap.c

# Kinds of mutexes of which unlocking or locking again looks at the owner are not split.
for kind in RECURSIVE ERRORCHECK; do
    two "a mutex of the kind $kind" '["verified",2]' '[.verdict, .executions]' 'LOCK(m); x = 1; UNLOCK(m)' 'LOCK(m); y = 1; UNLOCK(m)' \
        "-DBEFORE=pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_$kind); pthread_mutex_init(&m, &k)"
done
# The leaf of a nest is split, and what is around it is not.
two 'nested sections' '["verified",2,1]' '[.verdict, .executions, (.lock_parts.whole | length)]' \
    'LOCK(m); LOCK(n); x = 1; UNLOCK(n); UNLOCK(m)' 'LOCK(m); LOCK(n); y = 1; UNLOCK(n); UNLOCK(m)'

# Checkpoints know what has been found out.
rm -rf state
timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --finer locks --executions 10 --checkpoint state -DN=6 -DBUCKETS=2 many.c >out 2>err
is 'a checkpoint' '["verified",36,1]' '[.verdict, .executions, .lock_parts.rounds]' --resume state -DN=6 -DBUCKETS=2 many.c

refuses() {
    expect_error "$1" "$2" "$HEDDLE" check -q "${@:3}" -DN=2 -DBUCKETS=1 many.c
}
refuses 'races off' 'finds out what critical sections have in common by looking for data races: use --races error' \
    --strategy optimal --finer locks --races off
refuses 'sleep sets' 'finer locks goes with optimal, source and dpor' --search dfs --reduce sleep --finer locks
refuses 'with rmw' 'finer locks goes with optimal, source and dpor, and not with rmw' --strategy optimal --finer locks,rmw
refuses 'a graph search' 'finer locks goes with optimal, source and dpor, and not with the graph search' --strategy rf --finer locks
refuses 'an unknown name' 'there are rmw, observers, locks' --strategy optimal --finer lock
for search in '--strategy source' '--search dfs --reduce dpor'; do
    rm -f json
    # shellcheck disable=SC2086 # several options
    timeout "$LIMIT" "$HEDDLE" check -q --json json $search --finer locks -DN=6 -DBUCKETS=6 many.c >out 2>err
    [ "$(jq -c '[.verdict, .executions]' json)" = '["verified",1]' ] && pass "$search" || fail "$search" "$(first_lines err)"
done

# c passes something from one section to the other while both are open: no execution of the program does that.
cat >passed_on.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, p, q, r, s;
static void *a(void *u) { pthread_mutex_lock(&m); x = 1; r = y; pthread_mutex_unlock(&m); return u; }
static void *b(void *u) { pthread_mutex_lock(&m); p = 1; s = q; pthread_mutex_unlock(&m); return u; }
static void *c(void *u) { if (x) q = 1; if (p) y = 1; return u; }
int main(void)
{
    void *(*const run[])(void *) = { a, b, c };
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
C
for jobs in 1 2; do
    is "races of three threads, -j $jobs" '["violation",["data-race"]]' '[.verdict, ([.violations[].kind] | unique)]' -j $jobs passed_on.c
    replays "races of three threads, -j $jobs" passed_on.c
done
echo 'race:variable:x' >rules
expect_error 'suppressed races' 'use --races error, and suppress none' "$HEDDLE" check -q --strategy optimal --finer locks --suppressions rules passed_on.c

# Both sections break the program.
printf '%s\n' '#include <pthread.h>' 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int *volatile n;' \
    'static void *a(void *u) { pthread_mutex_lock(&m); *n = 1; return u; }' \
    'static void *b(void *u) { pthread_mutex_lock(&m); *n = 2; return u; }' \
    'int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);' \
    'pthread_join(s, 0); pthread_join(t, 0); }' >both_break.c
is 'both sections crash' '["violation",["crash"],[3,4]]' '[.verdict, ([.violations[].kind] | unique), ([.violations[].location.line] | sort)]' \
    --keep-going both_break.c

# With --keep-going a death may be recorded in the last execution of a bound (the run is made small with iterated bounds).
printf '%s\n' '#include <pthread.h>' '#include <heddle.h>' 'static int o;' \
    'static void *a(void *u) { int *g = heddle_choose(2) ? 0 : &o; *g = 1; return u; }' \
    'static void *b(void *u) { if (heddle_choose(2)) heddle_assert(0); return u; }' \
    'int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);' \
    'pthread_join(s, 0); pthread_join(t, 0); }' >chosen.c
rm -f json
timeout "$LIMIT" "$HEDDLE" check -q --keep-going --json json --trace-dir traces chosen.c >out 2>err
[ "$(jq -c '[.violations[].kind] | sort' json)" = '["assertion","crash"]' ] && pass 'a crash and an assertion' ||
    fail 'a crash and an assertion' "$(first_lines err)"
