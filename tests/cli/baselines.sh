#!/bin/bash
# Searches that are there to be compared with: what they find, what they miss, and that they say so.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=$ROOT/tests/programs

# check OPTIONS...: the JSON is in $tmp/json.
check() {
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check -q --no-minimise --trace-dir "$tmp/traces" --json "$tmp/json" "$@" \
        >/dev/null 2>"$tmp/err"
}

# is NAME EXPECTED JQ: of the last check.
is() {
    local got
    got=$(jq -rc "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines "$tmp/err"))"; fi
}

# Without sleep sets some traces come again.
check --strategy dpor:plain --races off --cc-flags -DN=4 "$programs/dpor/lastzero.c"
traces=$(jq .executions "$tmp/json")
check --strategy optimal --races off --cc-flags -DN=4 "$programs/dpor/lastzero.c"
is 'dpor:plain repeats traces' true ".executions < $traces"
check --strategy dpor:plain "$programs/scale/twosteps.c"
is 'dpor:plain finds a violation' violation .verdict
check --strategy dpor:plain --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'dpor:plain can verify' verified .verdict

# Noonan's thesis, Fig. 3.2, which was hypothetical there.
shared=$programs/directed/sharedness.c
for strategy in dpor:plain inspect optimal stateful brute; do
    check --strategy $strategy "$shared"
    is "$strategy finds what JPF's reduction misses" assertion '.violations[0].kind'
done
check --strategy jpf:states "$shared"
is "JPF's reduction with its states misses it, and says so" '["no-violation-found",["filters"]]' '[.verdict, .undischarged]'

# A bound with states: fewer executions, the same answers.
for k in 0 1 2; do
    check --strategy chess:$k --keep-going "$shared"
    answer=$(jq -c '[.verdict, [.violations[].kind]]' "$tmp/json") runs=$(jq .executions "$tmp/json")
    check --strategy chess-states:$k --keep-going "$shared"
    is "chess-states:$k answers as chess:$k" "$answer" '[.verdict, [.violations[].kind]]'
    is "chess-states:$k takes no more executions" true ".executions <= $runs"
done
check --reduce states --preemptions 20 --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'a bound that is never reached, with states' verified .verdict
check --strategy stateful --preemptions 20 --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'the same with the preset' verified .verdict

# Scheduling points at synchronisation only.
cat >"$tmp/lost.c" <<'END'
#include <assert.h>
#include <pthread.h>
int n;
static void *add(void *unused) { n++; return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
}
END
check --strategy chess-sync:2 --races off "$tmp/lost.c"
is 'chess-sync does not see what a race does, and says so' '["no-violation-found",true]' \
    '[.verdict, any(.downgrades[]; contains("sync-only"))]'
check --strategy chess-sync:2 "$tmp/lost.c"
is 'but sees the race' data-race '.violations[0].kind'
check --strategy chess-sync:2 --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'and never verifies' no-violation-found .verdict

# HGS where JPF tries threads.
check --races off --strategy hgs-jpf --cc-flags -DSETTERS=2 "$programs/directed/reorder.c"
is 'hgs-jpf finds an error' target '.violations[0].kind'

# What is refused can be asked for, and is never verified.
expect_error 'a refusal names what was typed' '--strategy jpf --preemptions 2: ' \
    "$HEDDLE" check --strategy jpf --preemptions 2 "$shared"
expect_error 'and not what is implied' '--strategy hybrid --preemptions 2: preemptions and hybrid cannot be combined' \
    "$HEDDLE" check --strategy hybrid --preemptions 2 "$shared"
check --allow-unsound --reduce optimal,not-seen --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'an unsound chain is named' '["no-violation-found",["chain"],true]' \
    '[.verdict, .undischarged, any(.downgrades[]; contains("optimal, not-seen are not known"))]'
check --allow-unsound --reduce optimal --cc-flags -DN=2 "$programs/scale/barrier.c"
is 'one that is right stays so' verified .verdict
expect_error 'two reductions by races' 'a search has one reduction by races; choose one' \
    "$HEDDLE" check --allow-unsound --reduce optimal,source "$shared"
expect_error 'exact states with a bound' 'exact-states' \
    "$HEDDLE" check --strategy chess-states:1 --exact-states "$shared"

# Reductions by races that one worker explores, and why.
for strategy in dpor:plain observers; do
    expect_error "$strategy with two workers" "$strategy opens alternatives at earlier nodes.*needs -j 1" \
        "$HEDDLE" check -j 2 --reduce $strategy "$shared"
    expect_error "$strategy in work units" "$strategy cannot be split into work units" \
        "$HEDDLE" split -o "$tmp/units" --reduce $strategy "$shared"
done
