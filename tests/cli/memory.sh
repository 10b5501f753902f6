#!/bin/bash
# --memory: its values, what it does not go together with, what reports and traces say of it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# The load of x may be stale: everything is relaxed.
cat >stale.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *send(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1)
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    pthread_join(thread, 0);
}
C
{
    sed '7,12s/relaxed/release/; 14,$s/relaxed/acquire/' stale.c
    echo 'int fine(void) { return 1; }'
} >right.c

# says NAME PATTERN: the report of the last check has the line.
says() { if grep -qE -- "$2" out; then pass "$1"; else fail "$1" "no '$2' in: $(first_lines out)"; fi; }

check() { timeout "$LIMIT" "$HEDDLE" check "$@" >out 2>err </dev/null; }

check right.c
says 'weak orders choose rc11' '^verified under C11 \(RC11\): '
says 'the model is named' '^  memory model: C11 \(RC11\)'
says 'both searches are named' '^  strategy: auto \(graph\); executions: optimal [0-9]+, graph 2$'
check --memory auto --strategy auto right.c
says 'auto is the default' '^verified under C11 \(RC11\): '
check stale.c
says 'a stale read is found without options' '^violation: '
check --memory sc right.c
says 'sc proves nothing of weaker orders' '^no-violation-found'
says 'sc: why' 'not as C11 allows \(--memory sc was given\)'
check --strategy optimal right.c
says 'a strategy of sc proves nothing of weaker orders' '^no-violation-found'
sed 's/, memory_order_relaxed)/)/; s/_explicit//' stale.c >strong.c
check strong.c
says 'without weak orders sc is exact' '^verified: '
says 'and is named' '^  memory model: sequential consistency'
check --memory sc --json json stale.c
says 'sc' '^  memory model: sequential consistency'
[ "$(jq -r .memory_model json)" = 'sequential consistency' ] && pass 'sc: JSON' || fail 'sc: JSON' "$(jq .memory_model json)"
check --memory rc11 --json json right.c
says 'rc11' '^  memory model: C11 \(RC11\)'
says 'rc11 verifies' '^verified'
says 'rc11: strategy' '^  strategy: graph$'
[ "$(jq -r .memory_model json)" = 'C11 (RC11)' ] && pass 'rc11: JSON' || fail 'rc11: JSON' "$(jq .memory_model json)"
check --strategy graph right.c
says '--strategy graph is rc11' '^  memory model: C11 \(RC11\)'
check --memory rc11 --strategy graph right.c
says 'both' '^  memory model: C11 \(RC11\)'

for value in TSO RC11 rc11x '' 1; do
    expect_error "--memory '$value'" 'there are auto, sc, tso, rc11' "$HEDDLE" check --memory "$value" right.c
done
expect_error '--memory without a value' 'memory' "$HEDDLE" check --memory
for options in '--strategy optimal' '--strategy auto' '--strategy pos' '--search dfs' '--search greedy'; do
    # shellcheck disable=SC2086
    expect_error "rc11 $options" 'needs the graph search, random or pct: leave out --s' "$HEDDLE" check --memory rc11 $options right.c
done
expect_error 'tso --strategy optimal' 'memory tso needs the graph search' "$HEDDLE" check --memory tso --strategy optimal right.c
expect_error 'tso --races warn' 'no violations: leave out --races' "$HEDDLE" check --memory tso --races warn right.c
for options in '--strategy graph' '--search graph'; do
    # shellcheck disable=SC2086
    check --memory sc --json json $options right.c
    says "sc $options" '^  memory model: sequential consistency'
    says "sc $options proves nothing of weaker orders" '^no-violation-found'
    [ "$(jq -r .memory_model json)" = 'sequential consistency' ] && pass "sc $options: JSON" || fail "sc $options: JSON" "$(jq .memory_model json)"
done
check --memory tso --json json stale.c
says 'tso' '^  memory model: x86 \(TSO\); data races are no violations'
says 'tso verifies' '^verified'
[ "$(jq -r '.memory_model + " " + .races' json)" = 'x86 (TSO) allowed' ] && pass 'tso: JSON' || fail 'tso: JSON' "$(jq .memory_model json)"

# Both threads may read 0, from their buffers; the accesses are plain.
cat >buffer.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static int x[4], y, a, b[4];
static void *first(void *unused) { x[0] = 1; a = y; return unused; }
static void *second(void *unused)
{
    y = 1;
    if (SIZE == 4)
        b[0] = x[0];
    else
        memcpy(b, x, SIZE);
    return unused;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a || b[0]);
}
C
check --memory tso --trace-dir tso-traces --json json --cc-flags -DSIZE=4 buffer.c
says 'tso: a violation' 'an assertion fails'
grep -q '^memory tso$' "$(jq -r '.violations[0].trace' json)" && pass 'tso: the trace says it' || fail 'tso: the trace says it' ''
timeout "$LIMIT" "$HEDDLE" replay -q --cc-flags -DSIZE=4 buffer.c "$(jq -r '.violations[0].trace' json)" >out 2>err </dev/null
[ $? = 1 ] && pass 'tso: replay' || fail 'tso: replay' "$(first_lines err)"
cat >freed.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t *s;
static void *waits(void *unused) { sem_wait(s); return unused; }
static void *posts(void *unused) { sem_post(s); return unused; }
int main(void)
{
    pthread_t w, p;
    s = malloc(sizeof *s);
    sem_init(s, 0, 0);
    pthread_create(&w, 0, waits, 0);
    pthread_create(&p, 0, posts, 0);
    pthread_join(p, 0);
    free(s);
    pthread_join(w, 0);
}
C
expect_error 'tso: a race with free' 'freed.c:5: memory is used, and may have been freed' "$HEDDLE" check --memory tso freed.c
expect_error 'tso: a race of ranges' 'accesses of different sizes race' "$HEDDLE" check --memory tso --cc-flags -DSIZE=16 buffer.c
check --memory sc --strategy graph --keep-going --trace-dir sc-traces --json json --cc-flags -DSIZE=4 buffer.c
says 'sc over graphs: races are violations' 'data race'
if [ "$(jq -r '[.violations[].kind] | unique | join(" ")' json)" = data-race ]; then pass 'sc over graphs: no buffers'; else fail 'sc over graphs: no buffers' "$(first_lines out)"; fi
grep -q '^memory sc$' "$(jq -r '.violations[0].trace' json)" && pass 'sc over graphs: the trace says it' || fail 'sc over graphs: the trace says it' ''

# The second race needs the value of x before the store that the first one is about.
cat >races.c <<'C'
#include <pthread.h>

static int x, y;

static void *first(void *unused)
{
    x = 1;
    return unused;
}

static void *second(void *unused)
{
    if (x == 0)
        y = 1;
    return unused;
}

static void *third(void *unused)
{
    return y ? unused : 0;
}

int main(void)
{
    void *(*const all[])(void *) = { first, second, third };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, all[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
C
for options in '--memory rc11 --keep-going' '--memory rc11 --races warn' '--keep-going'; do
    # shellcheck disable=SC2086
    check $options --trace-dir race-traces --json json races.c
    found=$(jq -r '[(.violations + (.warnings // []))[] | select(.kind == "data-race") | .location.line] | unique | length' json)
    [ "$found" = 2 ] && pass "$options: two races" || fail "$options: two races" "$found $(first_lines out)"
done
check --memory rc11 --keep-going --trace-dir race-traces --json json races.c
for trace in $(jq -r '.violations[].trace' json); do
    timeout "$LIMIT" "$HEDDLE" replay -q races.c "$trace" >out 2>err </dev/null
    [ $? = 1 ] && grep -q '^memory rc11-plain$' "$trace" && pass 'rc11 after a race: replay' || fail 'rc11 after a race: replay' "$(first_lines err)"
done
for options in '--reduce optimal' '--preemptions 2'; do
    # shellcheck disable=SC2086
    expect_error "rc11 $options" 'leave out' "$HEDDLE" check --memory rc11 $options right.c
done
expect_error 'rc11 --resume of nothing' 'c: |: No such file' "$HEDDLE" check --memory rc11 --resume c right.c
expect_error 'rc11 --invariant' 'no invariants' "$HEDDLE" check --memory rc11 --invariant fine right.c

# Sampling draws which store a load reads; it proves nothing.
for options in '--search random' '--search pct:3' '--strategy random -j 2' '--search random --depth 100'; do
    # shellcheck disable=SC2086
    check --memory rc11 $options --executions 2000 --trace-dir traces --json json stale.c
    if [ "$(jq -r '.violations[0].kind' json)" = assertion ]; then pass "$options"; else fail "$options" "$(first_lines out)"; fi
    timeout "$LIMIT" "$HEDDLE" replay -q stale.c "$(jq -r '.violations[0].trace' json)" >out 2>err </dev/null
    [ $? = 1 ] && pass "$options: replay" || fail "$options: replay" "$(first_lines err)"
    # shellcheck disable=SC2086
    check --memory rc11 $options --executions 200 right.c
    says "$options: no violation" '^no-violation-found'
    says "$options: it says that it sampled" 'random walks never cover|never cover'
    says "$options: it names the strategy" 'strategy: (random|pct)'
done
expect_error 'sampled, with a reduction' 'leave out' "$HEDDLE" check --memory rc11 --search random --preemptions 2 right.c
expect_error 'sampled, with an invariant' 'no invariants' "$HEDDLE" check --memory rc11 --search random --invariant fine right.c

# What the graph search does not know yet ends it: never a verdict.
cat >cond.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static void *set(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
}
C
cat >barrier.c <<'C'
#include <pthread.h>
static pthread_barrier_t both;
static void *wait(void *unused) { pthread_barrier_wait(&both); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, wait, 0);
    pthread_barrier_wait(&both);
    pthread_join(thread, 0);
}
C
cat >section.c <<'C'
#include <heddle.h>
#include <pthread.h>
static int n;
static void *count(void *unused)
{
    heddle_atomic_begin();
    n++;
    heddle_atomic_end();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
}
C
cat >invariant.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int holds(void) { return x != 1; }
static void *write(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    heddle_invariant(holds);
    pthread_create(&thread, 0, write, 0);
    pthread_join(thread, 0);
}
C
# A requeue makes one object of all futexes, if the code that calls it is seen.
cat >native.c <<'C'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
long move(int *from, int *to) { return syscall(SYS_futex, from, FUTEX_REQUEUE_PRIVATE, 1, 1L, to, 0); }
C
cat >futex.c <<'C'
#include <pthread.h>
long move(int *from, int *to);
static int word, other;
static void *call(void *unused)
{
    move(&word, &other);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, call, 0);
    move(&other, &word);
    pthread_join(thread, 0);
}
C
cc -c native.c -o native.o && "$HEDDLE" cc futex.c native.o -o unseen -pthread
for model in rc11 tso; do
    expect_error "$model: a requeue by code that is not seen" 'futex\.c:[0-9]*: .*futex requeues, called by code that is not seen' \
        "$HEDDLE" check --memory $model ./unseen
    check --memory $model futex.c native.c
    says "$model knows requeues" '^verified under'
done
check --memory rc11 section.c
says 'rc11 knows sections' '^verified under C11'
sed 's/    count(0);/    n = 5;/' section.c >half.c
for model in rc11 tso; do
    expect_error "$model: an access that may come in the middle of a section" \
        'half\.c:[0-9]*: .*the middle of an atomic section.*\(the other access is at half\.c:[0-9]*\)' \
        "$HEDDLE" check --memory $model half.c
done
sed 's/    n++;/    n++, pthread_mutex_lock(\&mutex), pthread_mutex_unlock(\&mutex);/; s/^static void/static pthread_mutex_t mutex;\n&/' \
    section.c >locks.c
expect_error 'a lock in a section' 'does not know the operation lock in an atomic section' "$HEDDLE" check --memory rc11 locks.c
expect_error 'tso knows no states' 'graph search \(--memory tso\) knows no states.*: use --memory sc' \
    "$HEDDLE" check --memory tso invariant.c
expect_error 'nor does the graph search under sc' '\(--strategy graph\) knows no states.*: use --strategy optimal' \
    "$HEDDLE" check --memory sc --strategy graph invariant.c
expect_error "rc11 does not know: invariant" 'graph search|rc11' "$HEDDLE" check --memory rc11 invariant.c

cat >sizes.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static union { atomic_uint word; atomic_uchar bytes[4]; } both;
static void *write(void *unused)
{
    atomic_store_explicit(&both.word, 1, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    int low = atomic_load_explicit(&both.bytes[0], memory_order_relaxed);
    pthread_join(thread, 0);
    return low > 1;
}
C
for model in rc11 tso; do
    "$HEDDLE" check --memory $model sizes.c >out 2>err
    if grep -q 'different sizes' err && grep -q 'sizes\.c:6\b' err && grep -q 'sizes\.c:13\b' err; then
        pass "$model: mixed sizes, with both lines"
    else
        fail "$model: mixed sizes, with both lines" "$(first_lines err)"
    fi
done

# A run with a stale read: the trace says so, and it replays.
rm -rf traces
check --memory rc11 --trace-dir traces stale.c
[ $? = 1 ] && pass 'a stale read is found' || fail 'a stale read is found' "$(first_lines out)"
trace=traces/stale-assertion-1.trace
if grep -qx 'memory rc11' $trace && grep -qE 'atomic-read x choice=1 .*read=0' $trace; then
    pass 'the trace has the stale read'
else
    fail 'the trace has the stale read' "$(first_lines $trace)"
fi
timeout "$LIMIT" "$HEDDLE" replay stale.c $trace >out 2>err
[ $? = 1 ] && pass 'it replays' || fail 'it replays' "$(first_lines err)"
check --memory sc stale.c
says 'sc has no such run' '^no-violation-found'

sed 's/^memory rc11$/memory arm/' $trace >damaged.trace
expect_error 'another model' ':[0-9]+: memory arm' "$HEDDLE" replay stale.c damaged.trace
sed 's/^memory rc11$/memory/' $trace >damaged.trace
expect_error 'no model' ':[0-9]+: memory' "$HEDDLE" replay stale.c damaged.trace
sed 's/^memory rc11$/&\n&/' $trace >damaged.trace
expect_error 'two models' ':[0-9]+: memory is there twice' "$HEDDLE" replay stale.c damaged.trace
sed '/^memory rc11$/d' $trace >damaged.trace
expect_error 'a stale read without a model' ':[0-9]+: .*choice' "$HEDDLE" replay stale.c damaged.trace
sed 's/ choice=1 / choice=77 /' $trace >damaged.trace
expect_error 'a store that is not there' ':[0-9]+: .*choice' "$HEDDLE" replay stale.c damaged.trace
sed 's/ choice=1 / /' $trace >damaged.trace
expect_error 'the newest store instead' ':[0-9]+: ' "$HEDDLE" replay stale.c damaged.trace

# A checkpoint of `auto` is that of the search that decides.
cat >fib.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int i = 1, j = 1;
static void add(atomic_int *to, atomic_int *from)
{
    for (int k = 0; k < 4; k++)
        atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) +
                                      atomic_load_explicit(from, memory_order_relaxed), memory_order_relaxed);
}
static void *first(void *p) { add(&i, &j); return p; }
static void *second(void *p) { add(&j, &i); return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
C
check --executions 2000 --checkpoint cp fib.c
says 'stopped in the graph search' '^  strategy: auto \(graph\); executions: optimal [0-9,]+, graph [0-9,]+$'
says 'after as many executions as it was given' '^  2,000 executions in all'
check --resume cp fib.c
says 'resumed' '^verified under C11'
says 'counts are of both parts' '\(1,764 by the search that decided\)'
check --executions 500 --checkpoint cp2 fib.c
says 'stopped before' '^  strategy: auto \(optimal\)'
check --resume cp2 fib.c
says 'resumed under sc, decided under C11' '^  strategy: auto \(graph\); executions: optimal [0-9,]+, graph 1,764$'
check -j 2 fib.c
says 'two workers' '\(1,764 by the search that decided\)'
head -c 400 cp >cp3
expect_error 'a damaged checkpoint' 'damaged' "$HEDDLE" check --resume cp3 fib.c

# A loop whose variable never comes back to an earlier value makes an execution too large.  A race that was found before
# is reported all the same.
cat >grows.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int data;
static _Thread_local unsigned last;
static void *store(void *p)
{
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return p;
}
static void *wait(void *p)
{
#ifdef RACE
    if (atomic_load_explicit(&y, memory_order_relaxed))
        data = 2;
#endif
    for (unsigned delay = 1; !atomic_load_explicit(&x, memory_order_relaxed); delay = delay * 3 + 1)
        last = delay;
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, store, 0);
    pthread_create(&u, 0, wait, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
C
for jobs in 1 2; do
    check --memory rc11 -j $jobs grows.c
    says "an execution is too large, -j $jobs" '^no-violation-found'
    says "an execution is too large, -j $jobs: the loop" '^  not exhaustive: executions were cut after [0-9]+ steps .*in a loop at grows.c:19$'
done
for model in rc11 tso; do
    check --memory $model --depth 50 grows.c
    says "$model --depth: the loop" '^  not exhaustive: executions were cut after 50 steps .*in a loop at grows.c:19$'
done
# The same if the last event that there is room for would be half of a read-modify-write.
cat >halves.c <<'C'
#include <pthread.h>
#include <sched.h>
static pthread_cond_t nobody = PTHREAD_COND_INITIALIZER;
static void *nothing(void *p) { return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    for (;;) {
        pthread_cond_signal(&nobody);
        sched_yield();
    }
}
C
check --memory rc11 halves.c
says 'an execution is too large by half an operation' '^  not exhaustive: executions were cut after .*in a loop at halves.c:10'
for jobs in 1 2; do
    check --memory rc11 -j $jobs --cc-flags -DRACE grows.c
    says "a race before that, -j $jobs" '^data race'
    says "and why not everything was explored, -j $jobs" \
        '^  not exhaustive: executions were cut after .* in a loop at grows.c:19'
done

# A thread that has polled as often as it may is stopped by heddle, not by the program.
cat >polls.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static int turns;

static void *set(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    for (; !atomic_load_explicit(&flag, memory_order_acquire); turns++)
        sched_yield();
    pthread_join(thread, 0);
}
C
for model in rc11 tso; do
    check --memory $model polls.c
    says "$model: a thread that polls too often is no deadlock" '^no-violation-found'
    says "$model: and the loop is named" 'so 16 times in a row \(--polls\), in a loop at polls.c:'
done
