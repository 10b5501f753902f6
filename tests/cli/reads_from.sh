#!/bin/bash
# --strategy rf: executions in which each load reads the same store are one (docs/design/027-reads-from.md).
set -u
. "$(dirname "$0")/../lib.sh"
memory=$(cd "$(dirname "$0")/../memory" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# is NAME EXPECTED FILTER ARGUMENTS...: what the filter of jq gives of the result.
is() {
    local name=$1 expected=$2 filter=$3 got
    shift 3
    rm -rf traces json
    timeout "$LIMIT" "$HEDDLE" check -q --json json --trace-dir traces "$@" >out 2>err
    got=$(jq -c "$filter" json 2>/dev/null)
    if [ "$got" = "$expected" ]; then pass "$name"; else fail "$name" "$got, not $expected: $(first_lines err)"; fi
}
# replays NAME SOURCE: the first trace shows the violation again.
replays() {
    timeout "$LIMIT" "$HEDDLE" replay -q "$2" "$(jq -r '.violations[0].trace' json)" >out 2>err
    [ $? = 1 ] && pass "$1: replay" || fail "$1: replay" "$(first_lines err)"
}

cat >head.h <<'C'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
C

# N writers and one reader: it reads one of N stores, or the initial value.
cat >writers.c <<'C'
#include "head.h"
static atomic_int x;
static void *writer(void *n) { atomic_store(&x, (int)(long)n); return n; }
static void *reader(void *unused) { (void)atomic_load(&x); return unused; }
int main(void)
{
    pthread_t t[N + 1];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, writer, (void *)(i + 1));
    pthread_create(&t[N], 0, reader, 0);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], 0);
}
C
for n in 2 3 4 5 6 7 8; do
    is "$n writers and a reader" "[\"verified\",$((n + 1)),0]" '[.verdict, .executions, .blocked]' --strategy rf --paranoid -DN=$n writers.c
done
is 'the same with two workers' '["verified",9]' '[.verdict, .executions]' --strategy rf -j 2 -DN=8 writers.c
is 'traces of the same program' '["verified",24]' '[.verdict, .executions]' --strategy optimal -DN=3 writers.c
"$HEDDLE" check --strategy rf -DN=2 writers.c >out 2>err
grep -q 'executions in which each load reads the same store are one' out && pass 'what an execution is' ||
    fail 'what an execution is' "$(first_lines out)"

# What main loads after the joins is the last store of one thread or the other; memory is not asked.
cat >last.c <<'C'
#include "head.h"
static atomic_int x;
static void *writer(void *n) { atomic_store(&x, (int)(long)n); return n; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, (void *)1);
    pthread_create(&b, 0, writer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int v = atomic_load(&x);
#ifdef FAILS
    assert(v != FAILS);
#endif
    assert(v == atomic_load(&x));
}
C
is 'the last store is loaded' '["verified",2]' '[.verdict, .executions]' --strategy rf last.c
for v in 1 2; do
    is "store $v may be the last" '["violation","assertion"]' '[.verdict, .violations[0].kind]' --strategy rf -DFAILS=$v last.c
    replays "store $v may be the last" last.c
done

# Stores that race with each other, and nobody reads.
cat >race.c <<'C'
#include "head.h"
static int x;
static void *writer(void *n) { x = (int)(long)n; return n; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, (void *)1);
    pthread_create(&b, 0, writer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
is 'two stores race' '["violation","data-race"]' '[.verdict, .violations[0].kind]' --strategy rf race.c
is 'the order of two stores is not explored' '["no-violation-found",1]' '[.verdict, .executions]' --strategy rf --races off race.c

# The reader waits for 1.  If 2 comes last it waits for ever, though both stores are there; if 1 is stored by a thread that has
# read 2, it cannot come last.
cat >wait.c <<'C'
#include "head.h"
static atomic_int x;
static void *one(void *unused) { ORDERED; atomic_store(&x, 1); return unused; }
static void *two(void *unused) { atomic_store(&x, 2); return unused; }
static void *reader(void *unused)
{
    while (atomic_load(&x) != 1)
        ;
    return unused;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&c, 0, reader, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
C
is 'a loop that waits for ever' '["violation","deadlock"]' '[.verdict, .violations[0].kind]' --strategy rf '-DORDERED=(void)0' wait.c
replays 'a loop that waits for ever' wait.c
is 'a loop that is left' '"verified"' .verdict --strategy rf '-DORDERED=while (atomic_load(&x) != 2)' wait.c

# Memory holds one of the stores only: what reads it otherwise than by loads is refused, unless it is known which.
cat >bytes.c <<'C'
#include "head.h"
static struct { atomic_int x, y; } s;
static void *writer(void *n) { atomic_store(&s.x, (int)(long)n); return n; }
int main(void)
{
    pthread_t a, b;
    char copy[sizeof s];
    pthread_create(&a, 0, writer, (void *)1);
    JOIN;
    pthread_create(&b, 0, writer, (void *)2);
    LOAD;
    pthread_join(b, 0);
    if (!(JOINED))
        pthread_join(a, 0);
    memcpy(copy, &s, sizeof s);
    return copy[1];
}
C
refuses() {
    expect_error "$1" "$2" "$HEDDLE" check -q --strategy rf "${@:3}"
}
refuses 'many bytes' 'bytes.c:15.*rf\) does not know an access of many bytes.*: use --strategy optimal' \
    -DJOIN= -DJOINED=0 -DLOAD= bytes.c
is 'many bytes, last store known' '["verified",1]' '[.verdict, .executions]' --strategy rf '-DJOIN=pthread_join(a, 0)' -DJOINED=1 -DLOAD= bytes.c
sed 's/memcpy.*/heddle_observe(\&s, sizeof s); copy[1] = 0;/' bytes.c >observe.c
refuses 'an observation' 'does not know which store of what heddle_observe\(\) is given was the last: use --strategy optimal' \
    -DJOIN= -DJOINED=0 -DLOAD= observe.c
refuses 'another memory model' 'rf explores interleavings: leave out --memory rc11' --memory rc11 last.c
is '--memory sc' '["verified",2,"sequential consistency"]' '[.verdict, .executions, .memory_model]' --strategy rf --memory sc last.c

# The result of a join is a store like others.
cat >result.c <<'C'
#include "head.h"
static void *result;
static void *give(void *n) { return n; }
static void *look(void *unused) { assert(result == (void *)2); return unused; }
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, give, (void *)1);
    pthread_create(&b, 0, give, (void *)2);
    BEFORE;
    pthread_join(a, 0);
    pthread_join(b, &result);
    pthread_create(&c, 0, look, 0);
    pthread_join(c, 0);
}
C
is 'the result of a join' '"verified"' .verdict --strategy rf '-DBEFORE=result = 0' result.c
is 'the result of a join, first' '"verified"' .verdict --strategy rf -DBEFORE= result.c

# Stores of different bytes: a load of all of them has what was stored into each, whichever it reads.
cp "$memory/apart.c" .
is 'stores of different bytes' '"verified"' .verdict --strategy rf -DFIRST=0 apart.c
for v in 0 1; do
    is "stores of different bytes, $v is late" '["violation",["assertion"]]' '[.verdict, [.violations[].kind]]' --strategy rf \
        -DFIRST=0 -DREADS=$v apart.c
done
