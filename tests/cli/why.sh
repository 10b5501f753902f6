#!/bin/bash
# Every sentence of "why" is true by the steps of its run (why.py), and says what it can.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
judge=$(realpath "$(dirname "$0")/why.py")
cd "$tmp" || exit 2

# program NAME: main creates threads for `one` and `two` of the standard input, and then asserts CHECK.
program() {
    {
        printf '#include <%s.h>\n' assert pthread stdatomic stdio stdlib string
        cat
        cat <<'C'
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    CHECK;
}
C
    } >"$1.c"
}

# why NAME PATTERN: the sentences are true, and together match.  A pattern of - : there are none.
why() {
    "$HEDDLE" check --no-earlier --json j "$1.c" >out 2>err </dev/null
    local status=$? said words
    [ "$status" = 1 ] || { fail "$1" "status $status: $(first_lines err)"; return; }
    said=$(python3 "$judge" j 2>&1)
    case $?:$2 in
        0:- | 1:*) fail "$1" "$said $(jq -r '.violations[0].why[]' j)"; return ;;
        3:-) [ "$(grep -c '^why$' out)" = 0 ] && pass "$1: no why" || fail "$1: no why" "a heading without a sentence"; return ;;
        0:*) ;;
        *) fail "$1" "no sentence $said"; return ;;
    esac
    words=$(jq -r '[.violations[] | .why[]?] | join("; ")' j)
    [[ $words =~ $2 ]] && pass "$1" || fail "$1" "$words"
}

M='static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(x) (pthread_mutex_lock(&m), (x), pthread_mutex_unlock(&m))'

# A copy reads its source: somebody has seen the 3.
program copy_reads <<C
$M
struct ten { int a, b, c, d[7]; };
static struct ten shared, seen;
static void *one(void *u) { LOCKED(memcpy(&seen, &shared, sizeof seen)); return u; }
static void *two(void *u) { LOCKED(shared.c = 3); LOCKED(shared.c = 4); return u; }
#define CHECK if (seen.c == 3) assert(shared.c == 3)
C
why copy_reads 'T2 wrote shared\.c = 4 at copy_reads\.c:[0-9]* \(step [0-9]*\)(;|$)'

# A call that writes, and of which the log has no value, is the last to write.
program call_writes <<C
$M
static char name[16] = "none";
static void *one(void *u) { LOCKED(strcpy(name, "alice")); return u; }
static void *two(void *u) { LOCKED(snprintf(name, sizeof name, "%s%d", "bob", 1)); return u; }
#define CHECK assert(name[0] == 'a')
C
why call_writes "read name\[0\] = 'b' .*: T2 called a function that may write it, at call_writes\.c"

# A structure is no first member, and not the value of that.
program structure <<C
$M
static struct ten { int a, b, c, d[7]; } shared;
static void *one(void *u) { LOCKED(shared.c = 7); return u; }
static void *two(void *u) { struct ten fresh = { .a = 1, .c = 9 }; LOCKED(shared = fresh); return u; }
#define CHECK assert(shared.c == 7)
C
why structure 'read shared\.c = 9 .*: T2 wrote it as part of 40 bytes at structure\.c'

program fill <<C
$M
static int row[8];
static void *one(void *u) { LOCKED(row[3] = 7); return u; }
static void *two(void *u) { LOCKED(memset(row, 0, sizeof row)); return u; }
#define CHECK assert(row[3] == 7)
C
why fill 'read row\[3\] = 0 .*: T2 wrote it as part of 32 bytes'

program part <<C
$M
static union { int whole; char bytes[4]; } u;
static void *one(void *v) { LOCKED(u.whole = 0x01020304); return v; }
static void *two(void *v) { LOCKED(u.bytes[1] = 9); return v; }
#define CHECK assert(u.whole == 0x01020304)
C
why part '(T2 wrote 1 byte of it|T1 wrote u.* = )'

# What realloc and strdup copy is in no step: nobody knows who wrote it.
program moved <<C
static int *block;
static char *text;
static void *one(void *u) { block = malloc(4); block[0] = 5; block = realloc(block, 400); return u; }
static void *two(void *u) { text = strdup("hey"); return u; }
#define CHECK assert(block[0] == 6 || text[0] == 'x')
C
why moved '(T1 wrote block = |T2 wrote text = )'

# Nobody: a global variable that no step has written.  In an atomic section there are no steps.
program never <<'C'
static int flag, unused;
static void *one(void *u) { return u; }
static void *two(void *u) { if (unused) flag = 1; return u; }
#define CHECK assert(flag == 1)
C
why never 'read flag = 0 .*: nobody had written it in this run'
program section <<'C'
#include <heddle.h>
static int flag;
static void *one(void *u) { heddle_atomic_begin(); flag = 2; heddle_atomic_end(); return u; }
static void *two(void *u) { return u; }
#define CHECK assert(flag == 1)
C
why section -

# Through locals and arguments to the reads that made them, and to no others; nothing about values from before the threads.
program elsewhere <<C
$M
static int x[2];
static void *one(void *u) { LOCKED(x[0]++); return u; }
static void *two(void *u) { LOCKED(x[1] += 2); return u; }
#define CHECK int local[2] = { x[0], x[1] }; \\
    assert_about(local)
static void assert_about(int *local)
{
    assert(local[0] == 2);
}
C
why elsewhere '^main read x\[0\] = 1 at [^;]*: T1 wrote x\[0\] = 1 at [^;]*$'
cat >before.c <<'C'
#include <assert.h>
#include <pthread.h>
static int limit, x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *u) { pthread_mutex_lock(&m); x += limit; pthread_mutex_unlock(&m); return u; }
int main(void)
{
    pthread_t t;
    limit = 1;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    limit = 2;
    assert(x == limit);
}
C
why before 'main wrote limit = 2 .*T1 wrote x = 1'
words=$(jq -r '.violations[0].why[]' j)
[[ $words != *'limit = 1'* ]] && pass 'before: nothing from before the threads' || fail 'before: nothing from before the threads' "$words"

# Through a value that a thread passes on, and over what nobody has read.
program passed_on <<C
$M
static int from, to;
static void *one(void *u) { LOCKED(from = 1000); LOCKED(from = 1001); return u; }
static void *two(void *u) { LOCKED(to = from); return u; }
#define CHECK assert(to != 1001)
C
why passed_on 'T2 wrote to = 1001 .*T2 read from = 1001 .*T1 wrote from = 1001 .* over the 1000 of T1 \(step [0-9]*\), which nobody had read'

# Values that come too late.
program late <<'C'
static atomic_int a, b;
static void *one(void *u) { a = 1; b = 1; return u; }
static void *two(void *u)
{
    int x = a, y = b;
    if (y)
        assert(x == y);
    return u;
}
#define CHECK ((void)0)
C
why late 'T2 read b = 1 .*: T1 wrote b = 1 .*; T2 read a = 0 .*: nobody had written it yet; then T1 wrote a = 1 '

# To the end of the chain: T2 passes on what nobody has written yet.
program too_early <<'C'
static atomic_int from, to, end;
static void *one(void *u) { from = 5; return u; }
static void *two(void *u) { to = from; int x = to; end = x + 1; return u; }
#define CHECK assert(end == 6)
C
why too_early 'main read end = 1 .*T2 wrote end = 1 .*; T2 read from = 0 .*: nobody had written it yet; then T1 wrote from = 5 '

# Of several threads that changed what was checked, the one is named whose order decides: T2 inserts something else.
cat >sessions.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long ids[3];
static int n;
static void *client(void *id)
{
    int found = 0;
    pthread_mutex_lock(&m);
    for (int i = 0; i < n; i++)
        found |= ids[i] == (long)id;
    pthread_mutex_unlock(&m);
    if (found)
        return NULL;
    pthread_mutex_lock(&m);
    ids[n++] = (long)id;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, client, (void *)(i == 1 ? 8L : 7L));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(n == 2);
}
C
why sessions 'T[13] checked n = [^;]*; T[13] wrote n = '

# What an assertion says about its locals: the program prints the same values itself.
program locals <<'C'
enum state { IDLE, RUNNING = 3 };
static atomic_int a, b;
static _Atomic double d;
static struct node { int k; } nodes[2];
static struct node *_Atomic first;
static void *one(void *u) { a = 1; b = 1; d = 2.5; first = &nodes[1]; return u; }
static void *two(void *u)
{
    int x = a, y = b;
    enum state s = RUNNING;
    char c = 'q';
    unsigned char byte = (unsigned char)(x + 200);
    printf("x = %d, y = %d, s = %s, c = '%c', byte = %d\n", x, y, s == RUNNING ? "RUNNING" : "IDLE", c, byte);
    fflush(stdout);
    assert(x == y || (s == IDLE && c == byte));
    return u;
}
#define CHECK ((void)d)
C
why locals 'T2 read a = 1 .*: T1 wrote a = 1 .*T2 read b = 0 .*: nobody had written it in this run'
# told NAME: the values of the message are those that the program has printed.
told() {
    local said printed
    said=$(jq -r '.violations[0].message' j)
    printed=$("$HEDDLE" replay "$1.c" "$(jq -r '.violations[0].trace' j)" 2>/dev/null | sed -n 's/^ *| \(.* = \)/\1/p')
    [ -n "$printed" ] && [ "${said#*failed: }" = "$printed" ] && pass "$1: values" || fail "$1: values" "$said instead of $printed"
}
told locals

program pointers <<'C'
static struct node { int k; } nodes[2];
static struct node *_Atomic first;
static _Atomic double d = 1;
static void *one(void *u) { first = &nodes[1]; d = 2.5; return u; }
static void *two(void *u)
{
    struct node *n = first;
    double e = d;
    if (n && e > 1) {
        puts("n = &nodes[1], e = 2.5");
        fflush(stdout);
        assert(!n && e == 1);
    }
    return u;
}
#define CHECK ((void)0)
C
why pointers 'read first = &nodes\[1\]'
told pointers

# No value of what the condition changes itself, of what may have none, and of what other threads can reach.
program silent <<'C'
static atomic_int a;
static int *_Atomic shared;
static void *one(void *u) { a = 1; int *p = shared; if (p) *p = 4; return u; }
static void *two(void *u)
{
    int changes = a, open, reached = 3;
    if (changes)
        open = 5;
    shared = &reached;
    assert(changes-- != 1 && (!changes || open == 5) && reached == 3);
    shared = 0;
    return u;
}
#define CHECK ((void)0)
C
why silent 'T2 read a = 1 '
said=$(jq -r '.violations[0].message' j)
[[ $said == *failed ]] && pass 'silent: no values' || fail 'silent: no values' "$said"

program silent_globals <<'C'
static int left = 2, shared;
static void *one(void *u) { shared = 3; return u; }
static void *two(void *u) { return u; }
#define CHECK assert(--left == 0 || shared == 4)
C
why silent_globals 'main read shared = 3 '
said=$(jq -r '.violations[0].message' j)
[[ $said == *failed ]] && pass 'silent: no values of globals' || fail 'silent: no values of globals' "$said"

# Through the results of functions, a loop over a list, and a variable of one thread only.
program list <<'C'
struct node { struct node *_Atomic next; };
static struct node dummy, nodes[2];
static struct node *_Atomic tail = &dummy;
static void push(struct node *mine) { struct node *before = tail; tail = mine; before->next = mine; }
static void *one(void *u) { push(&nodes[0]); return u; }
static void *two(void *u) { push(&nodes[1]); return u; }
static int length(void) { int n = 0; for (struct node *at = dummy.next; at; at = at->next) n++; return n; }
static int counted;
static void count(void) { counted = length(); }
#define CHECK count(); assert(counted == 2)
C
why list 'main read dummy\.next = &nodes\[([01])\] .* wrote dummy\.next = .* over the &nodes\[[01]\] of T[12] .*nobody had read'

# A value ends where it is a constant: the read in the same line is none of its sources.
program constant <<'C'
static atomic_int from, to;
static void *one(void *u) { from = 1; return u; }
static void *two(void *u) { if (from) to = 7; return u; }
#define CHECK assert(to != 7)
C
why constant '^main read to = 7 [^;]*: T2 wrote to = 7 [^;]*$'

# A check that is out of date when the thread goes on, in a function and in its caller; the address of a write.
program stale_check <<'C'
static atomic_int tasks = 1, runs;
static int take(void)
{
    if (tasks == 0)
        return 0;
    tasks = 0;
    return 1;
}
static void *one(void *u) { if (take()) runs++; return u; }
static void *two(void *u) { if (take()) runs++; return u; }
#define CHECK assert(runs == 1)
C
why stale_check '(T1 checked tasks = 1 [^;]*; T2 wrote tasks = 0 [^;]* before T1 went on to|T2 checked tasks = 1 [^;]*; T1 wrote tasks = 0 [^;]* before T2 went on to) stale_check'
cp list.c stale_address.c
why stale_address '(T1 read tail = &dummy [^;]*; T2 wrote tail = &nodes.1. [^;]* before T1 used it at|T2 read tail = &dummy [^;]*; T1 wrote tail = &nodes.0. [^;]* before T2 used it at)'

# The check before the place that fails, and the one before a variable of one thread was written, or would have been.
program passed <<'C'
static atomic_int owners = 1, alive = 1;
static void *one(void *u) { if (atomic_fetch_sub(&owners, 1) == 1) alive = 0; return u; }
static void *two(void *u)
{
    if (owners == 0)
        return u;
    owners++;
    assert(alive);
    return u;
}
#define CHECK ((void)0)
C
why passed '^T2 read alive = 0 [^;]*: T1 wrote alive = 0 [^;]*; T2 checked owners = 1 [^;]*; T1 wrote owners = 0 [^;]* before T2 went on to passed\.c:[0-9]*$'
cat >unwritten.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int event, arrived;
static int handled;
static void *source(void *u)
{
    for (int i = 0; i < 2; i++) {
        arrived++;
        event = 1;
    }
    return u;
}
static void poll_once(void)
{
    if (event) {
        handled = arrived;
        event = 0;
    }
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, source, 0);
    poll_once();
    pthread_join(t, 0);
    poll_once();
    assert(handled == 2);
}
C
why unwritten 'main checked event = 0 [^;]*: main wrote event = 0 [^;]* over the 1 of T1 '
said=$(jq -r '.violations[0].message' j)
[[ $said == *'failed: handled = 1' ]] && pass 'unwritten: the value of a variable of one thread' || fail 'unwritten: the value of a variable of one thread' "$said"
program too_soon <<'C'
static atomic_int ready, result;
static void *one(void *u) { ready = 1; return u; }
static void *two(void *u) { if (!ready) result = -1; return u; }
#define CHECK assert(result == 0)
C
why too_soon 'T2 wrote result = -1 [^;]*; T2 checked ready = 0 [^;]*: nobody had written it yet; then T1 wrote ready = 1'

# Branches that have nothing to do with it: of another caller of the function, and behind the write.
program unrelated <<'C'
static atomic_int flag, other, x;
static void set(int value) { x = value; }
static void *one(void *u)
{
    if (other)
        set(5);
    set(1);
    if (flag)
        other = 3;
    return u;
}
static void *two(void *u) { other = 1; flag = 1; return u; }
#define CHECK assert(x == 2)
C
why unrelated '^main read x = 1 [^;]*: T1 wrote x = 1 [^;]*$'

# What a thread of a deadlock looked at before it waited: out of date, and written after it without a signal.
W='static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;'
program missed <<C
$W
static atomic_int stop;
static void *one(void *u) { pthread_mutex_lock(&m); while (!stop) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
static void *two(void *u) { stop = 1; pthread_cond_broadcast(&c); return u; }
#define CHECK ((void)0)
C
why missed '^T1 checked stop = 0 [^;]*; T2 wrote stop = 1 [^;]* before T1 went on to missed\.c:[0-9]* \(step [0-9]*\)$'
program unsignalled <<C
$M
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stage, other;
static void *one(void *u) { LOCKED(other = 1); LOCKED(stage = 1); return u; }
static void *two(void *u)
{
    LOCKED(stage = -1);
    pthread_mutex_lock(&m);
    if (other == 0)
        while (stage < 0)
            pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return u;
}
#define CHECK ((void)0)
C
why unsignalled '^T2 checked stage = -1 [^;]*: T2 wrote stage = -1 [^;]*; then T1 wrote stage = 1 [^;]*; T2 checked other = 0 [^;]*: nobody had written it yet; then T1 wrote other = 1 '

# A text with a blank in it.
program words <<C
$M
static const char *name = "no name";
static void *one(void *u) { LOCKED(name = "Ada L"); return u; }
static void *two(void *u) { LOCKED(name = "Bob M"); return u; }
#define CHECK assert(name[0] == 'A')
C
why words 'main read name = .Bob M. [^;]*: T2 wrote name = .Bob M. [^;]* over the .Ada L. of T1 '

# A pointer that another thread has cleared since, and freed; a check before the lock; a run of 20,000 steps.
cp "$ROOT/tests/cli/screens/memory.c" "$ROOT/tests/cli/screens/wakeup.c" .
why memory 'T1 read current = session#1 at memory.c:17 [^;]*; T2 wrote current = NULL at memory.c:31 [^;]* before T1 used it at memory.c:21$'
why wakeup 'T1 checked items_in_the_queue = 0 [^;]*; T2 wrote items_in_the_queue = 1 [^;]* before T1 went on to wakeup.c:14 '
program many_steps <<'C'
static atomic_int total, work[2];
static void add(int me)
{
    for (int i = 0; i < 5000; i++)
        work[me]++;
    int seen = total;
    for (int i = 0; i < 5000; i++)
        work[me]--;
    total = seen + 1;
}
static void *one(void *u) { add(0); return u; }
static void *two(void *u) { add(1); return u; }
#define CHECK assert(total == 2)
C
why many_steps 'main read total = 1 [^;]*: T([12]) wrote total = 1 [^;]* over the 1 of T[12] [^;]*, which T[12] had not seen: it had read 0 before'

for name in lost_update check_then_act wait_with_if; do
    cp "$ROOT/tests/bugs/$name.c" .
    why "$name" ' wrote '
done
