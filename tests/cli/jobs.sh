#!/bin/bash
# -j N: several workers count and find what one does.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# counts JOBS OPTIONS...: what must not depend on the number of workers.
counts() {
    timeout "$LIMIT" "$HEDDLE" check -q -j "$1" --keep-going --json "$tmp/json" \
        --trace-dir "$tmp/traces" "${@:2}" >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -c '[.verdict, .executions, .blocked, .bounded, .traces, .max_depth, .observations,
            ([.violations[]? | [.kind, .location.line]] | sort)]' "$tmp/json" 2>/dev/null ||
        first_lines "$tmp/err"
}

# same NAME OPTIONS...: with 2 and 3 workers, which give away as often as they can.
same() {
    local name=$1 one more jobs
    shift
    one=$(counts 1 "$@")
    for jobs in 2 3; do
        more=$(counts "$jobs" --paranoid "$@")
        if [ "$one" != "$more" ]; then
            fail "$name -j $jobs" "$more instead of $one $(first_lines "$tmp/err")"
            return
        fi
    done
    pass "$name"
}

build() { "$HEDDLE" cc "$2" -o "$tmp/$1" "$ROOT/tests/programs/$3" -pthread || fail "$1" 'no build'; }
build fib -DK=2 dpor/fib_bench.c
build readers -DN=8 dpor/readers.c # more threads than a worker is prepared for at first
build lastzero -DN=7 dpor/lastzero.c
build philosophers -DN=4 dpor/philosophers.c
build barrier -DN=3 scale/barrier.c
build choosers -DN=4 dpor/choosers.c # steps with choices: no execution is blocked
build threadpool -DN=2 scale/threadpool.c

for filter in optimal source dpor sleep; do
    same "fib_bench $filter" --reduce "$filter" "$tmp/fib"
done
same 'fib_bench brute force, bounded' --reduce none,traces,depth:12,preemptions:2 "$tmp/fib"
for bound in 0 1 3; do
    same "fib_bench chess:$bound" --strategy "chess:$bound" "$tmp/fib"
done
same 'fib_bench chess:2, sleep sets' --strategy chess:2 --reduce sleep "$tmp/fib"
for program in readers lastzero philosophers barrier choosers threadpool; do
    same "$program" "$tmp/$program"
done

# The search over graphs; without --paranoid, rows of joins at the end of executions are left out.
for program in fib readers lastzero philosophers barrier choosers threadpool; do
    same "$program graph" --strategy graph "$tmp/$program"
    same "$program rf" --strategy rf "$tmp/$program"
done
build many -DN=12 dpor/lastzero.c
one=$(counts 1 --strategy graph "$tmp/many")
for jobs in 2 3 4; do
    more=$(counts $jobs --strategy graph "$tmp/many")
    [ "$one" = "$more" ] && pass "lastzero(12) graph -j $jobs" || fail "lastzero(12) graph -j $jobs" "$more instead of $one"
done

# Steps that kill their worker.
cat >"$tmp/crash.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int *volatile nowhere;
static void *count(void *unused)
{
    x++;
    x++;
    return unused;
}
static void *look(void *unused)
{
    if (x == 1)
        *nowhere = y;
    y = 1;
    return unused;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, look, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
END
"$HEDDLE" cc -o "$tmp/crash" "$tmp/crash.c" -pthread || fail crash 'no build'
same 'crashes' "$tmp/crash"
same 'crashes, sleep' --reduce sleep "$tmp/crash"

# Bounds hold for all together.
build long -DK=5 dpor/fib_bench.c
counts 2 --executions 700 "$tmp/long" >"$tmp/counts"
if [ "$(jq .executions "$tmp/json")" = 700 ]; then pass 'executions'; else
    fail 'executions' "$(cat "$tmp/counts")"
fi
counts 3 --strategy random:7 --executions 500 "$tmp/long" >"$tmp/counts"
if [ "$(jq .executions "$tmp/json")" = 500 ]; then pass 'random'; else
    fail 'random' "$(cat "$tmp/counts")"
fi
counts 2 --time 200ms --reduce none "$tmp/long" >"$tmp/counts"
if grep -q 'no-violation-found' "$tmp/counts" && grep -q 'stopped after 0.2 s' "$tmp/out"; then
    pass 'time'
else
    fail 'time' "$(cat "$tmp/counts") $(first_lines "$tmp/out")"
fi

# Each execution but the first leaves the path of all that follow: the way to a unit is as long as what is left.
cat >"$tmp/chain.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *store(void *p) { x = 1; return p; }
static void *look(void *p)
{
    for (int i = 0; i < 20000 && !x; i++)
        ;
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, store, 0);
    pthread_create(&u, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
C
"$HEDDLE" cc "$tmp/chain.c" -o "$tmp/chain" -pthread || fail chain 'no build'
for strategy in '--strategy graph --memory sc' '--reduce sleep'; do
    # shellcheck disable=SC2086
    timeout "$LIMIT" "$HEDDLE" check -q -j 2 $strategy --json "$tmp/json" "$tmp/chain" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$(jq -c '[.verdict, .executions, .replayed < .events]' "$tmp/json")
    if [ "$got" = '["verified",20001,true]' ]; then
        pass "$strategy: long ways to small parts"
    else
        fail "$strategy: long ways to small parts" "$got $(jq -c '[.events, .replayed]' "$tmp/json") $(first_lines "$tmp/err")"
    fi
done

# A worker killed from outside costs time, and nothing else.
"$HEDDLE" check -q -j 2 --strategy optimal --json "$tmp/json" "$tmp/long" >"$tmp/out" 2>"$tmp/err" </dev/null &
heddle=$!
while kill -0 "$heddle" 2>/dev/null; do
    pgrep -P "$heddle" >/dev/null && break
    sleep 0.01
done
sleep 0.1
worker=$(pgrep -n -P "$heddle") # the oldest is the process that workers are copied from
kill -9 "$worker" 2>"$tmp/kill"
wait "$heddle"
got="$? $(jq -c '[.verdict, .executions, .blocked]' "$tmp/json")"
if [ "$got" != '0 ["verified",218243,0]' ]; then
    fail 'killed worker' "$got $(first_lines "$tmp/err")"
elif [ "$(jq .worker_starts "$tmp/json")" -lt 4 ]; then
    fail 'killed worker' "it was over before it could be killed: $(first_lines "$tmp/kill")"
else
    pass 'killed worker'
fi

expect_error 'a filter that needs one memory' 'not-seen .*needs -j 1' \
    "$HEDDLE" check -j 2 --reduce not-seen "$tmp/fib"
expect_error 'chess with races' 'chess.* needs -j 1' "$HEDDLE" check -j 2 --strategy chess:2 --reduce dpor "$tmp/fib"
expect_error 'no workers' '-j' "$HEDDLE" check -j 0 "$tmp/fib"
