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
