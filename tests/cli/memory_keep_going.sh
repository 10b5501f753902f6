#!/bin/bash
# --keep-going with --memory rc11: after a violation the other threads go on, so that every
# violation is found.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# finds NAME "MESSAGES" ARGUMENTS...: exactly these messages of violations, sorted.
finds() {
    local name=$1 expected=$2 got
    shift 2
    rm -rf traces json
    timeout "$LIMIT" "$HEDDLE" check -q --keep-going --json json --trace-dir traces "$@" >out 2>err
    got=$(jq -r '.violations[].message' json 2>/dev/null | sort | tr '\n' '|')
    if [ "$got" = "$expected" ]; then pass "$name"; else fail "$name" "$got, not $expected: $(first_lines err)"; fi
}

head_of() {
    printf '#include <assert.h>\n#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n'
    printf 'static atomic_int x, y;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n'
}
tail_of() {
    cat <<'C'
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
}

# Which assertion fails depends on a store that comes after the first has failed.
{
    head_of
    cat <<'C'
static void *first(void *unused)
{
    if (atomic_load_explicit(&x, memory_order_relaxed) == 0) assert(!"zero"); assert(!"one");
    return unused;
}
static void *second(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}
C
    tail_of
} >load.c
one="assertion \`!\"one\"' failed|" zero="assertion \`!\"zero\"' failed|"
finds 'a load' "$one$zero" --memory rc11 load.c
sed 's/assert(!"zero")/*(volatile int *)0 = 1/' load.c >crash.c
finds 'a crash' "${one}segmentation fault at address 0|" --memory rc11 crash.c
sed 's/assert(!"zero")/heddle_assume(0)/' load.c >assume.c
finds 'an assumption' "$one" --memory rc11 assume.c
sed 's/assert(!"zero")/atomic_store(\&y, 1), assert(!"zero")/' load.c >store.c
finds 'a store' "$one$zero" --memory rc11 store.c
sed 's/assert(!"zero")/atomic_fetch_add(\&x, 5), assert(!"zero")/' load.c >rmw.c
finds 'a read-modify-write' "$one$zero" --memory rc11 rmw.c
sed 's/assert(!"zero")/(pthread_mutex_lock(\&m), assert(!"zero"))/; s/atomic_store_explicit(&x.*/pthread_mutex_lock(\&m); & pthread_mutex_unlock(\&m);/' \
    load.c >lock.c
finds 'a lock' "$one$zero" --memory rc11 lock.c
sed 's/assert(!"one")/if (heddle_choose(3) == 1) assert(!"one")/' load.c >choose.c
finds 'a choice' "$one$zero" --memory rc11 choose.c
sed 's/assert(!"zero")/{ atomic_thread_fence(memory_order_seq_cst); assert(!"zero"); }/' load.c >fence.c
finds 'a fence' "$one$zero" --memory rc11 fence.c
sed 's/_relaxed/_seq_cst/' load.c >strong.c
finds 'as with sc' "$one$zero" --memory sc strong.c
finds 'without weaker atomics' "$one$zero" --memory rc11 strong.c

# A compare-exchange that both threads read the same store for, and a plain access that breaks.
{
    head_of
    cat <<'C'
static int plain, *nowhere;
static void *first(void *unused)
{
    int expected = 0;
    if (atomic_compare_exchange_strong(&x, &expected, 1)) assert(!"one");
    plain = 1; assert(!"zero");
    return unused;
}
static void *second(void *unused)
{
    int expected = 0;
    if (!atomic_compare_exchange_strong(&x, &expected, 2)) assert(!"never");
    atomic_store(&y, 1);
    return unused;
}
C
    tail_of
} >both.c
finds 'a compare-exchange' "$one$zero" --memory rc11 both.c
finds 'a compare-exchange, sc' "$one$zero" --memory sc both.c

# Races that the search over interleavings finds are replayed under C11's memory model, too, where fences are steps: every
# violation is shown, and its trace replays.
cat >fences.c <<'C'
#include <pthread.h>
static volatile unsigned head, tail;
static int slot;
static int exchange(volatile unsigned *to, unsigned expected, unsigned wanted)
{
    unsigned char done;
    __asm__ volatile("lock; cmpxchgl %2, %1; sete %0" : "=q"(done), "+m"(*to) : "r"(wanted), "a"(expected) : "memory");
    return done;
}
static void *put(void *unused)
{
    unsigned h;
    do
        h = head;
    while (!exchange(&head, h, h + 1));
    slot = 1;
    while (__atomic_load_n(&tail, __ATOMIC_RELAXED) != h)
        ;
    tail = h + 1;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    int seen = tail ? *(volatile int *)&slot : 0;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen > 1;
}
C
"$HEDDLE" cc -g -o fences fences.c
rm -rf traces
"$HEDDLE" check -q --keep-going --trace-dir traces ./fences >out 2>err
status=$? replayed=0 n=0
for trace in traces/*.trace; do
    n=$((n + 1))
    "$HEDDLE" replay -q ./fences "$trace" >/dev/null 2>&1
    [ $? = 1 ] && replayed=$((replayed + 1))
done
if [ "$status" = 1 ] && [ "$n" -gt 1 ] && [ "$replayed" = "$n" ]; then pass 'races of both searches, with fences'
else fail 'races of both searches, with fences' "exit status $status, $replayed of $n traces replay: $(first_lines err)"; fi

# Accesses of different sizes race, and which of them are events depends on which is met first.  A probe (for the estimate, with --paranoid
# after every execution) may meet another first; then the search begins again without probes.
for how in 1 2; do
    "$HEDDLE" cc -w -DHOW=$how -o sizes -x c - -pthread <<'C' || exit 1
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static struct __attribute__((packed, aligned(8))) {
    unsigned char c;
    union { unsigned long q; unsigned w[2]; unsigned short h[4]; struct __attribute__((packed)) { char low[3]; short mid; } p; } v;
} s;
static _Atomic unsigned char x;
static pthread_t second;
static void *two(void *unused)
{
    unsigned char e = 2;
    if (HOW == 1) {
        s.v.q = 0x200000002;
        s.v.h[0] = (unsigned short)(s.v.h[0] + 1);
        s.c = 2;
    } else {
        s.v.w[0] += 2;
        atomic_compare_exchange_strong(&x, &e, 2);
    }
    return unused;
}
static void *one(void *unused)
{
    if (HOW == 1) {
        pthread_create(&second, 0, two, 0);
        s.v.p.mid = 3;
        memset(&s.v, 1, sizeof s.v);
        if (s.v.h[1] != 0) {
            s.c = 0;
            s.c = 0;
            s.v.q = 0;
        }
        pthread_join(second, 0);
    } else {
        atomic_load(&x);
    }
    return unused;
}
int main(void)
{
    pthread_t first;
    memset(&s.v, 2, sizeof s.v);
    pthread_create(&first, 0, one, 0);
    if (HOW == 2) {
        pthread_create(&second, 0, two, 0);
        atomic_fetch_add(&x, 0);
        s.v.q = 0x200000002;
    }
    pthread_exit(0);
}
C
    for mode in '' --paranoid; do
        # shellcheck disable=SC2086
        timeout "$LIMIT" "$HEDDLE" check -q --keep-going --no-minimise --memory rc11 $mode --json "json$mode" --trace-dir traces sizes >out 2>err
    done
    plain=$(jq -c '[.verdict, .exhaustive, .executions, (.violations | length)]' json)
    case $plain in
    '["violation",true,'*) ;;
    *) plain="no result: $plain" ;;
    esac
    if [ "$plain" = "$(jq -c '[.verdict, .exhaustive, .executions, (.violations | length)]' json--paranoid)" ]; then
        pass "probes behind races of different sizes $how"
    else
        fail "probes behind races of different sizes $how" "$plain; $(first_lines err)"
    fi
done
