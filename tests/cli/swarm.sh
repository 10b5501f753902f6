#!/bin/bash
# --strategy swarm: workers that sample in different ways.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Two bugs.  ALTERNATE: the threads take turns twelve times, which pct:3 cannot do with its two changes of priority.  AT_ONCE: one
# thread does 40 steps without the other, which a random walk does once in 2^40 executions.
cat >"$tmp/two.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, hits;
static void *first(void *unused)
{
    for (int i = 1; i <= 40; i++)
        turn = i;
    return unused;
}
static void *second(void *unused)
{
    int begin = turn;
    for (int i = 0, last = 0; i < 40; i++) {
        int now = turn;
        hits += now != last;
        last = now;
    }
#ifdef AT_ONCE
    assert(begin == 0 || begin == 40 || begin != turn);
#endif
    return unused;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
#ifdef ALTERNATE
    assert(hits < 12);
#endif
}
END
for bug in ALTERNATE AT_ONCE; do
    "$HEDDLE" cc -D$bug -o "$tmp/$bug" "$tmp/two.c" -pthread
    check_program "$bug" 'violation assertion' '' '' -j 2 --strategy swarm --executions 20000 "$tmp/$bug"
done
check_program 'ALTERNATE, pct alone' no-violation-found 2000 '' --strategy pct:3 --executions 2000 "$tmp/ALTERNATE"
check_program 'AT_ONCE, random alone' no-violation-found 2000 '' --strategy random --executions 2000 "$tmp/AT_ONCE"

# One budget, and never verified; under weak memory, too.
"$HEDDLE" cc -o "$tmp/right" "$tmp/two.c" -pthread
check_program 'budget' no-violation-found 600 '' -j 6 --strategy swarm:7 --executions 600 "$tmp/right"
check_program 'weak memory' no-violation-found 300 '' -j 5 --strategy swarm --memory rc11 --executions 300 "$tmp/right"

expect_error 'one worker' 'give -j 2 or more' "$HEDDLE" check --strategy swarm "$tmp/right"
expect_error 'checkpoint' 'leave out --checkpoint' "$HEDDLE" check --strategy swarm -j 2 --checkpoint "$tmp/c" "$tmp/right"
