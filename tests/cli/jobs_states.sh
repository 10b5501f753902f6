#!/bin/bash
# -j N with a search over states: one set of states, the result of one worker.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# check JOBS OPTIONS...: what must not depend on the number of workers.
check() {
    timeout "$LIMIT" "$HEDDLE" check -q -j "$1" --keep-going --no-minimise --json json --trace-dir traces "${@:2}" >out 2>err </dev/null
    jq -c '[.verdict, .states, .choices, .executions, .pruned, .events, .observations, ([.violations[]? | [.kind, .location.line]] | sort)]' \
        json 2>/dev/null || first_lines err
}
# same NAME WHO OPTIONS...: with 2 and 3 workers; WHO is `all`, or why one worker did it.
same() {
    local name=$1 who=$2 one more jobs
    shift 2
    one=$(check 1 "$@")
    for jobs in 2 3; do
        more=$(check "$jobs" --paranoid "$@")
        [ "$one" = "$more" ] || { fail "$name -j $jobs" "$more instead of $one $(first_lines err)"; return; }
        more=$(jq -r '.one_worker // "all"' json)
        [[ $more == *"$who"* ]] || { fail "$name -j $jobs, who" "$more instead of $who"; return; }
    done
    pass "$name"
}
build() { "$HEDDLE" cc "${@:3}" -o "$1" "$ROOT/tests/programs/$2" -pthread || fail "$1" 'no build'; }
build counter dpor/counter.c -DN=9
build grid stateful/grid.c -DK=60
build rounds stateful/rounds.c
build barrier scale/barrier.c -DN=3
for program in counter grid rounds barrier; do
    same "$program" all --strategy stateful "./$program"
done
same 'without eager' all --reduce states ./grid
same 'depth-first in another order' all --strategy stateful --search dfs:7 ./counter
# 2^N - N - 1 states with a choice
check 3 --strategy stateful ./counter >counts
if [ "$(jq .states json)" = $(((1 << 9) - 9 - 1)) ]; then pass 'as many states as the formula says'; else fail 'the formula' "$(cat counts)"; fi
# more states than the table has room for at first
build large stateful/grid.c -DK=260
same 'a table that grows' all --strategy stateful ./large

# Compare-exchanges that fail lead to the same states by more steps: no cycle, but ranks do not show it.
cat >cas.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int old = x;
        while (!atomic_compare_exchange_strong(&x, &old, old + 1))
            ;
    }
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return x != 6;
}
END
"$HEDDLE" cc -o cas cas.c -pthread
same 'failed compare-exchanges' all --strategy stateful ./cas

# Two threads back off for each other: a livelock.
cat >livelock.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2];
static void *enter(void *arg)
{
    int me = arg != 0;
    for (;;) {
        wants[me] = 1;
        if (!wants[!me])
            break;
        wants[me] = 0;
    }
    wants[me] = 0;
    return 0;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, enter, 0);
    pthread_create(&t[1], 0, enter, &t);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
END
"$HEDDLE" cc -o livelock livelock.c -pthread
same 'a livelock' 'states form a cycle' --strategy stateful ./livelock
same 'not looked for' all --strategy stateful --livelocks off ./livelock
cat >try.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused)
{
    if (pthread_mutex_trylock(&m) == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
"$HEDDLE" cc -o try try.c -pthread
same 'lock sets' 'only one worker can tell what locks order' --strategy stateful ./try

# Steps that kill their worker; 120 of the 720 orders of six threads, 2^5 states before them.
"$HEDDLE" cc -o crash "$ROOT/tests/cli/crashes.c" -pthread
same 'crashes' all --strategy stateful ./crash

# A worker killed from outside costs time, and nothing else.
build long stateful/grid.c -DK=700
"$HEDDLE" check -q -j 2 --strategy stateful --json json ./long >out 2>err </dev/null &
heddle=$!
while kill -0 "$heddle" 2>/dev/null; do
    pgrep -P "$heddle" >/dev/null && break
    sleep 0.01
done
sleep 0.1
worker=$(pgrep -n -P "$heddle") # the oldest is the process that workers are copied from
kill -9 "$worker" 2>kill
wait "$heddle"
got="$? $(jq -c '[.verdict, .states, .workers, .worker_starts >= 4]' json)"
want="0 $("$HEDDLE" check -q --strategy stateful --json one ./long >out 2>err && jq -c '[.verdict, .states, 2, true]' one)"
if [ "$got" = "$want" ]; then pass 'killed worker'; else fail 'killed worker' "$got instead of $want $(first_lines err)"; fi

# Stopped, and gone on with another number of workers.
rm -f c
"$HEDDLE" check -q -j 3 --strategy stateful --checkpoint c --checkpoint-every 50ms --json json ./long >out 2>err &
pid=$!
replaced c '' $pid
kill -TERM "$pid" 2>/dev/null
wait "$pid"
for jobs in 2 1 4; do
    "$HEDDLE" check -q -j $jobs --strategy stateful --resume c --time 100ms --checkpoint c --json json ./long >out 2>err
done
"$HEDDLE" check -q -j 2 --strategy stateful --resume c --json json ./long >out 2>err
got=$(jq -c '[.verdict, .states, .executions, .pruned, .events]' json) want=$(jq -c '[.verdict, .states, .executions, .pruned, .events]' one)
if [ "$got" = "$want" ]; then pass 'another number of workers'; else fail 'another number of workers' "$got instead of $want $(first_lines err)"; fi

# The same while steps are noted: the table in the checkpoint has numbers, and cannot be without them.
sed 's/i < 2/i < 7/; s/x != 6/x != 21/' cas.c >steps.c
"$HEDDLE" cc -o steps steps.c -pthread
rm -f c
"$HEDDLE" check -q -j 2 --strategy stateful --checkpoint c --checkpoint-every 50ms --json json ./steps >out 2>err &
pid=$!
replaced c '' $pid
kill -TERM "$pid" 2>/dev/null
wait "$pid"
"$HEDDLE" check -q -j 3 --strategy stateful --resume c --json json ./steps >out 2>err
got=$(jq -c '[.verdict, .states, .executions, .pruned, .events, .one_worker, .worker_starts]' json)
want=$("$HEDDLE" check -q --strategy stateful --json one ./steps >out && jq -c '[.verdict, .states, .executions, .pruned, .events, null, 3]' one)
if [ "$got" = "$want" ]; then pass 'noted steps in a checkpoint'; else fail 'noted steps in a checkpoint' "$got instead of $want $(first_lines err)"; fi

# What has no order cannot be compared: states that bits take for others.
check 2 --strategy stateful --bitstate --livelocks off ./counter >counts
if jq -e '.verdict == "no-violation-found" and .states > 480 and .states < 520' json >jq.out; then pass bitstate; else fail bitstate "$(cat counts)"; fi

# Reductions that learn are left to one worker, which is said.
for strategy in hybrid hybrid:hr hr hr-fields dpor-stateful; do
    same "$strategy" 'learns what threads touch' --strategy $strategy ./grid
done
expect_error 'super-step' 'super-step .*needs -j 1' "$HEDDLE" check -j 2 --reduce states,super-step ./grid
expect_error 'exact states' 'exact-states .*needs -j 1' "$HEDDLE" check -j 2 --strategy stateful --exact-states ./grid
expect_error 'symmetric' 'symmetric .*needs -j 1' "$HEDDLE" check -j 2 --strategy stateful --symmetric ./grid
expect_error 'a cache' 'state-cache .*needs -j 1' "$HEDDLE" check -j 2 --strategy stateful --state-cache 1000 ./grid
expect_error 'bits and livelocks' 'bitstate .*livelocks off' "$HEDDLE" check -j 2 --strategy stateful --bitstate ./grid
"$HEDDLE" check -q --strategy stateful --time 50ms --checkpoint c ./long >out 2>err
expect_error 'the states of one worker' 'one worker: use -j 1' "$HEDDLE" check -j 2 --strategy stateful --resume c ./long
