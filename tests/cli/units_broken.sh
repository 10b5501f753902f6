#!/bin/bash
# Work units of the graph search behind steps that break the program (--keep-going): one process, several workers, units that
# are added up and processes that continue a checkpoint count the same.  An execution ends with its violation; each graph that
# the other threads then make is counted as blocked.  Threads that only read would come last, and find the program broken; so they
# lock mutexes of their own in the end.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

options='-q --no-minimise --keep-going --trace-dir traces --strategy graph'
numbers() { jq -c '[.executions, .blocked]' "$1"; }
same() { # NAME GOT WANT
    [ "$2" = "$3" ] && pass "$1" || fail "$1" "$2 instead of $3 $(first_lines err)"
}

# counts PROGRAM EXECUTIONS BLOCKED
counts() {
    local program=$1 want="[$2,$3]" n
    "$HEDDLE" cc -o "$program" "$program.c" -pthread || { fail "$program" "it does not compile"; return; }
    # shellcheck disable=SC2086 # several options
    {
        timeout 60 "$HEDDLE" check $options --json whole "./$program" >out 2>err
        same "$program" "$(numbers whole)" "$want"
        for n in 2 3; do
            timeout 60 "$HEDDLE" check $options -j $n --paranoid --json part "./$program" >out 2>err
            same "$program -j $n" "$(numbers part)" "$want"
        done
        for n in 2 5; do
            rm -rf units
            timeout 60 "$HEDDLE" split $options -n $n -o units "./$program" >out 2>err
            for unit in $(find units -name '*.unit' | shuf); do
                timeout 60 "$HEDDLE" check $options --unit "$unit" "./$program" >out 2>err
            done
            timeout 60 "$HEDDLE" merge $options --json part units "./$program" >out 2>err
            same "$program in $n units" "$(numbers part)" "$want"
        done
        local resume=()
        rm -f unit
        for ((n = 1; n < $2; n++)); do
            timeout 60 "$HEDDLE" check $options --checkpoint unit "${resume[@]}" --executions $n "./$program" >out 2>err
            resume=(--resume unit)
        done
        timeout 60 "$HEDDLE" check $options "${resume[@]}" --json part "./$program" >out 2>err
        same "$program, an execution at a time" "$(numbers part)" "$want"
    }
}

cat >exchange.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static void *exchange(void *p)
{
    int expected = 0;
    assert(!atomic_compare_exchange_strong(&x, &expected, 3));
    return p;
}
static void *set(void *p)
{
    atomic_store(&x, 1);
    return p;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, exchange, 0);
    pthread_create(&b, 0, set, 0);
    atomic_load(&x);
    pthread_mutex_lock(&own);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
# main reads 0 or 1.  The exchange reads 0 and breaks the program, so that nobody reads 3; or it reads 1.
counts exchange 4 2

cat >store.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static char bytes[64]; /* accesses of so many bytes are steps, but no events */
static atomic_int x;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static void *look(void *p)
{
    if (atomic_load(&x) == 99)
        memset(bytes, 0, sizeof bytes);
    pthread_mutex_lock(&own);
    return p;
}
static void *set(void *p)
{
    atomic_store(&x, 2);
    memset(bytes, 1, sizeof bytes);
    assert(0);
    return p;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, set, 0);
    atomic_store(&x, 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
# The stores have two orders; the load reads any of them, or 0.  The program is broken in each of these graphs.
counts store 6 6

cat >both.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static char a[64], b[64];
static atomic_int x;
static pthread_mutex_t own[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static void *first(void *p)
{
    int seen = atomic_load(&x);
    memset(a, 1, sizeof a);
    assert(seen != 2);
    pthread_mutex_lock(&own[0]);
    return p;
}
static void *second(void *p)
{
    atomic_store(&x, 2);
    memset(b, 1, sizeof b);
    assert(0);
    return p;
}
static void *third(void *p)
{
    if (atomic_load(&x) == 99) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
    }
    pthread_mutex_lock(&own[1]);
    return p;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, third, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
# The second thread breaks the program after the first has read 0, or 2; in the latter case the first does it, too, and no
# event is between the two.  The third reads 0 or 2 in each of these two graphs.
counts both 3 4

cat >overlap.c <<'C'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static union {
    struct {
        atomic_int low, high;
    } half;
    long whole;
} v;
static atomic_int x;
static void *breaks(void *p)
{
    atomic_store(&v.half.low, 1);
    atomic_store(&v.half.high, 1);
    v.whole = 5; /* one step, a store of each half */
    assert(0);
    return p;
}
static void *chooses(void *p)
{
    atomic_store(&x, heddle_choose(3));
    return p;
}
static void *sets(void *p)
{
    atomic_store(&x, 2);
    return p;
}
static void *looks(void *p)
{
    if (atomic_load(&x) == 99) {
        atomic_load(&v.half.low);
        atomic_load(&v.half.high);
    }
    return p;
}
int main(void)
{
    void *(*const run[])(void *) = { breaks, chooses, sets, looks };
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
C
# The first thread breaks the program.  Then three values are stored, in two orders with 2, and any of the three is read.
counts overlap 1 18

# Which of two overlapping accesses of different sizes is an event depends on which was met first, so parts differ behind their race.
cat >mixed.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static union { unsigned long whole; unsigned half[2]; } u;
static _Atomic unsigned char x;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *set(void *p)
{
    x -= 0;
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        unsigned char one = 1;
        x = 0;
        atomic_compare_exchange_strong(&x, &one, 3);
        pthread_rwlock_unlock(&lock);
    }
    memset(&u, 2, sizeof u);
    return p;
}
static void *half(void *p)
{
    u.half[0] = 0;
    return p;
}
static void *exchange(void *p)
{
    for (int i = 0; i < 2; i++) {
        unsigned char zero = 0;
        atomic_compare_exchange_strong(&x, &zero, 2);
    }
    return p;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, set, 0);
    pthread_create(&t[1], 0, half, 0);
    pthread_create(&t[2], 0, exchange, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return u.half[1] == 5;
}
C
"$HEDDLE" cc -o mixed mixed.c -pthread || fail mixed "it does not compile"
# shellcheck disable=SC2086 # several options
timeout 60 "$HEDDLE" check $options -j 2 --paranoid --json part ./mixed >out 2>err
same 'a race of different sizes' "$(jq -r '.verdict, .violations[].kind, (.one_worker // "" | split(",")[0])' part | tr '\n' ' ')" \
    'violation data-race a data race decides what threads do '
