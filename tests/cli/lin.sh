#!/bin/bash
# heddle lin: verdicts, the smallest scenario, options, what it writes, bad input.  What is linearizable
# follows from the definition; the comments say why.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# same NAME WANTED GOT
same() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3' $(first_lines err)"; fi; }
# has NAME PATTERN FILE
has() { if grep -q -- "$2" "$3"; then pass "$1"; else fail "$1" "no '$2' in $(first_lines "$3")"; fi; }
# lin ARGUMENTS...: the JSON in `json`, what it prints in `out`, the status in $status.
lin() {
    timeout "$LIMIT" "$HEDDLE" lin -q --json json "$@" >out 2>err </dev/null
    status=$?
}
field() { jq -r ".$1" json; }

# A counter whose increment is two steps: two of them may return the same.
cat >counter.c <<'C'
#include <heddle/lin.h>
#include <stdatomic.h>
static atomic_int n;
HEDDLE_LIN_SETUP { n = 0; }
#ifdef FIXED
HEDDLE_LIN_OP0(increment) { return n++; }
#else
HEDDLE_LIN_OP0(increment) { int v = n; n = v + 1; return v; }
#endif
HEDDLE_LIN_OP0(get) { return n; }
C
lin counter.c
same 'counter: status' 1 "$status"
same 'counter: verdict' violation "$(field verdict)"
same 'counter: smallest scenario' '/ increment | increment /' "$(field scenario)"
has 'counter: table' 'increment() = 0  increment() = 0' out
has 'counter: contradiction' 'gives increment() = 0 in T1 and increment() = 0 in T2' out
has 'counter: trace' 'replay: ' out
# The run: each thread's call is a bracket over its two steps, and nothing else of the run is there but the setup.
sed -n '/^the run/,/^  trace:/p' out >run
same 'counter: calls in the run' '+ increment() begins,+ increment() begins,+ increment() returns 0,+ increment() returns 0' \
    "$(grep -o '+ increment() .*[a-z0-9]' run | paste -sd,)"
same 'counter: steps in the run' '5' "$(grep -c 'atomic-[a-z]* n = ' run)"
same 'counter: bars beside the steps of calls' '4' "$(grep -c '|   atomic-[a-z]* n = ' run)"
has 'counter: what decides' "T[12]'s write of n at counter.c:8 (step [0-9]*)" run
same 'counter: nothing of the code around the calls' '' "$(grep -E 'lin_(run|rows|judge)\.h|heddle_lin_|@ ' run)"
timeout "$LIMIT" "$HEDDLE" replay counter.c heddle-traces/counter-assertion-1.trace >out 2>err
same 'counter: the trace replays' 1 "$?"
same 'counter: replayed without the code around the calls' '9 0' \
    "$(grep -c '^ *[0-9]' out) $(grep -cE 'lin_run|@ ' out)"
# Advice names only options that heddle lin has; -v is one of them, and shows every order that would do.
lin --html page.html counter.c
same 'counter: no advice that lin cannot follow' '' "$(grep -h -- '--keep-going' out page.html)"
timeout "$LIMIT" "$HEDDLE" lin -v counter.c >whole 2>err
same 'counter: -v' '1 0' "$? $(grep -c -- '(-v' whole)"
has 'counter: what decides, in calls' "T[12]'s return from increment() (step [0-9]*)" whole
lin -DFIXED --calls 3 counter.c
same 'counter, fixed, by -D alone' '0 verified' "$status $(field verdict)"
lin --cc-flags -DFIXED --calls 3 counter.c
same 'counter, fixed' '0 verified' "$status $(field verdict)"
has 'counter, fixed: words' '^linearizable: verified for all ' out

# 2 calls, up to 3 threads, up to 3 calls together.  Pairs of threads: one call each, 3 multisets; two and one,
# 4 * 2; three of one, 4 multisets.  Without calls before and after that is 15.
lin --cc-flags -DFIXED --calls 3 --before 0 --after 0 counter.c
same 'number of scenarios' 15 "$(field scenarios)"
# One call before and one after, or none of each: 3 * 3 times as many.
lin --cc-flags -DFIXED --calls 3 counter.c
same 'number of scenarios, before and after' 135 "$(field scenarios)"

# While a thread reads, another one's value is put off until all readers have left.  So a read may miss a value whose
# set had returned, as long as an older read runs.  Each thread for itself sees nothing wrong, and when nothing runs all
# values are there.  Threads make one call each: a set and a get of one thread would contradict each other.
cat >late.c <<'C'
#include <heddle/lin.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, put_off, readers;
HEDDLE_LIN_SETUP { value = put_off = readers = 0; }
HEDDLE_LIN_VOID(set, int v, HEDDLE_IN(1))
{
    pthread_mutex_lock(&m);
    *(readers ? &put_off : &value) = v;
    pthread_mutex_unlock(&m);
}
HEDDLE_LIN_OP0(get)
{
    pthread_mutex_lock(&m);
    readers++;
    int v = value;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (--readers == 0 && put_off) {
        value = put_off;
        put_off = 0;
    }
    pthread_mutex_unlock(&m);
    return v;
}
C
three='--before 0 --after 0 --calls 3 --per-thread 1'
lin $three late.c
same 'late: linearizable' '1 / set(1) | get | get /' "$status $(field scenario)"
has 'late: the table' '^  *get() = 0$' out
# The older read overlaps the set and the late read.  Had it returned before the late one was called, nothing would be put off.
has 'late: what decides, in calls' "T[23]'s return from get() (step [0-9]*)" out
for check in sequential quiescent none; do
    lin $three --check $check late.c
    same "late: $check" '0 verified' "$status $(field verdict)"
done

# A ring: with release and acquire both sides may miss the newest store of the other (store buffering), so it can be
# full and empty at a time.  With seq_cst it cannot.
cat >ring.c <<'C'
#include <heddle/lin.h>
#include <stdatomic.h>
static int items[2];
static atomic_uint head, tail;
HEDDLE_LIN_SETUP { head = tail = 0; }
HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1))
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, ACQUIRE) == 2)
        return 0;
    items[t % 2] = v;
    atomic_store_explicit(&tail, t + 1, RELEASE);
    return 1;
}
HEDDLE_LIN_OP0(get)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (atomic_load_explicit(&tail, ACQUIRE) == h)
        return -1;
    int v = items[h % 2];
    atomic_store_explicit(&head, h + 1, RELEASE);
    return v;
}
HEDDLE_LIN_ONLY(put, producer)
HEDDLE_LIN_ONLY(get, consumer)
#ifdef MAY_FAIL
HEDDLE_LIN_MAY_FAIL(put, 0)
HEDDLE_LIN_MAY_FAIL(get, -1)
#endif
C
weak='-DACQUIRE=memory_order_acquire -DRELEASE=memory_order_release'
lin --cc-flags '-DACQUIRE=memory_order_seq_cst -DRELEASE=memory_order_seq_cst' ring.c
same 'ring, seq_cst' '0 verified rc11' "$status $(field verdict) $(field memory)"
lin --cc-flags "$weak" ring.c
same 'ring, release and acquire' '1 rc11' "$status $(field memory)"
has 'ring: the remedy is in the ring' 'were seq_cst, not acquire' out
grep 'were seq_cst' out | grep -q returned && fail 'ring: no remedy in the harness' || pass 'ring: no remedy in the harness'
lin --cc-flags "$weak -DMAY_FAIL" ring.c
same 'ring, may fail' '0 verified' "$status $(field verdict)"
lin --cc-flags '-DACQUIRE=memory_order_acquire -DRELEASE=memory_order_relaxed -DMAY_FAIL' ring.c
same 'ring, relaxed' '1 / put(1) | get /' "$status $(field scenario)"
has 'ring, relaxed: a race' '^data race' out

# Results of other types, arguments, threads of their own, C++.
cat >types.cpp <<'C'
#include <heddle/lin.h>
#include <mutex>
struct pair { int key; char pad; long value; };
static std::mutex m;
static long a, b;
HEDDLE_LIN_SETUP { a = b = 0; }
HEDDLE_LIN_THREAD_SETUP(thread) { heddle_assert(thread == heddle_lin_thread()); }
HEDDLE_LIN_VOID2(set, int x, HEDDLE_IN(1, 2), int y, HEDDLE_IN(3)) { std::lock_guard<std::mutex> l(m); a = x; b = y; }
HEDDLE_LIN_OP0_OF(pair, get) { std::lock_guard<std::mutex> l(m); return pair{ (int)a, (char)heddle_lin_thread(), b }; }
HEDDLE_LIN_SAME(get, pair, p, q) { return p->key == q->key && p->value == q->value; }
C
lin --calls 2 types.cpp
same 'types, C++' '0 verified' "$status $(field verdict)"

# An operation that ends the process, or its thread, is no operation that returns: in a sequential run, and only where
# calls overlap.
cat >ends.c <<'C'
#include <heddle/lin.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int n, inside;
HEDDLE_LIN_SETUP { n = inside = 0; }
#ifdef ALONE
HEDDLE_LIN_OP0(increment) { int v = n++; if (v == 1) END; return v; }
#else
HEDDLE_LIN_OP0(increment) { if (inside++) END; inside--; return 0; }
#endif
C
for end in 'exit(0)' '_exit(0)' 'pthread_exit(0)'; do
    for alone in '-DALONE' ''; do
        lin --calls 2 --cc-flags "-DEND=$end $alone" ends.c
        same "an operation that calls $end $alone" '1 violation' "$status $(field verdict)"
    done
done

# An operation that never returns where calls overlap, and always alone, is explained by no state in which it waits: also if
# another operation waits in sequential runs, and whether it sleeps or goes round for ever.
cat >stays.c <<'C'
#include <heddle/lin.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int inside, never, n;
static sem_t nobody;
HEDDLE_LIN_SETUP { inside = n = 0; sem_init(&nobody, 0, 0); }
HEDDLE_LIN_OP0(work) { if (inside++) STAY; inside--; return 0; }
#ifdef ALSO
HEDDLE_LIN_VOID0(put) { n = 1; }
HEDDLE_LIN_VOID0(get) { while (!n) ; }
#endif
C
for stay in 'for(;;)' 'while(!never)' 'sem_wait(&nobody)'; do
    for also in '' '-DALSO'; do
        lin --calls 2 --cc-flags "'-DSTAY=$stay' $also" stays.c
        same "an operation that stays: $stay $also" '1 / work | work /' "$status $(field scenario)"
    done
done

# A model: a queue of one is no stack and no counter, but it is a queue.  A queue of any length is another object: it never
# refuses, and what it gets is there.
cat >queue.c <<'C'
#include <heddle/lin.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long items[8];
static int n;
HEDDLE_LIN_SETUP { n = 0; }
HEDDLE_LIN_VOID(put, long v, HEDDLE_IN(1, 2)) { pthread_mutex_lock(&m); items[n++] = v; pthread_mutex_unlock(&m); }
HEDDLE_LIN_OP0(get)
{
    pthread_mutex_lock(&m);
    long v = n ? items[0] : -1;
    for (int i = 1; i < n; i++)
        items[i - 1] = items[i];
    n -= n > 0;
    pthread_mutex_unlock(&m);
    return v;
}
C
mkdir -p models
cat >models/queue.c <<'C'
#include <heddle/lin_model.h>
static long values[8];
static int first, last;
HEDDLE_LIN_SETUP { first = last = 0; heddle_assert(heddle_lin_thread() >= 0); }
HEDDLE_LIN_VOID(put, long v, HEDDLE_IN(0)) { values[last++] = v; }
#ifdef WAITS
HEDDLE_LIN_OP0(get) { if (first == last) heddle_lin_wait(); return values[first++]; }
#elif defined STACK
HEDDLE_LIN_OP0(get) { return first == last ? -1 : values[--last]; }
#else
HEDDLE_LIN_OP0(get) { return first == last ? -1 : values[first++]; }
#endif
C
lin --calls 3 --model models/queue.c queue.c
same 'model: a queue' '0 verified' "$status $(field verdict)"
# The first scenario in which a stack would give another result: two elements, and a get that comes after them or between.
lin --calls 3 --cc-flags -DSTACK --model models/queue.c queue.c
same 'model: no stack' '1 / put(1); put(2) | get /' "$status $(field scenario)"
# A get that waits never says -1.
lin --calls 3 --cc-flags -DWAITS --model models/queue.c queue.c
same 'model: no waiting queue' '1 / put(1) | get /' "$status $(field scenario)"
# The calls before the threads wait as in the model, or not: it returns -1 where the model waits, and a semaphore waits where
# the model returns.
lin --scenario 'get / put(1) | put(1) /' --cc-flags -DWAITS --model models/queue.c queue.c
same 'model: the first call should wait' '1 get / put(1) | put(1) /' "$status $(field scenario)"
cat >first.c <<'C'
#include <heddle/lin.h>
#include <semaphore.h>
static sem_t s;
HEDDLE_LIN_SETUP { sem_init(&s, 0, 0); }
HEDDLE_LIN_VOID(put, long v, HEDDLE_IN(1)) { (void)v; sem_post(&s); }
HEDDLE_LIN_OP0(get) { sem_wait(&s); return 1; }
C
lin --scenario 'get / put(1) | put(1) /' --model models/queue.c first.c
same 'model: the first call should return' '1 get / put(1) | put(1) /' "$status $(field scenario)"
lin --scenario 'get / put(1) | put(1) /' --cc-flags -DWAITS --model models/queue.c first.c
same 'model: the first call waits' '0 verified' "$status $(field verdict)"
lin --calls 3 --cc-flags -DSTACK --model models/queue.c --emit models/kept.c queue.c
(cd models && timeout "$LIMIT" "$HEDDLE" check --cc-flags -DSTACK kept.c queue.c >out 2>err)
same 'model: emitted, in another folder' 1 "$?"
has 'model: emitted, how to check it' 'heddle check --cc-flags -DSTACK kept.c queue.c$' models/kept.c

# What it writes.
lin --emit kept.c --html page.html --trace-dir traces counter.c
same 'emit: status' 1 "$status"
timeout "$LIMIT" "$HEDDLE" check kept.c >out 2>err
same 'emit: the program fails' 1 "$?"
lin --cc-flags -DWORSE --emit kept.c counter.c
has 'emit: compiler options' "heddle check --cc-flags -DWORSE kept.c" kept.c
# From another folder, with an included file and an option that are relative to this one.
mkdir -p parts kept/deep
sed 's,^static atomic_int n;,#include "n.h",' counter.c >parts/counter.c
echo 'static atomic_int n;' >parts/include-n.h
mkdir -p parts/inc && mv parts/include-n.h parts/inc/n.h
lin --cc-flags '-Iparts/inc' --emit kept/deep/kept.c parts/counter.c
same 'emit, another folder: status' 1 "$status"
(cd kept/deep && timeout "$LIMIT" "$HEDDLE" check --cc-flags -I../../parts/inc kept.c >../../out 2>../../err)
same 'emit, another folder: the program fails' 1 "$?"
has 'emit, another folder: options' 'cc-flags -I../../parts/inc kept.c' kept/deep/kept.c
has 'html' '<html' page.html
ls traces/*.trace >/dev/null 2>&1 && pass 'trace directory' || fail 'trace directory' "no trace"
lin --scenario ' / get | get / ' counter.c
same 'one scenario' '0 1' "$status $(field scenarios)"
lin --time 1ms counter.c --cc-flags -DFIXED
same 'time' '0 no-violation-found' "$status $(field verdict)"
lin --time 1ms --require-verified counter.c --cc-flags -DFIXED
same 'time, --require-verified' 3 "$status"

# An ordinary compiler makes a program of it, which runs a scenario natively.
cc=$(command -v clang-19 || command -v cc)
"$cc" -Wall -Wextra -Werror -I"$ROOT/include" -o native counter.c -DFIXED -pthread 2>err && ./native '/ increment | get /' >out 2>&1
same 'natively' 0 "$?"

# Bad input: one line and status 2.
bad() {
    local name=$1 pattern=$2
    shift 2
    timeout "$LIMIT" "$HEDDLE" lin -q "$@" >out 2>err </dev/null
    same "$name: status" 2 "$?"
    same "$name: one line" 1 "$(wc -l <err)"
    has "$name: words" "$pattern" err
}
echo 'int main(void) { return 0; }' >none.c
bad 'no file' 'no operations'
bad 'no operations' 'include heddle/lin.h' none.c
echo '#include <heddle/lin.h>' >empty.c
bad 'no operation' 'define some with HEDDLE_LIN_OP' empty.c
printf '#include <heddle/lin.h>\nHEDDLE_LIN_OP0(get) { return 0; }\nHEDDLE_LIN_OP(put, int v, HEDDLE_IN()) { return v; }\n' >domain.c
bad 'an empty domain' 'put: HEDDLE_IN() names no value' domain.c
bad 'threads' 'from 2 to 4' --threads 1 counter.c
bad 'check' 'there are linearizable' --check wrong counter.c
bad 'memory' 'there are auto, sc, rc11' --memory tso counter.c
bad 'arguments' 'leave out' counter.c -- x
bad 'scenario without an operation' 'no such operation' --scenario '/ take | get /' counter.c
bad 'scenario with another argument' 'none of those that HEDDLE_IN names: 3' --scenario '/ put(3) | get /' queue.c
bad 'model without an operation' 'the model has no such operation: increment' --model models/queue.c counter.c
sed 's/VOID(put/OP(put/; s/values.last++. = v;/& return 1;/' models/queue.c >models/other.c
bad 'model with other results' 'other arguments or results in the model: put' --model models/other.c queue.c
bad 'model without the header' 'include heddle/lin_model.h' --model counter.c queue.c
bad 'model that is not there' 'No such file' --model nowhere.c queue.c
bad 'scenario without threads' 'INIT / T1' --scenario 'get' counter.c
