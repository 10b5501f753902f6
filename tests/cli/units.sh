#!/bin/bash
# Work units: a search that is continued by one process after another, which share nothing but a file, makes the
# executions of one that is never stopped.  With --long twenty processes for every search.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

parts=4
[ "${1:-}" = --long ] && parts=20

# The search over graphs runs events again after a revisit: how many depends on where it was stopped.
numbers() {
    jq -c '[.verdict, .executions, .blocked, .pruned, .bounded,
        (if .memory_model == "sequential consistency" then .events else 0 end), .states, .max_depth, .observations, .traces,
        [.violations[]?.message], .downgrades]' "$1"
}

# in_parts N PROGRAM OPTIONS...: about N processes, each of which makes a random number of executions.
in_parts() {
    local n=$1 program=$2 all i step last=0 resume=()
    shift 2
    local name="$program $*, $n parts"
    rm -f unit
    "$HEDDLE" check -q --no-minimise --keep-going --json whole "$@" "./$program" >out 2>err
    all=$(jq .executions whole)
    step=$((2 * all / n + 1))
    for ((i = 0; i < n; i++)); do
        last=$((last + RANDOM % step + 1))
        [ "$last" -lt "$all" ] || break
        "$HEDDLE" check -q --no-minimise --keep-going --json part --checkpoint unit "${resume[@]}" --executions "$last" \
            "$@" "./$program" >out 2>err
        if [ "$(jq .executions part)" != "$last" ]; then
            fail "$name" "$last executions wanted, $(jq .executions part) made: $(first_lines err)"
            return
        fi
        resume=(--resume unit)
    done
    "$HEDDLE" check -q --no-minimise --keep-going --json part "${resume[@]}" "$@" "./$program" >out 2>err
    if [ "$i" -gt 0 ] && [ "$(numbers part)" = "$(numbers whole)" ]; then
        pass "$name"
    else
        fail "$name" "$i parts: $(numbers part) instead of $(numbers whole) $(first_lines err)"
    fi
}

# by_any_number PROGRAM OPTIONS...: process after process, each with another number of workers and a moment's time.
# Source sets and DPOR may begin a reversal with another thread when workers share the tree: their blocked executions
# and events are not compared, nor are the depths.
by_any_number() {
    local program=$1 jobs time rounds=0 resume=(--checkpoint unit)
    shift
    local name="$program $*, any number of workers"
    local same='[.verdict, .executions, .observations, .traces, ([.violations[]?.message] | sort), .downgrades]'
    rm -f unit
    "$HEDDLE" check -q --no-minimise --keep-going --json whole "$@" "./$program" >out 2>err
    for jobs in 3 1 4 2 3 5 2 3; do
        # a time that is over before the workers have begun, or a moment later
        time=$([ $((rounds % 2)) = 1 ] && echo 1ms || echo 20ms)
        "$HEDDLE" check -q --no-minimise --keep-going -j $jobs --json part "${resume[@]}" --time "$time" "$@" "./$program" \
            >out 2>err
        jq -e .exhaustive part >exhaustive && break
        [ -e unit ] && resume=(--resume unit) && rounds=$((rounds + 1))
    done
    [ "$(cat exhaustive)" = true ] ||
        "$HEDDLE" check -q --no-minimise --keep-going -j 2 --json part "${resume[@]}" "$@" "./$program" >out 2>err
    if [ "$(jq -c "$same" part)" = "$(jq -c "$same" whole)" ]; then
        pass "$name"
        echo "# gone on with $rounds times"
    else
        fail "$name" "$rounds rounds: $(jq -c "$same" part) instead of $(jq -c "$same" whole) $(first_lines err)"
    fi
}

dir=$ROOT/tests/programs
"$HEDDLE" cc -DN=4 -o counter "$dir/dpor/counter.c" -pthread
"$HEDDLE" cc -o fib "$dir/dpor/fib_bench.c" -pthread
"$HEDDLE" cc -o philosophers "$dir/dpor/philosophers.c" -pthread
"$HEDDLE" cc -DN=2 -DSTEPS=2 -o barrier "$dir/scale/barrier.c" -pthread
"$HEDDLE" cc -DN=3 -DK=4 -o rounds "$dir/stateful/rounds.c" -pthread

in_parts 20 counter --strategy optimal
in_parts 20 fib --strategy optimal
for strategy in optimal source inspect stateful hybrid dpor-stateful; do
    in_parts "$parts" philosophers --strategy $strategy
done
in_parts "$parts" counter --strategy graph
in_parts "$parts" fib --strategy graph
in_parts "$parts" philosophers --strategy graph
"$HEDDLE" cc -o waiters "$ROOT/tests/litmus/correct/waiters_and_tellers.c" -pthread
in_parts "$parts" waiters --memory rc11
in_parts "$parts" barrier --memory rc11
in_parts "$parts" barrier --strategy scale
in_parts "$parts" barrier --strategy chess:2
in_parts "$parts" barrier --reduce not-seen:hash
in_parts "$parts" barrier --reduce super-step,not-seen
in_parts "$parts" barrier --reduce optimal,traces
in_parts "$parts" counter --reduce sleep
in_parts "$parts" barrier --preemptions 2 --reduce dpor
in_parts "$parts" barrier --finer observers --strategy optimal
in_parts "$parts" rounds --strategy stateful --exact-states
in_parts "$parts" rounds --strategy stateful --state-cache 40
in_parts "$parts" rounds --strategy hybrid:hr
if [ "$parts" = 20 ]; then
    for strategy in hr hr-fields scale:nsb hybrid stateful; do
        in_parts 20 rounds --strategy $strategy --depth 500
    done
    in_parts 20 rounds --strategy stateful --bitstate --state-cache 100000
fi

# Increments that get lost, two of three assertions fail somewhere.
cat >lost.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        x = x + 1;
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(x != 3);
    assert(x != 2);
    assert(x > 1);
}
EOF
"$HEDDLE" cc -DTHREADS=3 -DROUNDS=2 -o lost lost.c -pthread
"$HEDDLE" cc -DTHREADS=2 -DROUNDS=4 -o lost2 lost.c -pthread
for reduce in optimal source dpor sleep optimal,traces; do
    by_any_number lost --reduce $reduce
done
by_any_number lost --strategy chess:2
by_any_number lost --strategy graph
by_any_number lost2 --strategy graph
by_any_number waiters --memory rc11
by_any_number lost2 --reduce none
by_any_number lost2 --reduce sleep --preemptions 4

# Violations that end executions in the middle of a graph: each of the three has its own way to go on.
cat >early.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *add(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int now = atomic_load_explicit(&x, memory_order_relaxed);
        assert(now != 2);
        atomic_store_explicit(&x, now + 1, memory_order_release);
        if (atomic_fetch_add_explicit(&y, 1, memory_order_relaxed) == 3)
            *(volatile int *)0 = 1;
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(x != 3);
}
EOF
"$HEDDLE" cc -o early early.c -pthread
in_parts 20 early --strategy graph
by_any_number early --strategy graph

# Searches that remember what was explored work with one worker, and say so.
"$HEDDLE" check -q --strategy stateful --executions 1 --checkpoint unit ./lost >out 2>err
expect_error 'stateful with several workers' 'stateful|one worker|-j' "$HEDDLE" check --strategy stateful -j 2 --resume unit ./lost

# Sampling: as many executions in two parts as in one, with the same numbers.
for search in random pct:3 pos; do
    rm -f unit
    "$HEDDLE" check -q --search $search --executions 500 --json whole ./fib >out 2>err
    "$HEDDLE" check -q --search $search --executions 123 --checkpoint unit --json part ./fib >out 2>err
    "$HEDDLE" check -q --search $search --executions 500 --resume unit --json part ./fib >out 2>err
    if [ "$(numbers part)" = "$(numbers whole)" ]; then
        pass "$search in two parts"
    else
        fail "$search in two parts" "$(numbers part) instead of $(numbers whole) $(first_lines err)"
    fi
done

# What is cut short, or belongs to something else, is refused with one line.
"$HEDDLE" check -q --strategy optimal --executions 3 --checkpoint unit ./counter >out 2>err
size=$(stat -c %s unit)
for length in 0 1 50 111 112 150 $((size / 2)) $((size - 41)) $((size - 40)) $((size - 1)); do
    head -c "$length" unit >broken
    expect_error "cut off after $length bytes" 'broken (is damaged|is no checkpoint)' \
        "$HEDDLE" check -q --strategy optimal --trust --resume broken ./counter
done
cat unit unit >broken
expect_error 'twice the bytes' 'broken is damaged' "$HEDDLE" check -q --strategy optimal --trust --resume broken ./counter
expect_error 'a unit of another program' 'of another program' "$HEDDLE" check -q --strategy optimal --trust --resume unit ./fib
expect_error 'a unit of another search' 'other options' "$HEDDLE" check -q --strategy source --trust --resume unit ./counter
version=$(printf '\\x%02x' "$(sed -n 's/.*define HD_UNIT_VERSION \([0-9]*\).*/\1/p' "$ROOT"/src/*/*.h "$ROOT"/src/*/*/*.h)")
perl -0777 -pe "s/$version(\\x00\\x00\\x00\\x01\\x00\\x01)/\\x7f\$1/" unit >broken # not sed: a byte may be the end of a line
printf 9 | dd of=broken bs=1 seek=24 conv=notrunc 2>/dev/null # the version that is told
expect_error 'a unit of another version' 'another version of heddle' \
    "$HEDDLE" check -q --strategy optimal --trust --resume broken ./counter

# Damaged bytes are refused with one line.
"$HEDDLE" check -q --strategy optimal --executions 3 --checkpoint unit ./counter >out 2>err
size=$(stat -c %s unit)
for at in 3 24 48 60 92 104 200 $((size - 1)) $((size - 33)); do
    cp unit broken
    printf '\252' | dd of=broken bs=1 seek="$at" conv=notrunc 2>/dev/null
    expect_error "byte $at is told as damaged" 'broken is damaged' "$HEDDLE" check -q --strategy optimal --resume broken ./counter
done
for at in 40 120 200 $((size / 2)) $((size - 60)) $((size - 20)); do
    cp unit broken
    printf '\252' | dd of=broken bs=1 seek="$at" conv=notrunc 2>/dev/null
    cmp -s unit broken && continue
    "$HEDDLE" check -q --strategy optimal --trust --resume broken ./counter >out 2>err
    status=$?
    if [ $status = 2 ] && [ "$(wc -l <err)" = 1 ]; then
        pass "byte $at damaged"
    elif [ $status = 0 ] && [ "$at" -gt $((size - 33)) ]; then
        pass "byte $at damaged: the signature, trusted"
    elif [ $status = 0 ] && [ "$at" = 40 ]; then
        pass "byte $at damaged: the version of heddle, which is only told"
    else
        fail "byte $at damaged" "status $status $(first_lines err)"
    fi
done
