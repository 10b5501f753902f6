#!/bin/bash
# The verdict: what was reached is named with its place, what is taken for granted too, and no option makes heddle say
# `verified` of a program whose bug it did not look for.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
correct=$ROOT/tests/litmus/correct

# check ARGUMENTS...: the JSON is in $tmp/json, the exit status in $status.
check() {
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check -q --trace-dir "$tmp/traces" --json "$tmp/json" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}
# is NAME EXPECTED JQ: of the last check.
is() {
    local got
    got=$(jq -rc "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines "$tmp/err"))"; fi
}

# Standard input, by every way; a string is none.  The last is the one that is verified.
for how in 0 1 2 3 4 5 6 7 8 9; do
    check --cc-flags -DHOW=$how "$correct/stdin_empty.c"
    is "standard input, way $how" '["no-violation-found",["input"]]' '[.verdict, .undischarged]'
done
check --cc-flags -DHOW=10 "$correct/stdin_empty.c"
is 'a string is no standard input' verified .verdict
for how in 0 1 2 3 4; do
    check --cc-flags -DHOW=$how "$ROOT/tests/cxx/correct/cin.cpp"
    is "std::cin, way $how" '["no-violation-found",true]' '[.verdict, (.undischarged | index("input") != null)]'
done
check --cc-flags -DHOW=5 "$ROOT/tests/cxx/correct/cin.cpp"
is 'a stream of a string is no standard input' '[]' '[.undischarged[] | select(. == "input")]'
printf '%s\n' '#include <stdlib.h>' '#include <sys/syscall.h>' '#include <unistd.h>' 'int main(void)' '{' '    int n = 0;' \
    '    return syscall(SYS_getrandom, &n, sizeof n, 0) != sizeof n;' '}' >"$tmp/getrandom.c"
check "$tmp/getrandom.c"
is 'random numbers by syscall()' 'true' '.assumptions | any(test("random numbers.*getrandom.c:7"))'
echo 120 >"$tmp/number"
cat >"$tmp/file.c" <<'EOF'
#include <stdio.h>
int main(int argc, char **argv)
{
    int n = 0;
    if (argc > 1 && freopen(argv[1], "r", stdin) && scanf("%d", &n) == 1)
        return n != 120;
    return 1;
}
EOF
check "$tmp/file.c" -- "$tmp/number"
is 'a file in the place of standard input is none' '[]' '[.undischarged[] | select(. == "input")]'

# A block that heddle's heap has no room for, and one that no process has.
printf '%s\n' '#include <stdlib.h>' 'int main(void)' '{' '    return malloc(BYTES) != 0;' '}' >"$tmp/room.c"
check --cc-flags '-DBYTES=3ul<<30' "$tmp/room.c"
is 'no room for an allocation' '["no-violation-found",["room"],true]' \
    '[.verdict, .undischarged, (.downgrades | any(test("room.c:4")))]'
check --expect-exit 1 --cc-flags '-DBYTES=3ul<<30' "$tmp/room.c"
is 'giving up without room' '["violation",true]' \
    '[.verdict, (.violations[0].message | test("heap had no room for the allocation at .*room.c:4"))]'
check --cc-flags '-DBYTES=(1ul<<62)' "$tmp/room.c"
is 'an allocation that cannot succeed' verified .verdict

# A child that is not followed.
check "$correct/fork.c"
is 'a child is not followed' '["no-violation-found",["children"],true]' \
    '[.verdict, .undischarged, (.downgrades | any(test("fork.c:46")))]'
check "$correct/errno_changed.c"
is 'a handler changes errno' '["no-violation-found",["errno-kept"]]' '[.verdict, .undischarged]'
check "$correct/timerfd_periodic.c"
is 'how often a timer has expired' '["verified",true]' '[.verdict, (.assumptions | any(test("at most twice.*timerfd_periodic.c:18")))]'

# Several sites of one line are one place.
printf '%s\n' '#include <pthread.h>' '#include <stdatomic.h>' 'static atomic_int x, y;' \
    'static void *work(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); return atomic_load_explicit(&y, memory_order_relaxed) ? p : 0; }' \
    'int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); }' >"$tmp/weak.c"
check --memory sc "$tmp/weak.c"
is 'a line is named once' 1 '[.downgrades[] | scan("weak.c:4")] | length'

for how in 0 1 2 3 4 5; do
    check --cc-flags -DHOW=$how "$correct/uncontrolled.c"
    is "an uncontrolled instruction, $how" '["no-violation-found",["controlled"]]' '[.verdict, .undischarged]'
done
check --cc-flags -DHOW=6 "$correct/uncontrolled.c"
is 'an addition by hand' verified .verdict

# A run that does not repeat is an error of the input, with the place, by every strategy.
cat >"$tmp/ticks.c" <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>
static atomic_int x;
static void *run(void *arg)
{
    for (int i = 0; i < 12; i++)
        if (__rdtsc() >> 5 & 1) x++; else x = 2;
    return arg;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
EOF
for strategy in auto optimal stateful; do
    check --strategy $strategy --time 5s "$tmp/ticks.c"
    case $status in
    2) if grep -q 'rdtsc at .*ticks.c:9' "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ]; then
           pass "does not repeat: $strategy"
       else fail "does not repeat: $strategy" "$(first_lines "$tmp/err")"; fi ;;
    0) is "does not repeat: $strategy" true '.undischarged | index("controlled") != null' ;;
    *) fail "does not repeat: $strategy" "status $status $(first_lines "$tmp/err")" ;;
    esac
done

# What was reached is named with its place, and counted by all workers and phases.
check "$correct/reached_call.c"
is 'a call that is reached' "catopen at $correct/reached_call.c:15" '.downgrades[0] | sub(".*: "; "")'
line=$(grep -n relaxed "$correct/reached_weak.c" | tail -n 1 | cut -d: -f1)
for options in '' '-j 2' '--strategy stateful' '--strategy brute' '--checkpoint CP'; do
    # shellcheck disable=SC2086
    check --memory sc ${options/CP/$tmp/cp} "$correct/reached_weak.c"
    is "a weak atomic, $options" true ".downgrades[0] | contains(\"reached_weak.c:$line\")"
done

# The same holds of the part of an exploration that a checkpoint keeps.
cat >"$tmp/early.c" <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *run(void *arg)
{
    for (int i = 0; i < 3; i++)
        if (atomic_fetch_add(&x, 1) == 0)
            atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
EOF
"$HEDDLE" cc -o "$tmp/early" "$tmp/early.c" -pthread || exit 1
check --strategy optimal --executions 3 --checkpoint "$tmp/cp2" "$tmp/early"
check --strategy optimal --resume "$tmp/cp2" "$tmp/early"
is 'a weak atomic before the checkpoint' '[["orders"],true]' '[.undischarged, .executions > 3]'

# Named, and no reason against the verdict.
cat >"$tmp/assumes.c" <<'EOF'
#include <stdlib.h>
#include <time.h>
int main(void)
{
    int (*draw)(void) = rand;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (rand() + draw() == 1) & (time(NULL) == 0);
}
EOF
check --require-verified "$tmp/assumes.c"
is 'assumptions' '["verified",3]' '[.verdict, (.assumptions | length)]'
is 'assumptions: rand' true ".assumptions[0] | contains(\"rand at $tmp/assumes.c:8\")"
is 'assumptions: time' true '.assumptions[1] | contains("assumes.c:7") and contains("time at")'
is 'assumptions: no thread' 'the program created no thread' '.assumptions[2]'
"$HEDDLE" check --trace-dir "$tmp/traces" "$tmp/assumes.c" >"$tmp/out" 2>&1
if [ "$(grep -c '^  assuming: ' "$tmp/out")" = 3 ]; then pass 'assumptions: in the text'; else fail 'assumptions: in the text' "$(first_lines "$tmp/out")"; fi

# Wake-ups without a signal: a thread may have one, but waits twice; a wait through a pointer.
cat >"$tmp/twice.c" <<'EOF'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static int (*volatile wait_for)(pthread_cond_t *, pthread_mutex_t *) = pthread_cond_wait;
static void *run(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
#ifdef THROUGH
    if (!ready) wait_for(&c, &m);
#endif
    if (!ready) pthread_cond_wait(&c, &m);
    if (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
EOF
check "$tmp/twice.c"
is 'a wait without a loop' '["verified",true]' '[.verdict, (.assumptions | any(test("only when they are signalled.*--spurious 1.*wait at .*twice.c:22$")))]'

# A thread that is cancelled in a wait: the other outcome is explored by --strategy graph only, and that is said.
cat >"$tmp/cancelled.c" <<'EOF'
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static void *run(void *unused)
{
    sem_wait(&ready);
    return unused;
}
int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, run, 0);
    pthread_cancel(thread);
    sem_post(&ready);
    return pthread_join(thread, 0);
}
EOF
check "$tmp/cancelled.c"
is 'cancelled in a wait' '["verified",true]' '[.verdict, (.assumptions | any(test("cancelled while it waits.*cancelled.c:6$")))]'
check --strategy graph --memory rc11 "$tmp/cancelled.c"
is 'cancelled in a wait, or not' '["verified",0]' '[.verdict, (.assumptions | length)]'
check --spurious 1 "$tmp/twice.c"
is 'a wait without a loop, --spurious 1' '["verified",true]' '[.verdict, (.assumptions | any(test("at most 1 time in each thread.*: pthread_cond_wait at [^,]*twice.c:23")))]'
check --spurious 2 "$tmp/twice.c"
is 'a wait without a loop, --spurious 2' '["verified",[]]' '[.verdict, .assumptions]'
check --cc-flags -DTHROUGH "$tmp/twice.c"
is 'a wait through a pointer' true '.assumptions | any(test("pthread_cond_wait through a pointer"))'

# A data race that one preemption shows is shown with one.
printf '%s\n' '#include <pthread.h>' 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;' 'static int x, n;' \
    'static void *run(void *p) { for (int i = 0; i < 4; i++) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); } x++; return p; }' \
    'int main(void) { pthread_t t, u; pthread_create(&t, 0, run, 0); pthread_create(&u, 0, run, 0); pthread_join(t, 0); pthread_join(u, 0); }' \
    >"$tmp/race.c"
check --strategy optimal "$tmp/race.c"
is 'a data race, with few preemptions' '[["data-race",true]]' '[.violations[] | [.kind, .preemptions <= 1]]'

# A loop that is stopped after a time: the message and the verdict name the limit.
printf '%s\n' 'int main(void)' '{' '    volatile unsigned long n = 1;' '    while (n)' '        n += 2;' '}' >"$tmp/long.c"
check --hang 1 "$tmp/long.c"
is 'a limit, in the message' true '.violations[0].message | test("for 1 s of processor time \\(--hang\\)")'
if grep -q '^violation: .*limit (--hang)$' "$tmp/out"; then pass 'a limit, in the verdict'; else fail 'a limit, in the verdict' "$(first_lines "$tmp/out")"; fi

check --require-verified "$correct/assumed_away.c"
if [ "$status" = 3 ]; then pass 'no complete execution: status 3'; else fail 'no complete execution: status 3' "$status"; fi
is 'no complete execution' '[0,["executed"]]' '[.executions, .undischarged]'
check --require-verified --races off "$correct/unreached_call.c"
if [ "$status" = 3 ]; then pass '--races off: status 3'; else fail '--races off: status 3' "$status"; fi
is '--races off' '[["races"]]' '[.undischarged]'

# A bug that takes five increments of one thread between two reads of another, three preemptions, a timeout, a value of
# 200: whatever the options, heddle finds it or does not say that it is not there.
cat >"$tmp/hidden.c" <<'EOF'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
unsigned char __VERIFIER_nondet_uchar(void);
static void *run(void *arg)
{
    for (int i = 0; i < 5; i++)
        atomic_fetch_add(&x, 1);
    return arg;
}
int main(void)
{
    struct timespec soon = { 2000000000, 0 };
    pthread_t t;
    int late = 0, value = 200, first, second;
    pthread_create(&t, NULL, run, NULL);
#ifdef VALUE
    value = __VERIFIER_nondet_uchar();
#endif
#ifdef LATE
    pthread_mutex_lock(&m);
    late = pthread_cond_timedwait(&c, &m, &soon) != 0;
    pthread_mutex_unlock(&m);
#else
    late = 1;
#endif
    first = x;
    second = x;
    assert(!(late && value == 200 && first == 0 && second == 5));
    pthread_join(t, NULL);
    return 0;
}
EOF
sweep() {
    local name=$1
    shift
    check "$@"
    case $status in
    0 | 1 | 3) is "hidden: $name" false '.verdict == "verified" or (.exhaustive and .violations == [])' ;;
    2) pass "hidden: $name is refused" ;;
    *) fail "hidden: $name" "status $status $(first_lines "$tmp/err")" ;;
    esac
}
"$HEDDLE" cc -o "$tmp/hidden" "$tmp/hidden.c" -pthread || exit 1
strategies='auto optimal source inspect jpf stateful hybrid hybrid:hr dpor-stateful hr hr-fields brute scale scale:nsb
    chess:0 chess:1 chess:2 random:1 pct:2 pos:1 hgs meta slice-n-dice'
for strategy in $strategies; do
    for bound in '' '--executions 1' '--depth 4' '--preemptions 1'; do
        case $strategy in random* | pct* | pos*) bound+=' --executions 5' ;; esac # which have no end
        # shellcheck disable=SC2086
        sweep "--strategy $strategy $bound" --strategy "$strategy" $bound "$tmp/hidden"
    done
done
for chain in none optimal source dpor sleep not-seen not-seen:hash eager states local-cycle super-step not-seen,super-step \
    not-seen,local-cycle,super-step states,super-step hybrid dpor-stateful delays:0 delays:1 delays:2 shared \
    optimal,preemptions:1 source,preemptions:1 sleep,preemptions:1 dpor,preemptions:1 not-seen,preemptions:1 \
    preemptions:1 optimal,depth:5 states,depth:5 like-scale,not-seen traces,optimal,depth:3; do
    for more in '' '--races off' '--keep-going --executions 3'; do
        # shellcheck disable=SC2086
        sweep "--reduce $chain $more" --reduce "$chain" $more "$tmp/hidden"
    done
done
for options in '-j 2 --executions 3' '-j 2 --depth 5' '-j 2 --preemptions 1' '--races warn' '--finer rmw' '--finer observers' '--strategy stateful --bitstate' '--strategy stateful --symmetric' \
    '--strategy stateful --exact-states' '--strategy stateful --state-cache 2' '--livelocks off' '--polls 1' '--no-undo' \
    '--strategy hgs --queue 1'; do
    # shellcheck disable=SC2086
    sweep "$options" $options "$tmp/hidden"
done
sweep '--no-timeouts' --no-timeouts --cc-flags -DLATE "$tmp/hidden.c"
sweep 'a timeout' --cc-flags -DLATE "$tmp/hidden.c"
sweep '--nondet' --nondet 0..3 --cc-flags -DVALUE "$tmp/hidden.c"
sweep 'a value' --cc-flags -DVALUE "$tmp/hidden.c"

# Each reason has a page: the output names it, `heddle help reason` prints it, docs/verdict.md has its anchor.
"$HEDDLE" check -q --trace-dir "$tmp/traces" --executions 1 "$ROOT/tests/litmus/correct/peterson.c" >"$tmp/out" 2>"$tmp/err"
names=$(sed -n 's/^  what to do: heddle help reason //p' "$tmp/out")
[ "$names" ] && pass 'reasons: named in the output' || fail 'reasons: named in the output' "$(first_lines "$tmp/out")"
# shellcheck disable=SC2086
"$HEDDLE" help reason $names >"$tmp/out" 2>"$tmp/err" && grep -q '^What to do:' "$tmp/out" && pass 'reasons: as the output names them' ||
    fail 'reasons: as the output names them' "$(first_lines "$tmp/err")"
"$HEDDLE" help reason plugin orders >"$tmp/out" 2>"$tmp/err"
if grep -q '[]`[]' "$tmp/out" || ! grep -q 'order or rank only (docs/plugins.md)\.$' "$tmp/out" || ! grep -q 'refuses (docs/weak-memory.md#limits)\.$' "$tmp/out"; then
    fail 'reasons: without marks of Markdown' "$(first_lines "$tmp/out")"
else
    pass 'reasons: without marks of Markdown'
fi
"$HEDDLE" help reason >"$tmp/list" 2>"$tmp/err"
missing=
for name in $(cut -d' ' -f1 "$tmp/list"); do
    "$HEDDLE" help reason "$name" 2>"$tmp/err" | grep -q "docs/verdict.md#$name" && grep -q "^### $name\$" "$ROOT/docs/verdict.md" || missing="$missing $name"
done
[ "$(wc -l <"$tmp/list")" -gt 20 ] && [ ! "$missing" ] && pass 'reasons: all have a page' || fail 'reasons: all have a page' "$missing"
"$HEDDLE" help reason finished >"$tmp/out" 2>"$tmp/err"
if grep -q '^  lock one mutex.* --finer locks$' "$tmp/out" && grep -q '^  mostly store.* --strategy rf$' "$tmp/out"; then
    pass 'reasons: which option helps which program'
else
    fail 'reasons: which option helps which program' "$(first_lines "$tmp/out")"
fi
expect_error 'reasons: one that is none' 'did you mean finished' "$HEDDLE" help reason finishd
expect_error 'help: of something else' 'heddle help reason NAME' "$HEDDLE" help weather
