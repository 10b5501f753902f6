#!/bin/bash
# What a user sees of a run that needs weak memory: stale reads and why they are possible, stores
# that are not the newest, the memory orders that would forbid the run.  The orders are then put
# into the program, which must not have that run any more.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# says NAME PATTERN: the text, as one line with single blanks, matches the pattern.
says() {
    if tr -s ' \n' '  ' <out | grep -qE -- "$2"; then pass "$1"; else fail "$1" "no '$2' in: $(tr -s ' \n' ' ' <out)"; fi
}
says_not() {
    if tr -s ' \n' '  ' <out | grep -qE -- "$2"; then fail "$1" "there is '$2'"; else pass "$1"; fi
}
check() {
    rm -rf traces
    timeout "$LIMIT" "$HEDDLE" check --memory rc11 --trace-dir traces --json json "$@" >out 2>err </dev/null
}
# is NAME FILTER WANT: of the JSON report.
is() {
    local got
    got=$(jq -r "$2" json 2>/dev/null)
    [ "$got" = "$3" ] && pass "$1" || fail "$1" "$2 is '$got' instead of '$3'"
}
# verified NAME FLAGS...: no run breaks the program with these orders.
verified() {
    local name=$1
    shift
    check "$@"
    [ "$(jq -r .verdict json 2>/dev/null)" = verified ] && pass "$name" || fail "$name" "$(first_lines out)"
}

# Message passing with the orders W of the store of ready and R of its load.
cat >mp.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *publish(void *unused)
{
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, W);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (atomic_load_explicit(&ready, R))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 42 - NEVER);
    pthread_join(thread, 0);
}
C
flags() { echo "--cc-flags"; echo "-DNEVER=0 $(printf -- '-D%s ' "$@" | sed 's/=\([a-z]\)/=memory_order_\1/g')"; }
mapfile -t f < <(flags W=relaxed R=acquire)
check "${f[@]}" mp.c
says 'the stale read' 'atomic-read data = 0 \(stale\)'
says 'the store is to blame' "reads the initial value; T1's data = 42 \(step 3\) need not be visible: the store of ready at :8 is relaxed"
says 'the remedy' 'what decides if the store of ready at mp.c:8 were release, not relaxed, this run could not happen'
is 'JSON: the stale read' '.violations[0].stale[0] | "\(.access) \(.thread) \(.location.line) \(.variable) \(.reads_from) \(.newer)"' 'load main 16 data null 3'
is 'JSON: the remedy' '.violations[0].stronger_orders[0] | map("\(.location.line) \(.order) \(.new_order)") | join(";")' '8 relaxed release'
is 'JSON: one remedy' '.violations[0].stronger_orders | length' 1
trace=traces/mp-assertion-1.trace
if grep -qE 'atomic-read data choice=1 .* # reads the initial value, step 3 is newer$' $trace; then
    pass 'the trace says what was read'
else
    fail 'the trace says what was read' "$(first_lines $trace)"
fi
timeout "$LIMIT" "$HEDDLE" replay "${f[@]}" mp.c $trace >out 2>err </dev/null
[ $? = 1 ] && pass 'it replays' || fail 'it replays' "$(first_lines err)"
says 'the replay explains it, too' 'data = 0 \(stale\).*need not be visible: the store of ready at :8 is relaxed'

# What C11 allows here, machines with one memory do not: no order of the stores and loads gives these values.
sed 's/^memory rc11$/memory sc/' $trace >one.trace
expect_error 'not sequentially consistent' 'one.trace:[0-9]+: step 7: choice=1: sequential consistency does not allow' \
    "$HEDDLE" replay "${f[@]}" mp.c one.trace
sed 's/^memory rc11$/memory tso/' $trace >one.trace
expect_error 'not of x86' 'one.trace:[0-9]+: step 7: choice=1: x86 \(TSO\) does not allow' "$HEDDLE" replay "${f[@]}" mp.c one.trace

# A trace whose load reads a store that it must not read is of no execution.
f=(--cc-flags '-DNEVER=1 -DW=memory_order_release -DR=memory_order_acquire')
check "${f[@]}" mp.c
reads=$(grep -l 'read=42' traces/*.trace | head -1)
if [ "$reads" ]; then
    sed 's/atomic-read data \(.*\)read=42/atomic-read data choice=1 \1read=0/' "$reads" >damaged.trace
    expect_error 'a load that C11 forbids' 'damaged.trace:[0-9]+: step [0-9]+: choice=1: C11 \(RC11\) does not allow' \
        "$HEDDLE" replay "${f[@]}" mp.c damaged.trace
    expect_error 'and in a report' 'does not allow|damaged.trace' "$HEDDLE" report -o page.html damaged.trace
    sed 's/atomic-read data /atomic-read data choice=9 /' "$reads" >damaged.trace
    expect_error 'a store that is not there' 'damaged.trace:[0-9]+: .*choice=9' "$HEDDLE" replay "${f[@]}" mp.c damaged.trace
    sed 's/atomic-read data /atomic-read data choice=99999 /' "$reads" >damaged.trace
    expect_error 'no number of a store' 'damaged.trace:[0-9]+: choice=99999: not a number' "$HEDDLE" replay "${f[@]}" mp.c damaged.trace
else
    fail 'a trace that reads 42' "$(ls traces)"
fi

# In the other formats.
mapfile -t f < <(flags W=relaxed R=acquire)
check --sarif sarif --github "${f[@]}" mp.c
got=$(jq -r '.runs[0].results[0].properties | "\(.stale[0].newer) \(.stronger_orders[0][0].new_order)"' sarif)
[ "$got" = '3 release' ] && pass 'SARIF: properties' || fail 'SARIF: properties' "$got"
got=$(jq -r '.runs[0].results[0].codeFlows[0].threadFlows[].locations[] | select(.location.message.text | test("stale")) | "\(.executionOrder) \(.importance) \(.location.message.text)"' sarif)
[[ $got == '7 essential '*'need not be visible: the store of ready at :8 is relaxed' ]] && pass 'SARIF: the flow' || fail 'SARIF: the flow' "$got"
says 'an annotation' '::error file=mp.c,.*%0Astep 7: the load of data at mp.c:16 reads the initial value; .*%0AIf the store of ready at mp.c:8 were release, not relaxed, this run could not happen'

# gdb says what a stale step read; memory holds the newest value.
if command -v gdb >/dev/null; then
    trace=traces/mp-assertion-1.trace
    timeout "$LIMIT" "$HEDDLE" replay --gdb "${f[@]}" mp.c $trace >out 2>&1 <<'GDB'
heddle goto 6
heddle step
print data
quit
GDB
    says 'gdb: stale' 'after step 6, in main .*after step 7, in main .*stale: it read 0; there is 1 newer store of the variable, and memory holds the newest'
    says 'gdb: memory holds the newest' '\$[0-9]+ = 42'
else
    pass 'gdb: stale # skipped, no gdb'
fi

mapfile -t f < <(flags W=release R=relaxed)
check "${f[@]}" mp.c
says 'the load is to blame' 'need not be visible: the load of ready at :15 is relaxed'
says 'its remedy' 'if the load of ready at mp.c:15 were acquire, not relaxed, this run could not happen'
mapfile -t f < <(flags W=relaxed R=relaxed)
check "${f[@]}" mp.c
says 'both are to blame' 'need not be visible: the store of ready at :8 and the load of ready at :15 are relaxed'
is 'both are changed' '.violations[0].stronger_orders[0] | map("\(.location.line) \(.new_order)") | sort | join(";")' '15 acquire;8 release'
mapfile -t f < <(flags W=release R=acquire)
verified 'with both orders' "${f[@]}" mp.c

# Store buffering: nothing but seq_cst helps.
cat >sb.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef FENCE
#define FENCE
#endif
static atomic_int x, y;
static int a;
static void *other(void *unused)
{
    atomic_store_explicit(&x, 1, W);
    FENCE;
    a = atomic_load_explicit(&y, R);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&y, 1, W);
    FENCE;
    int b = atomic_load_explicit(&x, R);
    pthread_join(thread, 0);
    assert(a || b);
}
C
mapfile -t f < <(flags W=release R=acquire)
check "${f[@]}" sb.c
says 'store buffering: the reason' 'reads the initial value; .* need not be visible: nothing orders them'
is 'store buffering: four orders' '.violations[0].stronger_orders[0] | map("\(.location.line) \(.new_order)") | sort | join(";")' \
    '11 seq_cst;13 seq_cst;20 seq_cst;22 seq_cst'
is 'store buffering: or two fences' '.violations[0].stronger_orders[1] | map("\(.after.line)-\(.before.line)") | sort | join(";")' '11-13;20-22'
says 'store buffering: a fence in words' 'there were a seq_cst fence between sb.c:20 and sb.c:22'
mapfile -t f < <(flags W=seq_cst R=seq_cst)
verified 'store buffering: the orders help' "${f[@]}" sb.c
verified 'store buffering: the fences help' --cc-flags \
    '-DW=memory_order_release -DR=memory_order_acquire -DFENCE=atomic_thread_fence(memory_order_seq_cst)' sb.c

# 2+2W: a store takes its place before another one.
cat >ww.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_release);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_release);
    pthread_join(thread, 0);
    assert(x != 1 || y != 1);
}
C
check ww.c
says 'a store that is not the newest' '\(not the newest\)'
says 'by which it is overwritten' "is overwritten by (T1|main)'s [xy] = [12] of step [0-9]+, which is later in the modification order: nothing orders them"
is 'JSON: a store' '.violations[0].stale[0] | "\(.access) \(has("reads_from"))"' 'store false'

# A compare-exchange that fails, and whose order of failure is too weak.
cat >cas.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *publish(void *unused)
{
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}
int main(void)
{
    pthread_t thread;
    int none = 0;
    pthread_create(&thread, 0, publish, 0);
    if (!atomic_compare_exchange_strong_explicit(&ready, &none, 2, memory_order_acq_rel, F))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
    pthread_join(thread, 0);
}
C
mapfile -t f < <(flags F=relaxed)
check "${f[@]}" cas.c
says 'the order of failure' 'the compare-exchange of ready at :16 does not acquire when it fails'
says 'its remedy' 'if the compare-exchange of ready at cas.c:16 were acquire when it fails, not relaxed, this run could not happen'
is 'JSON: on failure' '.violations[0].stronger_orders[0][0].on_failure' true
mapfile -t f < <(flags F=acquire)
verified 'with the order of failure' "${f[@]}" cas.c

# A data race because nothing synchronises.
cat >race.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *publish(void *unused)
{
    data = 42;
    atomic_store_explicit(&ready, 1, W);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int seen = atomic_load_explicit(&ready, R) ? data : 42;
    pthread_join(thread, 0);
    return seen != 42;
}
C
mapfile -t f < <(flags W=relaxed R=relaxed)
check "${f[@]}" race.c
says 'a race: both in the message' "nothing orders the two: .*(store of ready at race.c:8 does not release|load of ready at race.c:15 does not acquire), and .*(store of ready at race.c:8 does not release|load of ready at race.c:15 does not acquire)"
says 'a race: its remedy' 'if the (store|load) of ready at race.c:(8|15) were (release|acquire), not relaxed, and the (store|load) of ready at race.c:(8|15) were (release|acquire), not relaxed, there would be no such race'
mapfile -t f < <(flags W=release R=relaxed)
check "${f[@]}" race.c
says 'a race: one in the message' "nothing orders the two: main's load of ready at race.c:15 does not acquire"
says_not 'a race: the other is not' 'does not release'
mapfile -t f < <(flags W=release R=acquire)
verified 'a race: with both orders' "${f[@]}" race.c

# Two readers disagree about two stores.  In the right order of steps one read alone is stale.
check --cc-flags '-DW=memory_order_release -DR=memory_order_acquire -DF=none' "$ROOT/tests/memory/iriw.c"
is 'as few stale reads as possible' '.violations[0].stale | length' 1
# The reader of this lock sees the first store of the writer too late; its other reads are not stale.
check --cc-flags '-DLOOP=0 -DW=memory_order_release -DR=memory_order_acquire -DF1=none -DF2=memory_order_acquire' \
    "$ROOT/tests/memory/seqlock.c"
is 'none that need not be' '.violations[0].stale | map(.variable) | join(" ")' number

# A data race that sequential consistency shows, too, is explained in the same way; fences count.
cat >fence.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *publish(void *unused)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int seen = atomic_load_explicit(&ready, memory_order_relaxed) ? data : 42;
    pthread_join(thread, 0);
    return seen != 42;
}
C
for model in sc rc11; do
    check --memory $model fence.c
    says "a fence, $model: the load is to blame" "nothing orders the two: main's load of ready at fence.c:16 does not acquire"
    says_not "a fence, $model: the store is not" 'does not release'
    is "a fence, $model: the remedy" '.violations[0].stronger_orders | map(map("\(.location.line) \(.new_order)") | join(" ")) | join(";")' '16 acquire'
done

# std::atomic: the variable is called as the program calls it.
cat >flag.cc <<'C'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<bool> ready{false};
std::atomic<int *> pointer{nullptr};
int value;
int main()
{
    std::thread t([] {
        pointer.store(&value, std::memory_order_relaxed);
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_acquire))
        assert(pointer.load(std::memory_order_relaxed));
    t.join();
}
C
check flag.cc
says 'C++: the names' "atomic-read pointer = NULL \(stale\) reads the initial value; T1's pointer = &value \(step [0-9]+\) need not be visible: the store of ready at :11 is relaxed"
says_not 'C++: no members of the library' '_M_[ibp]'

# x86: a store may stay in its buffer while the thread goes on.
mapfile -t f < <(flags W=release R=acquire)
check --memory tso "${f[@]}" sb.c
says 'tso: the buffer' '\(stale\) reads the initial value; .* need not be visible: it may still be in the store buffer of its thread'
says_not 'tso: no orders of C11' 'this run could not happen'

# The graph search under sequential consistency: its runs are shown as interleavings.
cat >lost.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *add(void *unused)
{
    n = n + 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(n == 2);
}
C
check --memory sc --strategy graph lost.c
says 'sc over graphs: found' 'n == 2. failed'
says_not 'sc over graphs: an interleaving' 'stale|not the newest|choice'

# Under sequential consistency nothing is stale.
timeout "$LIMIT" "$HEDDLE" check --memory sc --json json ww.c >out 2>err </dev/null
says_not 'nothing is stale under sc' 'stale|not the newest|could not happen'

# T1 and T3 execute the same line, and T1's load reads 0: the reason of the race is the load that read T2's store.
cat >same.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int x;
static atomic_int f;
static void *run(void *writer)
{
    if (writer || atomic_load_explicit(&f, memory_order_relaxed))
        x = 1;
    if (writer)
        atomic_store_explicit(&f, 1, memory_order_relaxed);
    return 0;
}
int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, run, i == 1 ? thread : 0);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
}
C
check same.c
# the thread whose load of f has read 1 is the one that races
reader=$(sed -n 's/^[0-9]* \(T[13]\) atomic-read f .*read=1 .*/\1/p' "$(jq -r '.violations[0].trace' json)")
is 'the thread of a line that two execute' '.violations[0].message | capture("(?<t>T[0-9]).s load of f").t' "$reader"
