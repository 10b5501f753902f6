#!/bin/bash
# The stateful search: how many states programs have whose number is known.  A number that is larger
# says that something dead keeps equal states apart.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=$ROOT/tests/programs

# states NAME EXPECTED ARGUMENTS...: nothing but a look for races is missing from the proof, and that many states are stored.
states() {
    local name=$1 expected=$2 got
    shift 2
    got=$(timeout "$LIMIT" "$HEDDLE" check -q --json - --trace-dir "$tmp" "$@" 2>"$tmp/err" |
        jq -c '[.violations, .undischarged - ["races"], .states]')
    if [ "$got" = "[[],[],$expected]" ]; then
        pass "$name"
    else
        fail "$name" "expected $expected states, got $got $(first_lines "$tmp/err")"
    fi
}

# Stored are the states with a choice: at least two threads have not had their turn.  From N = 9 on a
# second worker goes on where the first has too few thread-local blocks.
for n in 2 3 4 6 9 12; do
    for strategy in '--strategy stateful' '--races off --reduce states,super-step'; do
        # shellcheck disable=SC2086
        states "$n increments, $strategy" $(((1 << n) - n - 1)) $strategy --cc-flags "-DN=$n" \
            "$programs/dpor/counter.c"
    done
done

# SCALE's programs: how many states they have is found by counting once, that they do not change is what
# is tested.
states 'pool(4)' 1799 --strategy stateful --cc-flags -DN=4 "$programs/scale/threadpool.c"
states 'barrier(4,1)' 291 --strategy stateful --cc-flags '-DN=4 -DSTEPS=1' "$programs/scale/barrier.c"
states 'barrier(3,2)' 177 --strategy stateful --cc-flags '-DN=3 -DSTEPS=2' "$programs/scale/barrier.c"
states 'barrier(2,5)' 61 --strategy stateful --cc-flags '-DN=2 -DSTEPS=5' "$programs/scale/barrier.c"

# Looking ahead: increments under one lock have as many choices as there are states with two threads that
# have not had their turn; parts of an array that are each thread's own have none.
for n in 2 4 6; do
    states "$n increments, hybrid" $(((1 << n) - n - 1)) --strategy hybrid --cc-flags "-DN=$n" \
        "$programs/dpor/counter.c"
done
states 'parts of an array, hybrid' 0 --strategy hybrid "$ROOT/bench/hybrid/crypt.c"
for nk in '3 2' '4 2' '3 5' '2 9'; do
    read -r n k <<<"$nk"
    states "$n x $k increments" $(((k + 1) ** n - n * k - 1)) --strategy stateful \
        --cc-flags "-DN=$n -DK=$k" "$programs/stateful/rounds.c"
done

# Kept as they are, in bits, in too small a cache: the same states, or more work.
states '6 increments, exact' $(((1 << 6) - 6 - 1)) --strategy stateful --exact-states \
    --cc-flags -DN=6 "$programs/dpor/counter.c"
check() { timeout "$LIMIT" "$HEDDLE" check -q --trace-dir "$tmp" --json "$tmp/json" "$@" >/dev/null 2>"$tmp/err"; }
is() {
    local got
    got=$(jq -c "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got $(first_lines "$tmp/err")"; fi
}
for program in 'scale/threadpool -DN=2' 'scale/barrier -DN=3' 'dpor/lastzero -DN=4'; do
    read -r file flags <<<"$program"
    check --strategy stateful --cc-flags "$flags" "$programs/$file.c"
    numbers=$(jq -c '[.states, .executions, .pruned, .events]' "$tmp/json")
    events=$(jq .events "$tmp/json")
    check --strategy stateful --exact-states --cc-flags "$flags" "$programs/$file.c"
    is "$program: exact states" "[\"verified\",null,$numbers]" \
        '[.verdict, .state_collision_bound, [.states, .executions, .pruned, .events]]'
    check --strategy stateful --bitstate --cc-flags "$flags" "$programs/$file.c"
    is "$program: in bits" "[\"no-violation-found\",$numbers]" \
        '[.verdict, [.states, .executions, .pruned, .events]]'
    check --strategy stateful --state-cache 64 --cc-flags "$flags" "$programs/$file.c"
    is "$program: a small cache" '["verified",true]' "[.verdict, .events >= $events]"
done
# A bound on memory: 16 KiB have room for 1,024 states of 4,083.
check --strategy stateful --state-memory 16K --cc-flags -DN=12 "$programs/dpor/counter.c"
is 'too little memory' '["verified",true,true]' '[.verdict, .states_forgotten > 0, .states > 4083]'
check --strategy stateful --state-memory 1M --cc-flags -DN=12 "$programs/dpor/counter.c"
if "$HEDDLE" check -q --strategy stateful --state-memory 16K --cc-flags -DN=12 "$programs/dpor/counter.c" 2>&1 |
        grep -q '^  [0-9,]* states forgotten for want of room'; then
    pass 'too little memory is said'
else
    fail 'too little memory is said' 'no line about states that were forgotten'
fi
is 'enough memory' '["verified",null,4083]' '[.verdict, .states_forgotten, .states]'
check --strategy stateful --bitstate --state-memory 1M --cc-flags -DN=12 "$programs/dpor/counter.c"
is 'bits in so much memory' '["no-violation-found",4083]' '[.verdict, .states]'
for memory in 4K 4096 16K; do
    check --strategy stateful --state-memory $memory --no-minimise "$programs/dpor/philosophers.c"
    is "a violation in $memory" '"deadlock"' '.violations[0].kind'
done
expect_error 'memory of nothing' 'expected 4096' \
    "$HEDDLE" check --strategy stateful --state-memory 0 "$programs/dpor/counter.c"
expect_error 'memory in other units' 'K, M or G' \
    "$HEDDLE" check --strategy stateful --state-memory 1T "$programs/dpor/counter.c"
expect_error 'memory of a search that keeps no states' 'keeps none' \
    "$HEDDLE" check --strategy optimal --state-memory 1M "$programs/dpor/counter.c"
expect_error 'memory of exact states' 'state-memory' \
    "$HEDDLE" check --strategy stateful --exact-states --state-memory 1M "$programs/dpor/counter.c"
expect_error 'memory and a number' 'choose one' \
    "$HEDDLE" check --strategy stateful --state-cache 9 --state-memory 1M "$programs/dpor/counter.c"
expect_error 'memory of several workers' 'state-memory .*needs -j 1' \
    "$HEDDLE" check -j 2 --strategy stateful --state-memory 1M "$programs/dpor/counter.c"
expect_error 'exact states of a search that keeps none' 'keeps none' \
    "$HEDDLE" check --strategy optimal --exact-states "$programs/dpor/counter.c"
expect_error 'exact states in a cache' 'state-cache' \
    "$HEDDLE" check --strategy stateful --exact-states --state-cache 9 "$programs/dpor/counter.c"
expect_error 'exact and bits' 'cannot be combined' \
    "$HEDDLE" check --strategy stateful --exact-states --bitstate "$programs/dpor/counter.c"
expect_error 'bits by default' 'keeps none' "$HEDDLE" check --bitstate "$programs/dpor/counter.c"

# Passes: what is learnt after a node that has been left.  A hybrid that explores once calls this verified.
for many in 1 40; do
    for strategy in hybrid hybrid:hr dpor-stateful; do
        check --strategy "$strategy" --no-minimise --cc-flags "-DMANY=$many" "$programs/stateful/again.c"
        is "again.c, $many: $strategy needs a second pass" '["assertion",true]' \
            '[.violations[0].kind, .passes > 1]'
    done
done

# Races whose second half comes after a state that has been met: they are seen where both threads stand before them.
for strategy in optimal hybrid hybrid:hr hr hr-fields dpor-stateful stateful; do
    HEDDLE_ACCESSES=all check --strategy "$strategy" --keep-going --no-minimise "$programs/stateful/halves.c"
    is "halves.c: $strategy sees six races" '["data-race",6]' '[.violations[0].kind, (.violations | length)]'
done

# --symmetric: of N threads with one increment each it matters how many have had their turn and whom main
# waits for, the first that has not: N (N - 1) / 2 states in which two or more are left.
alike=$programs/stateful/alike.c
for n in 2 5 9 12; do
    check --strategy stateful --symmetric --cc-flags "-DN=$n" "$programs/dpor/counter.c"
    is "$n increments, --symmetric" "[\"verified\",$((n * (n - 1) / 2)),$n]" '[.verdict, .states, .interchangeable_threads]'
done
is '--symmetric is named' true 'any(.assumptions[]; contains("equals an address"))'
for what in 0 1 2; do
    check --strategy stateful --keep-going --races off --no-minimise --cc-flags "-DWHAT=$what" "$alike"
    kinds=$(jq -c '[.violations[].kind] | unique' "$tmp/json") states=$(jq .states "$tmp/json")
    check --strategy stateful --symmetric --keep-going --races off --no-minimise --cc-flags "-DWHAT=$what" "$alike"
    is "alike.c, $what: the same with --symmetric" "[$kinds,true]" \
        "[([.violations[].kind] | unique), .states <= $states]"
done
for what in 3:own 4:result 5:others 6:creates 7:'before it has joined'; do
    expect_error "alike.c, ${what%%:*}: told apart" "${what#*:}" \
        "$HEDDLE" check --strategy stateful --symmetric --cc-flags "-DWHAT=${what%%:*}" "$alike"
done
# Addresses that are only moved, followed and compared for equality, and addresses that are looked at.
told=$programs/stateful/told.c
for how in 0 1 2 3 4 5 6 7 8 9; do
    check --strategy stateful --symmetric --cc-flags "-DHOW=$how" "$told"
    is "told.c, $how: addresses are only moved" '"verified"' .verdict
done
for how in 20:orders 21:orders 22:computes 23:prints 24:orders 25:computes 26:address 27:bytes 28:part 29:part 30:part \
    31:computes 32:number 33:bytes 34:computes 35:stack 36:bytes 37:aligned 38:aligned 39:library 40:stack 41:assembly 42:assembly 43:assembly \
    44:'does not know' 45:'not known'; do
    expect_error "told.c, ${how%%:*}: addresses are looked at" "${how#*:}" \
        "$HEDDLE" check --strategy stateful --symmetric --cc-flags "-DHOW=${how%%:*}" "$told"
done
# A cycle of states: whether it is a livelock is a question of who is on it.
cat >"$tmp/round.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void *work(void *unused)
{
    for (int n = 0; n < 3; n += turn == 2)
        turn = (turn + 1) % 3;
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
expect_error '--symmetric, a cycle' 'comes back to a state' "$HEDDLE" check --strategy stateful --symmetric "$tmp/round.c"
check --strategy stateful --symmetric --livelocks off "$tmp/round.c"
is '--symmetric, a cycle, --livelocks off' true '.states > 0'
expect_error '--symmetric with a reduction' 'needs --strategy stateful' \
    "$HEDDLE" check --strategy hybrid --symmetric "$alike"
expect_error '--symmetric without states' 'needs --strategy stateful' "$HEDDLE" check --symmetric "$alike"

cat >"$tmp/two.c" <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }
static void *other(void *p) { return one(p); }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
for strategy in stateful graph; do
    "$HEDDLE" check --strategy $strategy --memory sc --symmetric "$tmp/two.c" >"$tmp/out" 2>"$tmp/err"
    if grep -q '^  no two threads are interchangeable: --symmetric changed nothing$' "$tmp/out" &&
        ! grep -q 'assuming\|[0-9] threads are interchangeable:' "$tmp/out"; then
        pass "--symmetric without threads that are alike, $strategy"
    else
        fail "--symmetric without threads that are alike, $strategy" "$(first_lines "$tmp/out") $(first_lines "$tmp/err")"
    fi
done

# How much of all executions a search over states has made, nothing tells: it says how many states there were.
rounds=$programs/stateful/rounds.c
cc='-DN=14 -DK=9'
script -qec "stty cols 150; timeout $LIMIT '$HEDDLE' check --strategy stateful --time 1s --cc-flags '$cc' '$rounds'" /dev/null \
    </dev/null 2>/dev/null | tr '\r' '\n' >"$tmp/out"
if grep -qE '[0-9] states \([0-9,]+/s\), [0-9,]+ executions, 0 violations' "$tmp/out" && ! grep -qE 'estimate| in all| left' "$tmp/out"; then
    pass 'progress over states'
else
    fail 'progress over states' "$(first_lines "$tmp/out")"
fi
for strategy in stateful scale jpf:states; do
    check --strategy $strategy --time 500ms --cc-flags "$cc" "$rounds"
    is "$strategy: no estimate" '[false,null]' '[.exhaustive, .explored]'
done
