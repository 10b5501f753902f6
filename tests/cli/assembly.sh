#!/bin/bash
# Inline assembly: locks of every atomic instruction, and the same without lock; what is not understood is named.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# verdict NAME EXPECTED ARGUMENTS...: the verdict, the violation first shown, and what is undischarged.
verdict() {
    local name=$1 expected=$2 got
    shift 2
    timeout "$LIMIT" "$HEDDLE" check -q --trace-dir "$tmp/traces" --json "$tmp/json" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$(jq -rc '[.verdict, (.violations[0].kind // empty)] | join(" ")' "$tmp/json" 2>/dev/null)
    if [ "$got" = "$expected" ]; then pass "$name"; else fail "$name" "expected $expected, got $got: $(first_lines "$tmp/out") $(first_lines "$tmp/err")"; fi
}
for how in 1 2 3 4 5 6 7; do
    verdict "a right lock, $how" verified --cc-flags -DHOW=$how "$ROOT/tests/litmus/correct/asm_spinlocks.c"
done
for how in 1 2 3; do
    verdict "a wrong lock, $how" 'violation assertion' --cc-flags -DHOW=$how "$ROOT/tests/litmus/wrong/asm_spinlocks.c"
done
verdict 'a locked instruction of the stack is a fence' verified --cc-flags -DSTACK "$ROOT/tests/litmus/correct/asm_dekker.c"

# Not understood: named with its line, and both orders are tried.
for code in 'movnti %1,%0' 'cmpxchgl %1,%0' 'movl %1,%%ecx; movl %%ecx,%0'; do
    cat >"$tmp/other.c" <<EOF
#include <pthread.h>
#include <stdatomic.h>
static int place;
static void *set(void *unused)
{
    __asm__ volatile("$code" : "=m"(place) : "r"(1) : "ecx", "eax"CLOBBER);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int seen = __atomic_load_n(&place, __ATOMIC_SEQ_CST);
    pthread_join(t, 0);
    return seen == 1 && WANT;
}
EOF
    for clobber in '' ',"memory"'; do
        verdict "$code$clobber" no-violation-found --cc-flags "-DWANT=0 '-DCLOBBER=$clobber'" "$tmp/other.c"
        if jq -e '.downgrades | any(test("inline assembly may touch memory unseen: asm at .*other.c:6"))' "$tmp/json" >/dev/null; then
            pass "… is named"
        else fail "… is named" "$(jq -c .downgrades "$tmp/json")"; fi
    done
done
verdict 'both orders are tried' 'violation abort' --cc-flags "-DWANT=1 '-DCLOBBER='" "$tmp/other.c"

# An exchange of 16 bytes that only one thread makes: the compiler has code for it.
cat >"$tmp/wide.c" <<'C'
#include <assert.h>
struct pair { unsigned long low, high; } __attribute__((aligned(16)));
static int exchange(struct pair *p, unsigned long low, unsigned long high)
{
    unsigned long a = p->low, d = p->high;
    unsigned char done;
    __asm__ volatile("lock cmpxchg16b %1; setz %0" : "=q"(done), "+m"(*p), "+a"(a), "+d"(d) : "b"(low), "c"(high) : "cc");
    return done;
}
int main(void)
{
    struct pair mine = { 1, 2 };
    assert(exchange(&mine, 3, 4) && mine.low == 3 && mine.high == 4);
}
C
verdict 'cmpxchg16b of a local' verified "$tmp/wide.c"

# The result in the register of the expected value, which is wider (DPDK's rte_atomic32_cmpset): one of two threads wins.
cat >"$tmp/same.c" <<'C'
#include <assert.h>
#include <pthread.h>
static unsigned word;
static int won[2];
static int exchange(volatile unsigned *to, unsigned expected, unsigned wanted)
{
    unsigned char done;
    __asm__ volatile("lock ; cmpxchgl %[wanted], %[to]; sete %[done];"
                     : [done] "=a"(done), [to] "=m"(*to)
                     : [wanted] "r"(wanted), "a"(expected), "m"(*to)
                     : "memory");
    return done;
}
static void *try(void *mine)
{
    *(int *)mine = exchange(&word, EXPECTED, 0x101);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, try, &won[0]);
    try(&won[1]);
    pthread_join(t, 0);
    assert(won[0] + won[1] == WINNERS);
}
C
verdict 'the result in the register of the expected value' verified --cc-flags '-DEXPECTED=0 -DWINNERS=1' "$tmp/same.c"
verdict '… is right' 'violation assertion' --cc-flags '-DEXPECTED=0 -DWINNERS=2' "$tmp/same.c"
verdict '… if it fails, too' verified --cc-flags '-DEXPECTED=0x100 -DWINNERS=0' "$tmp/same.c"

# A request of valgrind.h: its result is the default, and it touches nothing.
cat >"$tmp/valgrind.c" <<'C'
#include <assert.h>
#include <pthread.h>
static unsigned long request(unsigned long otherwise)
{
    volatile unsigned long args[6] = { 0x1001, 0, 0, 0, 0, 0 };
    volatile unsigned long result;
    __asm__ volatile("rolq $3,  %%rdi ; rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
                     "xchgq %%rbx,%%rbx"
                     : "=d"(result) : "a"(&args[0]), "0"(otherwise) : "cc", "memory");
    return result;
}
static void *ask(void *unused)
{
    assert(request(7) == WANT);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, ask, 0);
    ask(0);
    pthread_join(t, 0);
}
C
verdict 'a request to Valgrind' verified --cc-flags -DWANT=7 "$tmp/valgrind.c"
verdict 'a request to Valgrind: its result' 'violation assertion' --cc-flags -DWANT=0 "$tmp/valgrind.c"
sed 's/\$51/$50/' "$tmp/valgrind.c" >"$tmp/other.c"
verdict 'something like it is not understood' no-violation-found --cc-flags -DWANT=7 "$tmp/other.c"
if "$HEDDLE" cc -g -o "$tmp/wide" "$tmp/wide.c" && "$tmp/wide"; then pass 'a barrier without heddle'; else fail 'a barrier without heddle' "status $?"; fi
