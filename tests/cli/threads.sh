#!/bin/bash
# Threads without end are a bound (--threads), which the verdict names; what is found below it counts.  Functions of the
# program may have names of the C library.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# verdict NAME EXPECTED ARGUMENTS...: the verdict, the kinds of violations, whether the bound is named, threads.
verdict() {
    local name=$1 expected=$2 got
    shift 2
    timeout "$LIMIT" "$HEDDLE" check -q --json json "$@" >out 2>err </dev/null
    got=$(jq -rc '[.verdict, (.violations | map(.kind) | unique[]), (.undischarged | index("threads") != null)] | join(" ")' json 2>/dev/null)
    if [ "$got" = "$expected" ]; then pass "$name"; else fail "$name" "expected $expected, got $got: $(first_lines out) $(first_lines err)"; fi
}
cat >endless.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;
static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    assert(++n != WRONG);
#ifdef WAITS /* for what main would do after the last thread */
    while (n < 1000)
        pthread_cond_wait(&c, &m);
#endif
    pthread_mutex_unlock(&m);
#ifdef CHAIN
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
#endif
    return unused;
}
int main(void)
{
#ifdef CHAIN
    work(0);
    pthread_exit(0);
#endif
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
#ifndef WAITS
        pthread_join(t, 0);
#endif
    }
}
EOF
verdict 'without end: the default' 'no-violation-found true' --cc-flags -DWRONG=1000 endless.c
got=$(grep -o 'thread too many, .* and [0-9]* threads' out | grep -o '[0-9]* threads')
[ "$got" = '256 threads' ] && grep -q '(--threads 256): t at endless.c:'"$(grep -n 'for (;;)' endless.c | sed 's/:.*//' | awk '{ print $1 + 2 }')" out && pass '… is 256' || fail '… is 256' "$(first_lines out)"
for how in '' '-j 2' '--strategy stateful' '--strategy brute' '--strategy source' '--memory rc11' '--strategy random --executions 5'; do
    # shellcheck disable=SC2086
    verdict "--threads 5 $how" 'no-violation-found true' --threads 5 $how --cc-flags -DWRONG=1000 endless.c
done
verdict 'each creates the next' 'no-violation-found true' --threads 6 --cc-flags '-DWRONG=1000 -DCHAIN' endless.c
verdict 'who waits for a thread that stands still is not stuck' 'no-violation-found true' --threads 3 --cc-flags '-DWRONG=1000 -DWAITS' endless.c
for flags in -DWRONG=4 '-DWRONG=4 -DCHAIN'; do
    verdict "found below the bound, $flags" 'violation assertion false' --keep-going --threads 6 --cc-flags "$flags" endless.c
    timeout "$LIMIT" "$HEDDLE" replay endless.c "$(jq -r '.violations[0].trace' json)" >out 2>&1
    [ $? = 1 ] && pass '… replays' || fail '… replays' "$(first_lines out)"
done
verdict 'not found beyond it' 'no-violation-found true' --threads 4 --cc-flags -DWRONG=4 endless.c
printf '#include <pthread.h>\nstatic void *f(void *u) { return u; }\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n    return pthread_join(t, 0);\n}\n' >two.c
verdict 'a bound that is not reached' 'verified false' --threads 2 two.c
verdict 'a bound of one thread' 'no-violation-found true' --threads 1 two.c
expect_error 'a bad number' '--threads 257: ' "$HEDDLE" check --threads 257 two.c
expect_error 'none' '--threads 0: ' "$HEDDLE" check --threads 0 two.c

for name in read index select accept send poll open wait pause stat; do
    cat >own.c <<EOF
#include <assert.h>
#include <pthread.h>
static int n;
int $name(int by);
int $name(int by)
{
    n += by;
    return n;
}
static void *work(void *unused)
{
    $name(2);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return $name(3) != 5;
}
EOF
    verdict "a function of its own, $name" 'verified false' --cc-flags '-fno-builtin -Wno-incompatible-library-redeclaration' own.c
done
sed -i 's/    pthread_join(t, 0);/    stat(1);\n&/' own.c
verdict '… is seen' 'violation abort data-race false' --keep-going --cc-flags '-fno-builtin -Wno-incompatible-library-redeclaration' own.c
