#!/bin/bash
# The estimate of how many executions there will be, of the search over execution graphs.  The families have known totals:
# sb(N), N threads that store one variable and load the next one, 2^N; writers(N), N threads that store one variable and
# load it, N! orders of the stores, in which a load reads its own store or a later one; fib(K), loads and stores of two
# variables in turn.  The counts are those of GenMC.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >family.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define GET(v) atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)

static atomic_int x[16], i = 1, j = 1;

static void *run(void *argument)
{
    int me = (int)(intptr_t)argument, seen = 0;
#if defined SB
    SET(x[me], 1);
    seen = GET(x[(me + 1) % N]);
#elif defined WRITERS
    SET(x[0], me + 1);
    seen = GET(x[0]);
#else
    for (int k = 0; k < K; k++)
        if (me)
            SET(j, GET(j) + GET(i));
        else
            SET(i, GET(i) + GET(j));
#endif
    return (void *)(intptr_t)seen;
}

int main(void)
{
    pthread_t thread[N];
    for (int t = 0; t < N; t++)
        pthread_create(&thread[t], 0, run, (void *)(intptr_t)t);
    for (int t = 0; t < N; t++)
        pthread_join(thread[t], 0);
}
C

is() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "$2 instead of $3"; fi; }

# estimate NAME TOTAL LEAST MOST FLAGS: after half of the executions the estimate is between these percentages of the total;
# the finished check has made exactly as many.
estimate() {
    local name=$1 total=$2 least=$3 most=$4
    shift 4
    "$HEDDLE" cc "$@" -o family family.c -pthread || exit 2
    "$HEDDLE" check -q --memory rc11 --json whole ./family >out
    is "$name: executions" "$(jq -r '[.verdict, .executions, .blocked, .explored] | join(" ")' whole)" "verified $total 0 "
    "$HEDDLE" check -q --memory rc11 --executions $((total / 2)) --json half ./family >out
    is "$name: the estimate after half" "$(jq -r --argjson t "$total" --argjson a "$least" --argjson b "$most" \
        '(.executions / .explored / $t * 100) | if . >= $a and . <= $b then "good" else . end' half)" good
}

estimate 'sb(11)' 2048 75 133 -DSB -DN=11
estimate 'writers(4)' 576 50 200 -DWRITERS -DN=4
estimate 'fib(4)' 1764 50 200 -DFIB -DN=2 -DK=4
