#!/bin/bash
# auto, the default: it says what `optimal` says, counts nothing twice, keeps to one budget, and finds
# what a depth-first search does not come to.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=$ROOT/tests/programs

# field NAME FILTER WANTED: of the last check's JSON.
field() {
    local got
    got=$(jq -c "$2" "$tmp/json" 2>/dev/null)
    [ "$got" = "$3" ] && pass "$1" || fail "$1" "$got instead of $3"
}

# Small: the first slice is enough, nothing else is started.
check_program 'small' verified 128 '' --cc-flags -DN=7 "$programs/dpor/readers.c"
field 'small: one phase' '[.strategy, .decided_by, [.phases[].strategy]]' '["auto","optimal",["optimal"]]'

# More work than the first slice, and so many threads, which do not compete, that there are too many states.  The end is expected so soon that no
# samples are taken before it, and the counts are those that the deciding search has alone.  Its threads share variables only, so the search
# over graphs takes the place of optimal.
for jobs in 1 2; do
    check_program "larger, -j $jobs" verified 69632 '' -j $jobs --cc-flags -DN=14 "$programs/dpor/lastzero.c"
    field "larger, -j $jobs: phases" '[.phases[].strategy]' '["optimal","graph"]'
    field "larger, -j $jobs: counts" '. as $all | [.phases[] | select(.strategy == $all.decided_by and .executions == 69632)] |
        [$all.decided_by, length, .[0].events == $all.events]' '["graph",1,true]'
    by=$(jq -r .decided_by "$tmp/json")
    field "larger, -j $jobs: as alone" '[.blocked, .max_depth, .memory_model, if .decided_by == "graph" then 0 else .events end]' \
        "$("$HEDDLE" check -q -j $jobs --json - --strategy "$by" --cc-flags -DN=14 "$programs/dpor/lastzero.c" |
            jq -c '[.blocked, .max_depth, .memory_model, if .strategy == "graph" then 0 else .events end]')"
done
# With one thread more two samples cost a tenth of what is expected.
check_program 'a thread more' verified 147456 '' --cc-flags -DN=15 "$programs/dpor/lastzero.c"
field 'a thread more: phases' '[.phases[].strategy]' '["optimal","random","pct:3","graph"]'
# Many more traces than states: stateful is through first, and the verdict says what it rests on.
cat >"$tmp/symmetric.c" <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *visit(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, visit, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return count == N ? 0 : 1;
}
END
check_program 'symmetric' verified '' '' --cc-flags -DN=12 "$tmp/symmetric.c"
field 'symmetric: decided by states' '[.decided_by, .interchangeable_threads, .told_apart, .state_collision_bound < 1e-20]' \
    '["stateful",12,null,true]'
check_program 'symmetric, -j 2' verified '' '' -j 2 --cc-flags -DN=12 "$tmp/symmetric.c"
field 'symmetric, -j 2: decided by states' '[.decided_by, .interchangeable_threads]' '["stateful",12]'
# 64 threads: how many are through, and whom main waits for.  Were threads told apart, there would be 2^64 states.
check_program '64 alike' verified '' '' --cc-flags -DN=64 "$tmp/symmetric.c"
field '64 alike: states grow with the square' '[.decided_by, .states < 64 * 64]' '["stateful",true]'
# A thread that asks for its id, an address that is looked at: the search goes on with names, and says why.
sed 's/count++;/count++; pthread_self();/' "$tmp/symmetric.c" >"$tmp/self.c"
check_program 'told apart by an id' verified '' '' --cc-flags -DN=9 "$tmp/self.c"
field 'told apart by an id: said' '[.decided_by, .interchangeable_threads, (.told_apart | contains("own id"))]' \
    '["stateful",null,true]'
sed 's/count++;/count += 1 + ((unsigned long)__builtin_frame_address(0) == 7);/' "$tmp/symmetric.c" >"$tmp/frame.c"
check_program 'told apart by an address' verified '' '' --cc-flags -DN=9 "$tmp/frame.c"
field 'told apart by an address: said' '[.decided_by, (.told_apart | contains("stack"))]' '["stateful",true]'

# One budget.
check_program 'executions' no-violation-found '' '' --executions 60000 --cc-flags -DN=17 "$programs/dpor/lastzero.c"
field 'executions: of all phases together' '[.phases[].executions] | add' 60000
field 'executions: an estimate' '.explored > 0 and any(.downgrades[]; test("by an estimate"))' true
check_program 'time' no-violation-found '' '' --time 2s --cc-flags -DN=20 "$programs/dpor/lastzero.c"
field 'time: told' '[(.decided_by | IN("optimal", "graph")), (.downgrades[0] | startswith("stopped after 2 seconds")), .executions < 23 * 262144]' \
    '[true,true,true]'

# A bug that a depth-first search comes to last, among very many executions and few states.  The first execution is a random one,
# and breaks it: `late` may read before or after main writes.  What goes on is decided among states.
check_program 'corner' 'violation assertion' '' '' "$ROOT/bench/corner.c"
field 'corner: found by the first execution' '[.decided_by, .executions, (.phases | length)]' '["optimal",1,1]'
replay_all 'corner' "$ROOT/bench/corner.c"
check_program 'corner, --keep-going' 'violation assertion' '' '' --keep-going "$ROOT/bench/corner.c"
field 'corner, --keep-going: decided by states' '[.decided_by, .executions == .phases[-1].executions]' '["stateful",true]'
# That is so with `auto` only, and once: a search that is asked for begins in the order of threads.
check_program 'corner, optimal' no-violation-found '' '' --strategy optimal --executions 100 "$ROOT/bench/corner.c"
check_program 'corner, reduced' no-violation-found '' '' --reduce optimal --executions 100 "$ROOT/bench/corner.c"

# The same among as many states: no two orders of the writes of `mixed` lead to one.  Whatever else is asked for, what
# the samples find is found.  (Its end is not in sight, so where the search over graphs may be taken it has a short slice first.)
cat >"$tmp/mixed.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef INVARIANT
#include <heddle.h>
#endif
static atomic_uint mixed, before, begun;
static int in_order(void) { return !(begun == 2 && before == 0); }
static void *run(void *number)
{
    unsigned me = (unsigned)(long)number;
    if (me == 3) {
        begun = 1;
#ifndef INVARIANT
        assert(before);
#endif
        begun = 2;
    }
    for (unsigned i = 0; i < 8; i++) {
        before = 1;
        mixed = mixed * 31 + me;
    }
    return number;
}
int main(void)
{
    pthread_t t[4];
    (void)in_order;
#ifdef INVARIANT
    heddle_invariant(in_order);
#endif
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
END
sampled() {
    local name=$1
    shift
    check_program "mixed, $name" "$wanted" '' '' --no-minimise "$@" "$tmp/mixed.c"
    field "mixed, $name: found by sampling" '[(.decided_by | IN("random", "pct:3", "pos")), .phases[0].strategy, .phases[1].strategy]' \
        "[true,\"optimal\",\"$second\"]"
}
wanted='violation assertion'
second=graph
sampled 'nothing else'
sampled '--depth' --depth 1000
second=stateful
sampled '--races warn' --races warn
sampled '--checkpoint' --checkpoint "$tmp/mixed.checkpoint"
second=graph
wanted='violation invariant'
sampled 'an invariant' --cc-flags -DINVARIANT
# With --keep-going, what the samples have found is reported with what the other searches find.
check_program 'mixed, --keep-going' 'violation assertion' '' '' --no-minimise --keep-going --executions 400000 "$tmp/mixed.c"
# (An exploration has no prospect, so pct:3 is the first of them.)
field 'mixed, --keep-going: all phases' '[.phases[0:7][].strategy]' \
    '["optimal","graph","stateful","pct:3","random","pos","chess:2"]'

# A program whose threads are alike is decided by the search over states, whatever else is asked for.
for options in --keep-going '--races warn' '--depth 1000' "--checkpoint $tmp/symmetric.checkpoint" ''; do
    # shellcheck disable=SC2086 # several words
    check_program "symmetric, $options" verified '' '' $options --cc-flags -DN=12 "$tmp/symmetric.c"
    field "symmetric, $options: decided by states" .decided_by '"stateful"'
done

# Several workers, and where there is one search.
check_program '-j 2' verified 2048 '' -j 2 --cc-flags -DN=24 "$programs/dpor/filesystem.c"
field '-j 2: to its end, expected soon' '[.phases[].strategy]' '["optimal"]'
check_program 'keep going' verified 128 '' --keep-going --cc-flags -DN=7 "$programs/dpor/readers.c"
field 'keep going: one phase' '[.strategy, [.phases[].strategy]]' '["auto",["optimal"]]'
check_program 'with a bound' no-violation-found '' '' --depth 9 "$programs/dpor/readers.c"
field 'with a bound: every phase has it' '[.strategy, .max_depth <= 9, .bounded > 0, ([.phases[].strategy] | length > 1)]' \
    '["auto, depth:9",true,true,true]'
expect_error 'auto and a search' 'auto chooses' "$HEDDLE" check --strategy auto --search dfs "$ROOT/bench/corner.c"

# Executions that need not end: where optimal is cut, or its executions become long, stateful comes back to states
# it has met.  (The loops write, so that none of them passes for a wait.)
cat >"$tmp/ring.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int slots[2];
static atomic_uint head, tail;
static atomic_int again;
static int push(int value)
{
    if (head - tail == 2)
        return 0;
    slots[head % 2] = value;
    head++;
    return 1;
}
static int pop(int *value)
{
    if (tail == head)
        return 0;
    *value = slots[tail % 2];
    tail++;
    return 1;
}
static void *produce(void *unused)
{
    for (int i = 1; i <= 4; i++)
        while (!push(i))
            again = 1;
    return unused;
}
static void *consume(void *unused)
{
    int value = 0;
    for (int i = 1; i <= 4; i++) {
        while (!pop(&value))
            again = 1;
        assert(value == i);
    }
    return unused;
}
static void *watch(void *unused)
{
    if (head == 1 && tail == 0 && head == 2 && tail == 1 && head == 3 && tail == 2 && head == 4 && tail == 3)
        assert(tail != 4);
    return unused;
}
int main(void)
{
    pthread_t t[3];
    void *(*const run[])(void *) = { produce, consume, watch };
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
END
check_program 'ring' verified '' '' --cc-flags -DN=2 "$tmp/ring.c"
field 'ring: decided by states' '[.decided_by, .phases[-1].strategy]' '["stateful","stateful"]'
check_program 'ring, -j 2' verified '' '' -j 2 --cc-flags -DN=2 "$tmp/ring.c"
field 'ring, -j 2: decided by states' .decided_by '"stateful"'
check_program 'ring, watched' 'violation assertion' '' '' --cc-flags -DN=3 "$tmp/ring.c"
field 'ring, watched: found among states' .decided_by '"stateful"'
check_program 'ring, optimal' no-violation-found '' '' --strategy optimal --depth 100 --executions 20 --cc-flags -DN=2 "$tmp/ring.c"
field 'ring, optimal: no estimate' '[.bounded > 0, .explored, any(.downgrades[]; test("estimate"))]' '[true,null,false]'
field 'ring, optimal: the remedy' 'any(.downgrades[]; test("in a loop at .*; --strategy stateful"))' true

# Two locks with a way back: what stateful says of it, auto does.
cat >"$tmp/backoff.c" <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    for (;;) {
        pthread_mutex_lock(x);
        if (pthread_mutex_trylock(y) == 0)
            break;
        pthread_mutex_unlock(x);
    }
    pthread_mutex_unlock(x);
    pthread_mutex_unlock(y);
}
static void *other(void *unused)
{
    both(&b, &a);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    both(&a, &b);
    pthread_join(t, 0);
}
END
check_program 'back-off' 'violation livelock' '' '' "$tmp/backoff.c"
field 'back-off: decided by states' .decided_by '"stateful"'
check_program 'back-off, stateful' 'violation livelock' '' '' --strategy stateful "$tmp/backoff.c"
check_program 'back-off, accepted' verified '' '' --livelocks off "$tmp/backoff.c"
field 'back-off, accepted: decided by states' '[.decided_by, .livelocks]' '["stateful","off"]'
grep -q 'livelocks were not looked for' "$tmp/out" && pass 'back-off, accepted: told' || fail 'back-off, accepted: told' "$(first_lines "$tmp/out")"
expect_error '--livelocks' 'there are error, off' "$HEDDLE" check --livelocks warn "$tmp/backoff.c"

# A loop that counts never comes back: then nothing is estimated, and stateful is no remedy.
cat >"$tmp/counting.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, n;
static void *count(void *unused)
{
    while (!stop)
        n++;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    stop = 1;
    pthread_join(t, 0);
}
END
check_program 'counting' no-violation-found '' '' --strategy optimal --executions 500 "$tmp/counting.c"
field 'counting: no estimate' '[.explored, any(.downgrades[]; test("estimate"))]' '[null,false]'
check_program 'counting, states' no-violation-found '' '' --strategy stateful --depth 300 "$tmp/counting.c"
field 'counting, states: no remedy' '[.bounded > 0, any(.downgrades[]; test("stateful"))]' '[true,false]'

# Executions that take long: the samples have their turn all the same.
cat >"$tmp/slow.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint x, y;
static unsigned work(unsigned s)
{
    for (int i = 0; i < 4000000; i++)
        s = s * 1103515245u + 12345u;
    return s;
}
static void *run(void *last)
{
    assert(!last || x != 1); /* the first execution does not break it */
    for (unsigned i = 0; i < 6; i++) {
        y += work(i);
        x++;
    }
    return last;
}
int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)(i / 2));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
END
check_program 'slow' 'violation assertion' '' '' --no-minimise "$tmp/slow.c"
field 'slow: found by sampling' '[.phases[0].strategy, .phases[0].executions < 3000, (.decided_by | IN("random", "pct:3"))]' '["optimal",true,true]'

# Bugs at a small depth of large programs: found by a sample, or by a search that is not depth first.
for what in '-DTWOSTAGE -DN=50 -DCHECKERS=50' '-DREORDER -DN=19' '-DROUNDS -DN=50'; do
    check_program "shallow, $what" 'violation assertion' '' '' --no-minimise --cc-flags "$what" "$ROOT/bench/shallow.c"
    field "shallow, $what: after little work" '[.phases[].events] | add < 6e6' true
done
