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
check_program 'small' verified 8192 '' --cc-flags -DN=13 "$programs/dpor/readers.c"
field 'small: one phase' '[.strategy, .decided_by, [.phases[].strategy]]' '["auto","optimal",["optimal"]]'

# More work than the first slice: all phases have their turn, and optimal's counts are those it has alone.
check_program 'larger' verified 69632 '' --cc-flags -DN=14 "$programs/dpor/lastzero.c"
field 'larger: phases' '[.phases[].strategy]' '["optimal","random","pct:3","pos","chess:2"]'
field 'larger: counts' '[.decided_by, .executions == .phases[0].executions, .events == .phases[0].events]' \
    '["optimal",true,true]'
field 'larger: as alone' '[.blocked, .events, .max_depth]' \
    "$("$HEDDLE" check -q --json - --strategy optimal --cc-flags -DN=14 "$programs/dpor/lastzero.c" |
        jq -c '[.blocked, .events, .max_depth]')"

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
field 'symmetric: decided by states' '[.decided_by, .states > 100, .state_collision_bound < 1e-20]' \
    '["stateful",true,true]'

# One budget.
check_program 'executions' no-violation-found '' '' --executions 60000 --cc-flags -DN=17 "$programs/dpor/lastzero.c"
field 'executions: of all phases together' '[.phases[].executions] | add' 60000
check_program 'time' no-violation-found '' '' --time 2s --cc-flags -DN=20 "$programs/dpor/lastzero.c"
field 'time: told' '[.decided_by, (.downgrades[0] | startswith("stopped after 2 seconds")), .seconds < 4]' \
    '["optimal",true,true]'

# A bug that a depth-first search comes to last, among very many executions.
check_program 'corner' 'violation assertion' '' '' "$ROOT/bench/corner.c"
field 'corner: found by sampling' '[.decided_by, .executions == .phases[-1].executions]' '["random",true]'
replay_all 'corner' "$ROOT/bench/corner.c"

# Several workers, and where there is one search.
check_program '-j 2' verified 69632 '' -j 2 --cc-flags -DN=14 "$programs/dpor/lastzero.c"
field '-j 2: anew' '[.phases[].strategy]' '["optimal","random","pct:3","pos","chess:2","optimal"]'
check_program 'keep going' verified 8192 '' --keep-going --cc-flags -DN=13 "$programs/dpor/readers.c"
field 'keep going: one search' '[.strategy, .phases]' '["auto",null]'
check_program 'with a bound' no-violation-found '' '' --depth 9 "$programs/dpor/readers.c"
field 'with a bound: one search' .strategy '"dfs, optimal, depth:9"'
expect_error 'auto and a search' 'auto chooses' "$HEDDLE" check --strategy auto --search dfs "$ROOT/bench/corner.c"
