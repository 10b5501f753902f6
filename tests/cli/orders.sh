#!/bin/bash
# heddle orders: the weakest orders, repairs, patches, answers that are kept, bad input.  What must
# come out follows from the axioms of RC11, as in tests/memory.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# same NAME WANTED GOT
same() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3' $(first_lines err)"; fi; }

# orders ARGUMENTS...: the JSON in `json`, the status in $status.
orders() {
    timeout "$LIMIT" "$HEDDLE" orders --format json "$@" >json 2>err </dev/null
    status=$?
}

# found: the orders that were found, by line and column; null where there is none.
found() { jq -r '[.accesses[].weakest // "-"] | join(" ")' json; }

# Data is published by a flag: the store must release, the load must acquire.
cat >publish.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, seen;
static int data;
static void *publish(void *unused)
{
    data = 42;
    ready = 1;
    seen++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (atomic_load(&ready)) { int n = seen; assert(data == 42 && n < 2); }
    pthread_join(thread, 0);
    return 0;
}
C
orders publish.c
same 'publish: status' 0 "$status"
same 'publish: verdict' 'verified relaxed true' "$(jq -r '"\(.verdict) \(.outcome) \(.complete)"' json)"
same 'publish: orders' 'release relaxed acquire relaxed' "$(found)"
same 'publish: today' 'seq_cst' "$(jq -r '[.accesses[].order] | unique | join(" ")' json)"
same 'two accesses of one line' '17 17' "$(jq -r '[.accesses[2:][].location.line] | join(" ")' json)"

"$HEDDLE" orders publish.c >out 2>err
same 'table' 'publish.c:9 publish store ready seq_cst release' "$(grep ':9 ' out | tr -s ' ')"
grep -q '^verified; 4 orders can be weaker' out && pass 'table: last line' || fail 'table: last line' "$(first_lines out)"

# patched NAME FILE: the patch of FILE applies with both tools; with it, nothing is left to do.
patched() {
    rm -rf apply && mkdir apply && cp ./*.[ch]* apply/ 2>/dev/null
    timeout "$LIMIT" "$HEDDLE" orders --patch "$2" >patch.diff 2>err </dev/null
    (cd apply && git init -q . && git apply ../patch.diff) >out 2>&1 &&
        (cd apply && patch -R -p1 <../patch.diff && patch -p1 <../patch.diff) >>out 2>&1
    if [ $? != 0 ]; then fail "$1: applies" "$(first_lines out)"; return; fi
    pass "$1: applies"
    (cd apply && timeout "$LIMIT" "$HEDDLE" orders --format json "$2") >json 2>err </dev/null
    same "$1: verified" 'verified relaxed true' "$(jq -r '"\(.verdict) \(.outcome) \(.complete)"' json)"
    same "$1: nothing left" "${3:-}" "$(jq -r '[.accesses[] | select(.order != .weakest and .weakest) | .location.line] | join(" ")' json)"
}
patched 'patch of operators' publish.c
grep -q '^+    atomic_store_explicit(&ready, 1, memory_order_release);' patch.diff && pass 'patch: an assignment' ||
    fail 'patch: an assignment' "$(first_lines patch.diff)"

# A repair: store buffering is forbidden only if all four are seq_cst.
cat >dekker.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    a = atomic_load_explicit(&y, memory_order_seq_cst);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(a || b);
    return 0;
}
C
orders dekker.c
same 'repair: status' 1 "$status"
same 'repair' 'violation repaired true' "$(jq -r '"\(.verdict) \(.outcome) \(.complete)"' json)"
same 'repair: orders' 'seq_cst seq_cst seq_cst seq_cst' "$(found)"
patched 'patch of a repair' dekker.c

# Of several repairs the smallest: the fence that is there, not the accesses.
cat >fences.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(a || b);
    return 0;
}
C
orders fences.c
same 'the smallest repair' '18' "$(jq -r '[.accesses[] | select(.order != .weakest) | .location.line] | join(" ")' json)"
same 'the fence is seq_cst' 'seq_cst' "$(jq -r '.accesses[] | select(.location.line == 18).weakest' json)"

# With both of them seq_cst it is verified; a third one, and what it would take for accesses alone,
# is not needed.
sed 's/acq_rel/seq_cst/; s/    assert/    atomic_thread_fence(memory_order_seq_cst);\n    assert/' fences.c >three.c
sed -i 's/store_explicit(&x, 1, memory_order_relaxed)/store(\&x, 1)/' three.c
orders three.c
same 'fences of different use' 'relaxed seq_cst relaxed relaxed seq_cst relaxed none true' "$(found) $(jq .complete json)"

# Two loads of one macro have one line and column, but an order each: what g says is not relied on.
cat >macro.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f, g;
static int data;
#define READY (g >= 0 && f)
static void *publish(void *unused)
{
    data = 1;
    g = 1;
    f = 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (READY) assert(data == 1);
    pthread_join(thread, 0);
    return 0;
}
C
orders macro.c
same 'two loads of a macro' 'relaxed release relaxed acquire' "$(found)"
same 'two loads of a macro: names' 'load g,load f' "$(jq -r '[.accesses[2:][].operation] | join(",")' json)"
sed 's/g >= 0 && f/atomic_load_explicit(\&g, memory_order_acquire) >= 0 \&\& atomic_load_explicit(\&f, memory_order_relaxed)/' macro.c >broken.c
orders broken.c
same 'the load of a macro that needs more' 'load f acquire' \
    "$(jq -r '.accesses[] | select(.order != .weakest) | "\(.operation) \(.weakest)"' json)"

# Orders of a compare-exchange; a fence that is not needed; a function inlined twice; a macro; what
# no execution comes to; what is chosen at run time.
cat >kinds.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define TAKE(lock) atomic_exchange(&(lock), 1)
static atomic_int owner, lock;
static int data, other;
static inline void leave(void) { atomic_store(&owner, 0); }
static void *work(void *rank)
{
    int nobody = 0, order = rank ? memory_order_seq_cst : memory_order_release;
    if (atomic_compare_exchange_strong(&owner, &nobody, 1)) {
        data++;
        leave();
    }
    atomic_thread_fence(memory_order_seq_cst);
    if (TAKE(lock) == 0) {
        other++;
        atomic_store_explicit(&lock, 0, order);
    }
    if (nobody > 1) leave();
    if (nobody > 1) atomic_store(&lock, 3);
    return rank;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(&thread);
    pthread_join(thread, 0);
    return 0;
}
C
orders kinds.c
order_at() { jq -r "[.accesses[] | select(.location.line == $1) | .weakest // \"-\"] | join(\" \")" json; }
same 'inlined twice: one place' 'release' "$(order_at 7)"
same 'compare-exchange: success, failure' 'acquire relaxed' "$(order_at 11)"
same 'a fence that is not needed' 'none' "$(order_at 15)"
same 'behind a macro' 'acquire' "$(order_at 16)"
same 'chosen at run time' '-' "$(order_at 18)"
same 'not executed' '-' "$(order_at 21)"
patched 'patch of many kinds' kinds.c 15 # of the macro: the line of the fence went
grep -q '^# kinds.c:16: acquire (a macro' patch.diff && pass 'patch: a macro is named' || fail 'patch: a macro is named' "$(first_lines patch.diff)"
grep -q '^-    atomic_thread_fence' patch.diff && ! grep -q '^+.*fence' patch.diff && pass 'patch: the fence goes' ||
    fail 'patch: the fence goes' "$(first_lines patch.diff)"

# A header under two names is one file; comments before statements; builtins without orders; a file
# whose last line has no end, and whose lines end as on Windows.
mkdir -p sub
cat >sub/lock.h <<'C'
#include <stdatomic.h>
static atomic_int *held(void);
static inline void take(void)
{
    while (atomic_exchange(held(), 1))
        ;
}
static inline void leave(void) { atomic_store(held(), 0); }
C
cat >sub/other.c <<'C'
#include "lock.h"
extern atomic_int lock;
extern int n;
static atomic_int *held(void) { return &lock; }
void *work(void *unused)
{
    take();
    n++;
    leave();
    return unused;
}
C
cat >names.c <<'C'
#include "./sub/lock.h"
#include <pthread.h>
atomic_int lock;
int n;
static atomic_int *held(void) { return &lock; }
void *work(void *);
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    take();
    n++;
    leave();
    pthread_join(thread, 0);
    return n != 2;
}
C
orders sub/other.c names.c
same 'a header under two names' 'acquire release' "$(found)"
timeout "$LIMIT" "$HEDDLE" orders --patch sub/other.c names.c >patch.diff 2>err </dev/null
same 'patch of a header' '--- a/sub/lock.h' "$(grep -- '^---' patch.diff)"
patch --dry-run -p1 <patch.diff >out 2>&1 && pass 'patch of a header: applies' || fail 'patch of a header: applies' "$(first_lines out)"
printf '%s\r\n' '#include <pthread.h>' '#include <stdatomic.h>' 'static atomic_int ready;' 'static int data, x;' \
    'static void *publish(void *unused)' '{' '    data = 1; // the payload' '#if 1' '    __sync_fetch_and_add(&x, 1);' '#endif' \
    '    /* now */ ready = 1; // done' '    ready += 0;' '    __sync_synchronize();' '    return unused;' '}' 'int main(void)' '{' \
    '    pthread_t thread;' '    pthread_create(&thread, 0, publish, 0);' '    int wrong = ready && !data;' \
    '    __sync_fetch_and_add(&x, 1);' '    pthread_join(thread, 0);' '    return wrong;' >comments.c
printf '}' >>comments.c
patched 'patch of comments' comments.c
grep -q '/\* now \*/ atomic_store_explicit(&ready, 1, memory_order_release); // done' patch.diff && pass 'patch: after a comment' ||
    fail 'patch: after a comment' "$(first_lines patch.diff)"

# C++
cat >members.cc <<'C'
#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> ready{0}, count{0};
static std::atomic<int *> box;
static int data;
int main()
{
    std::thread thread([] {
        data = 1;
        ready.store(1); count++; box = &data;
        count.fetch_add(1, std::memory_order_seq_cst);
    });
    if (ready.load() && count >= 0) assert(data == 1);
    if (int *p = box) assert(*p == 1);
    thread.join();
}
C
orders members.cc
same 'C++' 'release relaxed release relaxed acquire relaxed acquire' "$(found)"
patched 'patch of C++' members.cc

# A race of plain data: no orders help, and one line says so.
cat >race.c <<'C'
#include <pthread.h>
static int n;
static void *count(void *unused) { n++; return unused; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    n++;
    pthread_join(thread, 0);
    return 0;
}
C
orders race.c
same 'never: status' 1 "$status"
same 'never' 'violation never' "$(jq -r '"\(.verdict) \(.outcome)"' json)"
"$HEDDLE" orders race.c >out 2>err
same 'never: one line' 1 "$(wc -l <out)"
grep -q '^no memory orders verify the program: data race: .*race.c:' out && pass 'never: text' || fail 'never: text' "$(first_lines out)"

# Answers are kept: only the program itself and the result are explored again.
orders --resume kept kinds.c
before=$(jq .explored json) all=$(found)
orders --resume kept kinds.c
same 'resume: the same' "$all" "$(found)"
[ "$before" -gt 4 ] && [ "$(jq .explored json)" -le 2 ] && pass 'resume: nothing twice' ||
    fail 'resume: nothing twice' "$before, then $(jq .explored json)"
head -n 3 kept >half
orders --resume half kinds.c
same 'resume: half of it' "$all true" "$(found) $(jq .complete json)"
expect_error 'resume: another program' 'answers about another program.*remove it' "$HEDDLE" orders --resume kept publish.c
expect_error 'resume: no answers' 'holds no answers of heddle orders' "$HEDDLE" orders --resume kinds.c kinds.c
{ head -n 1 kept; echo 'verified 99'; } >bad
expect_error 'resume: damaged' 'bad:2: this is no answer' "$HEDDLE" orders --resume bad kinds.c
{ head -n 1 kept; sed -n 's/^broken \([0-9]*\) .*/verified \1/p' kept | tail -n 1; } >bad
expect_error 'resume: a lie' 'says that orders are verified that are not' "$HEDDLE" orders --resume bad kinds.c
expect_error 'resume: cannot be written' 'nowhere' "$HEDDLE" orders --resume nowhere/kept kinds.c

orders --time 1ms kinds.c
same 'no time: status' 0 "$status"
same 'no time' 'false' "$(jq -r .complete json)"

expect_error 'no program' 'no program.*heddle orders --help' "$HEDDLE" orders
expect_error 'no such file' 'nothing.c: no such file' "$HEDDLE" orders nothing.c
expect_error 'format' 'there are text, json, patch' "$HEDDLE" orders --format xml race.c
expect_error 'two on standard output' 'give a file to --json' "$HEDDLE" orders --patch --json - race.c
"$HEDDLE" cc -g -o program publish.c 2>err
expect_error 'patch of a program' 'give the C files instead of ./program' "$HEDDLE" orders --patch ./program
timeout "$LIMIT" "$HEDDLE" orders --json file ./program >out 2>err
same 'a program' 'release relaxed acquire relaxed' "$(jq -r '[.accesses[].weakest] | join(" ")' file)"
cat >unknown.c <<'C'
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
int main(void)
{
    x = getchar();
    return 0;
}
C
expect_error 'not verified' 'not verified with its own orders.*standard input' "$HEDDLE" orders unknown.c
