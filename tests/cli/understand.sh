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
run() { COLUMNS=200 "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; } # no line is wrapped

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
while read -r name words; do # in the order of threads, which leads to these runs
    run check -v --strategy optimal "$ROOT/tests/bugs/$name.c"
    holds "$name: $words" grep -q "$words" out
done <<'LIST'
signal_wakes_the_wrong_one signal changed, wakes T2
lost_wakeup signal changed, nobody waits
missing_unlock to lock lock, which T1 held when it ended
barrier_short for the others at barrier phase
semaphore_order for a post of semaphore scanner
refcount_two_steps ^    ! .*use after free: read of 4 bytes at offset 0 of a freed block of 4$
LIST

# Why: the chain of reads and writes behind the value that fails, which is never folded.
run check "$ROOT/tests/bugs/lost_update.c"
holds 'why: a lost update' grep -A3 '^why$' out
tr -s ' \n' ' ' <out >flat
holds 'why: … what was overwritten' grep -q 'over the 1 of T2 (step [0-9]*), which T1 had not seen: it had read 0 before' flat
cat >slots.c <<'C'
#include <assert.h>
#include <pthread.h>
static int slot[2], at;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *put(void *number)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        slot[at] = (int)(long)number + i; /* the slot may be full */
        at = 1 - at;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, (void *)10);
    pthread_create(&b, 0, put, (void *)20);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(slot[0] + slot[1] == 23);
}
C
run check --json j slots.c
tr -s ' \n' ' ' <out >flat
holds 'why: a sum' grep -qE 'main read slot\[[01]\] = [0-9]* at slots.c:2[0-9] \(step [0-9]*\): T[12] wrote slot' flat
holds 'why: nobody had read it' grep -qE 'over the [0-9]* of T[12] \(step [0-9]*\), which nobody had read' flat
for step in $(grep -o '(step [0-9]*)' flat | tr -dc '0-9\n' | sort -u); do
    holds "why: step $step is not folded" grep -qE "^ *$step " out
done
holds 'why: in JSON' jq -e '.violations[0].why | length > 1' j
holds 'what decides: nothing about steps that are not reached' [ "$(grep -c 'not reached' out)" = 0 ]

# A narrow page without a terminal.
COLUMNS=60 "$HEDDLE" check slots.c >out 2>err
holds 'COLUMNS' [ "$(sed -n '/^ step/,/^why/p' out | awk 'length > 60' | wc -l)" = 0 ]

# Nine threads of which two matter: one preemption, as with three threads.
cat >nine.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int z;
static void *bystander(void *u) { for (int i = 0; i < 5; i++) y++; return u; }
static void *adder(void *u) { y++; y++; int old = x; x = old + 1; return u; }
static void *racer(void *u) { y++; y++; y++; z++; y++; return u; }
int main(void)
{
    pthread_t t[9];
    for (int i = 0; i < 9; i++)
        pthread_create(&t[i], 0, i % 4 != 3 ? bystander : WHICH, 0);
    for (int i = 0; i < 9; i++)
        pthread_join(t[i], 0);
    assert(x == 2 || WHICH != adder);
}
C
for seed in 3 5; do
    run check --strategy random:$seed -DWHICH=adder --json j nine.c
    holds "nine threads, seed $seed: one preemption" jq -e '.violations[0].preemptions == 1' j
done
run check --strategy random:3 -DWHICH=racer --executions 200 --json j nine.c
holds 'nine threads: a race with one preemption' jq -e '.violations[0] | .kind == "data-race" and .preemptions <= 1' j

# The way into a livelock is short: each thread takes its lock, with one preemption, and the cycle is shown once.
run check --no-earlier "$ROOT/tests/cli/screens/livelock.c"
sed -n '1,/from here on, for ever/p' out >way
holds 'livelock: a short way' [ "$(grep -cE '^ +[0-9]+ > ' way)" = 1 ]
holds 'livelock: one cycle' [ "$(grep -c 'and again from step' out)" = 1 ]

# So is the way into an endless loop.
cat >hang.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *spin(void *u)
{
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    if (n == 7)
        for (;;)
            ;
    return u;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, spin, 0);
    pthread_create(&b, 0, spin, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
run check --no-earlier --races off --json hang.json hang.c
holds 'endless loop: one preemption' [ "$(jq '.violations[0].preemptions' hang.json)" -le 2 ]

# A broadcast says whom it wakes: both threads wait before main sends it.
cat >broadcast.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, all = PTHREAD_COND_INITIALIZER;
static int waiting, started;
static void *wait_for_it(void *u)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_signal(&all);
    while (!started)
        pthread_cond_wait(&go, &m);
    pthread_mutex_unlock(&m);
    return u;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, wait_for_it, 0);
    pthread_mutex_lock(&m);
    while (waiting < 2)
        pthread_cond_wait(&all, &m);
    started = 1;
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&m);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(!started);
}
C
run check --no-earlier -v broadcast.c
holds 'broadcast: whom it wakes' grep -qF 'broadcast go, wakes T1 and T2' out

# Who waits for what: without the steps, and for programs that read JSON.
run check --no-earlier -q --json j "$ROOT/tests/litmus/wrong/lock_order.c"
holds '-q: a deadlock has its waits' [ "$(grep -cE '^  T[12] waits at .* to lock .*, which T[12] holds since' out)" = 2 ]
holds '-q: no steps' [ "$(grep -c '^ step' out)" = 0 ]
holds 'JSON: object and holder' jq -e '[.violations[0].waiting[] | select(.op == "lock")] | length == 2 and
    all(.object != "" and (.holder | test("^T[12]$")) and .holder != .thread and .held_since.line > 0) and .[0].object != .[1].object' j
holds 'JSON: whom a thread joins' jq -e '.violations[0].waiting[] | select(.op == "join") | .holder == "T1"' j
trace=$(jq -r '.violations[0].trace' j)
holds 'JSON: the steps are those of the trace' [ "$(jq '.violations[0].steps' j)" = "$(grep -cE '^[0-9]+ ' "$trace")" ]

# The look of an assertion is not what decides, if something before it does.
cat >alive.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int owners = 1, alive = 1;
static void *drop(void *u) { if (atomic_fetch_sub(&owners, 1) == 1) alive = 0; return u; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, drop, 0);
    if (owners == 0)
        return 0;
    owners++;
    assert(alive);
    pthread_join(t, 0);
}
C
run check --no-earlier alive.c
tr -s ' \n' ' ' <out >flat
holds 'what decides: not the symptom' grep -qE 'what decides if (main|T1).s update of owners ' flat
run check --no-earlier -v alive.c
holds 'what decides: the symptom last' [ "$(sed -n '/^what decides/,/would pass/p' out | grep -c 'of alive')" -le 2 ]

# A loop that waits: for what, and what it has seen.
cat >turn.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn = 7;
static void *work(void *arg)
{
    int me = (int)(long)arg;
    while (turn != me)
        ;
    turn = me + 1;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)7);
    pthread_join(b, 0);
    pthread_join(a, 0);
}
C
run check --no-earlier -q turn.c
holds 'a waiting loop: what it has seen' grep -qE '^  T1 waits at turn.c:7 .work. for a write of turn, which is 8$' out

# Of a long line with several statements, that of the step is shown, whatever is in strings and brackets before it.
cat >statements.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *one(void *u) { pthread_mutex_lock(&m); if (!u) puts("a;{\";"); for (int i = 0; i < 1; i++) count = count + 1; pthread_mutex_unlock(&m); return u; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, &t);
    pthread_join(t, 0);
    assert(!count);
}
C
COLUMNS=80 "$HEDDLE" check --no-earlier -v statements.c >out 2>err
tr -s ' \n' ' ' <out >flat
for words in 'pthread_mutex_lock(&m); if .* lock m' 'for (int i = 0; i < 1; i++) count .* read count = 0' 'pthread_mutex_unlock(&m); return u; } [0-9]* unlock m'; do
    holds "a long line: $words" grep -q -- ":6 \.\. $words" flat
done

# A thread that has only looked is left out, where a thread waits is said once, and no name is broken.
cat >bystander.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stop, seen;
static void *worker(void *tells)
{
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&work, &lock);
    pthread_mutex_unlock(&lock);
#ifdef TELLS
    if (seen < 2)
        seen++;
#endif
    return tells;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    stop = 1;
    pthread_cond_broadcast(&work);
#ifdef TELLS
    while (!seen)
        ;
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
}
C
COLUMNS=80 "$HEDDLE" check --no-earlier bystander.c >out 2>err
holds 'a bystander: no column' [ "$(grep -c '^ step .*T[12] worker.*T[12] worker' out)" = 0 ]
holds 'a bystander: its steps are counted' grep -qE '^ +\.\.\. 5 more steps of T[12]$' out
holds 'a wait: its line once' [ "$(grep -c ':10  pthread_cond_wait' out)" = 1 ]
holds 'a wait: in rows' [ "$(grep -c '^    !  *waits for ever$' out)" = 2 ]
COLUMNS=80 "$HEDDLE" check --no-earlier -DTELLS bystander.c >out 2>err
holds 'no bystander: it tells main something' grep -q '^ step .*T[12] worker.*main' out
holds 'no bystander: its write' grep -q ' rmw seen: 0 -> 1' out
COLUMNS=60 "$HEDDLE" check --no-earlier -DTELLS bystander.c >out 2>err
holds 'a narrow column: whole names' [ "$(grep -cE '(pthread_|mutex_|cond_) *$' out)" = 0 ]

# Of nine threads, those that the report tells of.
cp "$ROOT/tests/cli/screens/nine.c" .
COLUMNS=80 "$HEDDLE" check --no-earlier nine.c >out 2>err
holds 'many threads: few of them' [ "$(sed -n '/^why/q;/T[0-9] work/p' out | wc -l)" -lt 6 ]
holds 'many threads: the lost write' grep -qE '^why$' out

# The condition between two lines with steps; how many steps the run has that is shown.
cat >between.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sequence, a, b;
static void *write_both(void *unused) { sequence++; a = 1; b = 1; sequence++; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, write_both, 0);
    int before = sequence, x = a, y = b;
    if (before < 0)
        return 1;
    if (before % 2 == 0)
        assert(x == y);
    pthread_join(t, 0);
}
C
run check --no-earlier between.c
holds 'a condition: the one that holds' grep -q '^ *:13  if (before % 2 == 0)' out
holds 'a condition: no other' [ "$(grep -c ':11  if' out)" = 0 ]
cat >steps.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static struct node { _Atomic(struct node *) next; } dummy, nodes[2];
static _Atomic(struct node *) tail = &dummy;
static void *push(void *mine) { struct node *before = tail; tail = mine; before->next = mine; return NULL; }
int main(void)
{
    pthread_t a, b;
    int n = 0;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *at = dummy.next; at; at = at->next)
        n++;
    assert(n == 2);
}
C
run check --no-earlier --json j steps.c
steps=$(jq '.violations[0].steps' j)
holds 'steps: no fewer than the run has' [ "$(sed -n 's/.*, at most \([0-9]*\) scheduled steps.*/\1/p' out)" -ge "$steps" ]
