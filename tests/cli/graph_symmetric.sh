#!/bin/bash
# --strategy graph --symmetric: one of the executions that differ in the names of interchangeable threads alone.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=$ROOT/tests/programs
graph='--strategy graph --memory sc'

check() { timeout "$LIMIT" "$HEDDLE" check -q --trace-dir "$tmp" --json "$tmp/json" "$@" >/dev/null 2>"$tmp/err"; }
is() {
    local got
    got=$(jq -c "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got $(first_lines "$tmp/err")"; fi
}

# N threads that each add, or lock, have N! orders, which are one up to their names.  Of N readers beside a writer it
# matters how many have come before it.  A reader beside N additions comes after any number of them.
for model in sc tso; do
    for n in 2 5 9; do
        for program in 'adds 1' 'counter 1' "readers $((n + 1))" "adds:-DREADER $((n + 1))"; do
            read -r name expected <<<"$program"
            flags=${name#"${name%%:*}"}
            check --strategy graph --memory $model --symmetric --cc-flags "-DN=$n ${flags#:}" "$programs/dpor/${name%%:*}.c"
            is "$name($n), $model" "[\"verified\",$expected,0,$n]" '[.verdict, .executions, .blocked, .interchangeable_threads]'
        done
    done
done
is 'what it rests on is named' true 'any(.assumptions[]; contains("equals an address"))'
# shellcheck disable=SC2086
for options in '-j 2' '--races warn' '--keep-going' '--paranoid'; do
    check $graph --symmetric $options --cc-flags -DN=7 "$programs/dpor/readers.c"
    is "readers(7), $options" '["verified",8]' '[.verdict, .executions]'
done

# In these programs every thread stores, so no exchange of threads leaves a graph as it is: every class has N! graphs.  At
# a barrier the last one to arrive chooses who is told that it is the serial thread: N N! graphs.
cat >"$tmp/barrier.c" <<'END'
#include <pthread.h>
static pthread_barrier_t barrier;
static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, 0, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
cat >"$tmp/cond.c" <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items, taken;
static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!items)
        pthread_cond_wait(&filled, &lock);
    items--;
    taken++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, take, 0);
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return taken != N;
}
END
cat >"$tmp/rwlock.c" <<'END'
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *work(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int there = x;
    pthread_rwlock_unlock(&lock);
    if (!there) {
        pthread_rwlock_wrlock(&lock);
        x++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return x > N || x < 1;
}
END
for name in barrier cond rwlock; do
    for n in 2:2 3:6; do
        # shellcheck disable=SC2086
        check $graph --cc-flags "-DN=${n%:*}" "$tmp/$name.c"
        whole=$(jq .executions "$tmp/json")
        # shellcheck disable=SC2086
        check $graph --symmetric --cc-flags "-DN=${n%:*}" "$tmp/$name.c"
        is "$name(${n%:*})" "[\"verified\",$whole]" "[.verdict, .executions * ${n#*:}]"
    done
done

# Threads between whose creations main does something are not interchangeable.  Main stores x after each creation, and once
# more: the first of two readers may read any of four values, the second one any of three.
sed 's/pthread_create(&t\[i\], 0, reader, 0);/{ & atomic_store(\&x, i); }/' "$programs/dpor/readers.c" >"$tmp/apart.c"
# shellcheck disable=SC2086
check $graph --symmetric --cc-flags -DN=2 "$tmp/apart.c"
is 'created apart: nothing is left out' '["verified",12]' '[.verdict, .executions]'

# The same violations; what tells threads apart.
alike=$programs/stateful/alike.c told=$programs/stateful/told.c
for what in 1 2; do
    # shellcheck disable=SC2086
    check $graph --keep-going --races off --no-minimise --cc-flags "-DWHAT=$what" "$alike"
    kinds=$(jq -c '[.violations[].kind] | unique' "$tmp/json") whole=$(jq .executions "$tmp/json")
    # shellcheck disable=SC2086
    check $graph --symmetric --keep-going --races off --no-minimise --cc-flags "-DWHAT=$what" "$alike"
    is "alike.c, $what: the same with --symmetric" "[$kinds,true]" \
        "[([.violations[].kind] | unique), .executions < $whole]"
done
for what in 3:own 4:result 5:others 6:creates 7:'before it has joined'; do
    # shellcheck disable=SC2086
    expect_error "alike.c, ${what%%:*}: told apart" "${what#*:}" \
        "$HEDDLE" check $graph --symmetric --cc-flags "-DWHAT=${what%%:*}" "$alike"
done
# shellcheck disable=SC2086
{
    check $graph --symmetric --cc-flags -DHOW=0 "$told"
    is 'told.c: addresses are only moved' '"verified"' .verdict
    expect_error 'told.c: addresses are ordered' orders "$HEDDLE" check $graph --symmetric --cc-flags -DHOW=20 "$told"
    expect_error 'operations of which nothing is known' 'nothing is known of the operation malloc-outcome' \
        "$HEDDLE" check $graph --symmetric --faults malloc --cc-flags -DWHAT=1 "$alike"
}
expect_error 'rc11' 'order in which a machine' "$HEDDLE" check --strategy graph --memory rc11 --symmetric "$alike"
expect_error 'rf' 'order in which a machine' "$HEDDLE" check --strategy rf --symmetric "$alike"
expect_error 'samples' 'draws' "$HEDDLE" check --strategy random --memory tso --symmetric "$alike"
