#!/bin/bash
# What the report of a deadlock names: the thread's own calls, and the signal that it missed.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines out)"; fi
}
run() { "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; }
line_of() { grep -n "/\* $1 \*/" "$2" | cut -d: -f1; }

# main joins inside a call of its own, the one who waits does so in two.
cat >stop.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int stop, ready;
static pthread_t t[2];
static void sleep_until_told(void)
{
    while (!stop)
        pthread_cond_wait(&c, &m);
}
static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    ready++;
    sleep_until_told(); /* call */
    pthread_mutex_unlock(&m);
    return unused;
}
static void finish(void)
{
    while (!ready)
        ;
    pthread_cond_broadcast(&c); /* idle */
#ifdef ONE
    pthread_mutex_lock(&m);
#endif
    stop = 1;
#ifdef ONE
    pthread_cond_signal(&c); /* one */
    pthread_mutex_unlock(&m);
#else
    pthread_cond_broadcast(&c); /* all */
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
int main(void)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    finish(); /* main */
}
C
call=$(line_of call stop.c)
run check --json j --sarif s stop.c
holds 'stack: a deadlock' [ "$status" = 1 ]
holds 'stack: that of the thread that is named' grep -A1 '^  in T[12] at stop.c:.*(sleep_until_told)' out
holds 'stack: its caller in the text' \
    [ "$(grep -A1 '^  in T' out | sed -n 's/^ *called at //p')" = "stop.c:$call (worker)" ]
holds 'stack: its caller in JSON' \
    jq -e '.violations[0] | (.thread | startswith("T")) and ([.calls[].function] == ["worker"])' j
holds 'stack: its caller in SARIF' \
    jq -e "[.runs[0].results[0].stacks[0].frames[].location.physicalLocation.region.startLine] | .[1] == $call" s

# Whoever waits after the last broadcast missed that one, though others heard it, and though an
# earlier one found nobody.
holds 'signal: the last one' grep -qE "; the broadcast of main at stop.c:$(line_of all stop.c) \(step [0-9]+\) (found nobody waiting|came before it waited)" out
holds 'signal: not an earlier one' [ "$(grep -c "; the broadcast of main at stop.c:$(line_of idle stop.c)" out)" = 0 ]
holds 'signal: JSON has it' jq -e "[.violations[0].lost_signals[].location.line] | unique == [$(line_of all stop.c)]" j
run check --cc-flags -DONE --json j stop.c
holds 'signal: one for two' [ "$status" = 1 ]
holds 'signal: it woke the other' grep -qE "T([12]) waits .*; the signal of main at stop.c:$(line_of one stop.c) \(step [0-9]+\) woke T" out
holds 'signal: the thread woken is another' \
    [ "$(grep -cE '^  T([12]) waits .* woke T\1$' out)" = 0 ]

# Both signals wake T1, the first one for nothing: the last one alone is not why T2 waits.
cat >colours.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int is[2];
static void *await(void *colour)
{
    pthread_mutex_lock(&m);
    while (!is[(long)colour])
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, await, (void *)i);
    for (int i = 1; i >= 0; i--) {
        pthread_mutex_lock(&m);
        is[i] = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
run check colours.c
holds 'signal: several' grep -qE '^  T2 waits .* for a signal of c, with m released; each of the 2 signals since then woke another thread$' out
holds 'signal: several, in the steps' [ "$(grep -c ' signal c, wakes T1' out)" = 2 ]

# Had a signal woken the other thread the run would pass; the passing trace shows that.
cat >stages.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stage;
static void *await(void *wanted)
{
    pthread_mutex_lock(&m);
    while (stage < (long)wanted)
        pthread_cond_wait(&c, &m);
    stage++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, await, (void *)(i + 1));
    pthread_mutex_lock(&m);
    stage = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
run check --json j --html page.html stages.c
holds 'wake: the other thread' grep -qE "^  if main's signal of c at stages.c:22 \(step [0-9]+\) had woken T1,$" out
passing=$(jq -r '.violations[0].passing_trace' j)
step=$(jq '.violations[0].deciding_wake.step' j)
holds 'wake: in JSON' [ "$(jq -r '.violations[0].deciding_wake.thread' j)" = T1 ]
holds 'wake: in HTML' grep -qE '"wake":\[[0-9]+,"main.s signal of c at stages.c:22 \(step [0-9]+\) had woken T1"\]' page.html
run replay stages.c "$passing"
holds 'wake: the run passes' [ "$status" = 0 ]
holds 'wake: the run wakes that thread' grep -qE "^ +$step .* signal c, wakes T1$" out

# Which lock a wait has released, and which it has not.
cat >nested.c <<'C'
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;
static void *produce(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&table);
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&other);
    while (items == 0)
        pthread_cond_wait(&c, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(t, 0);
}
C
run check --json j nested.c
holds 'locks: released and held' grep -q '^  main waits at nested.c:26 (main) for a signal of c, with inner released, table and outer still held$' out
holds 'locks: in the step' grep -q ' wait c, releases inner$' out
holds 'locks: in JSON' jq -e '.violations[0].waiting[0] | .mutex == "inner" and [.holds[].object] == ["table", "outer"] and [.holds[].since.line] == [19, 21] and .signals == []' j

# The predicate is still false when the signal comes: woken for nothing.
cat >vain.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    waiting = 1;
    while (!done)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    while (!waiting) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    pthread_cond_signal(&c); /* signal */
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
C
run check --strategy stateful vain.c
holds 'signal: woken in vain' grep -qE "T1 waits .*; the signal of main at vain.c:$(line_of signal vain.c) \(step [0-9]+\) woke it, and it waited again" out
