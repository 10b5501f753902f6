#!/bin/bash
# The violating run made small, and the orderings that decide it.
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

# forced TRACE JSON I: in the trace the late step of the i'th ordering comes before the early one.
forced() {
    local late early
    late=$(jq -r ".violations[0].deciding[$3].late | .thread + \" .*site=\(.site)( |$)\"" "$2")
    early=$(jq -r ".violations[0].deciding[$3].early | .thread + \" .*site=\(.site)( |$)\"" "$2")
    [ "$(grep -nE "^[0-9]+ $late" "$1" | head -n 1 | cut -d: -f1)" -lt \
      "$(grep -nE "^[0-9]+ $early" "$1" | tail -n 1 | cut -d: -f1)" ]
}

# file, fewest preemptions with which it can fail, from what the program does (of three
# philosophers only the first is preempted: the others stop at a fork that is taken)
while read -r name preemptions; do
    file=$ROOT/tests/$name.c
    run check --json j "$file"
    holds "$name: still a violation" [ "$status" = 1 ]
    holds "$name: $preemptions preemptions" jq -e ".violations[0].preemptions == $preemptions" j
    holds "$name: says what decides" grep -q 'had come before' out
    trace=$(jq -r '.violations[0].passing_trace' j)
    holds "$name: turned round, in its order" forced "$trace" j 0
    run replay "$file" "$(jq -r '.violations[0].trace' j)"
    holds "$name: the small run fails" [ "$status" = 1 ]
    run replay "$file" "$trace"
    holds "$name: turned round, it passes" [ "$status" = 0 ]
done <<'LIST'
bugs/lost_update 1
litmus/wrong/lock_order 1
litmus/wrong/lost_wakeup 1
litmus/wrong/philosophers 1
litmus/wrong/aba 1
litmus/wrong/two_preemptions 2
LIST

run check --no-minimise --json j "$ROOT/tests/bugs/lost_update.c"
holds '--no-minimise: no orderings' jq -e '.violations[0] | has("deciding") | not' j

# Three preemptions are needed by the schedule that a search of random walks finds first; one is
# enough, and none of the 20 steps of the bystander.
cat >far.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *bystander(void *unused) { for (int i = 0; i < 20; i++) y++; return unused; }
static void *adder(void *unused) { int old = x; x = old + 1; return unused; }
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, bystander, 0);
    pthread_create(&t[1], 0, adder, 0);
    pthread_create(&t[2], 0, adder, 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(x == 2);
    pthread_join(t[0], 0);
}
C
run check --strategy random:7 --json j far.c
holds 'random: one preemption is enough' jq -e '.violations[0].preemptions == 1' j
holds 'random: the bystander does not run' [ "$(grep -c '^[0-9]* T1 ' "$(jq -r '.violations[0].trace' j)")" = 0 ]

# Elements and members are named as the source would.
cat >names.c <<'END'
#include <assert.h>
#include <pthread.h>
struct cell {
    int a;
    struct {
        char c;
        short s[3];
    } b;
    union {
        int u;
        float f;
    };
    pthread_mutex_t lock;
};
static struct cell grid[2][3], *cell = &grid[1][2];
int table[4][5];
static void *work(void *unused)
{
    static int counts[3];
    pthread_mutex_lock(&grid[1][0].lock);
    cell->b.s[2]++;
    counts[1]++;
    grid[0][1].u = 1;
    pthread_mutex_unlock(&grid[1][0].lock);
    table[2][3]++;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(table[2][3] == 2);
}
END
run check -v --races off names.c
for words in 'lock grid\[1\]\[0\]\.lock' 'write grid\[1\]\[2\]\.b\.s\[2\] = ' 'counts\[1\] = ' \
    'write grid\[0\]\[1\]\.u = 1' 'read table\[2\]\[3\] = '; do
    holds "names: $words" grep -q "$words" out
done
holds 'names: what broke it stands at the end' grep -q '^    !     assertion .table\[2\]\[3\] == 2. failed' out
holds 'names: no file at every line' [ "$(grep -c 'names.c:[0-9]*  ' out)" = 0 ]

# Pointers by what they point to, signals by whom they wake, a lock that no thread can release any longer.
cat >points.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { struct node *next; int value; };
static struct node nodes[3];
static int numbers[4];
static struct node *_Atomic first;
static int *_Atomic number;
static void (*_Atomic call)(void);
static void nothing(void) { }
static void *work(void *unused)
{
    first = &nodes[2];
    number = &numbers[3];
    number = &nodes[1].value;
    call = nothing;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(!call || !first || !number);
}
END
run check -v points.c
for words in 'first = &nodes\[2\]$' 'number = &numbers\[3\]$' 'number = &nodes\[1\].value$' 'call = nothing$'; do
    holds "points: $words" grep -q "$words" out
done
while read -r name words; do
    run check -v "$ROOT/tests/bugs/$name.c"
    holds "$name: $words" grep -q "$words" out
done <<'LIST'
signal_wakes_the_wrong_one signal changed, wakes T2
lost_wakeup signal changed, nobody waits
missing_unlock to lock lock, which T1 held when it ended
barrier_short for the others at barrier phase
semaphore_order for a post of semaphore scanner
refcount_two_steps ^    ! .*use after free: read of 4 bytes at offset 0 of a freed block of 4$
LIST
