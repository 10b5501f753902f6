#!/bin/bash
# Reductions that cannot be combined, on programs that show why (docs/scale.md): without --allow-unsound they are refused, with it
# an outcome is missing.  And pairs that lose nothing, and save nothing.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
late=$ROOT/tests/programs/dpor/late_writer.c

# outcomes OPTIONS...: verdict, different observations and pruned executions.
outcomes() {
    timeout "$LIMIT" "$HEDDLE" check -q --json "$tmp/json" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -r '"\(.verdict) \(.observations) \(.pruned > 0)"' "$tmp/json"
}
is() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected $2, got $3 ($(first_lines "$tmp/err"))"; fi; }

# x ends as 1 or as 2.
is 'late writer: all interleavings' 'verified 2 false' "$(outcomes --reduce none "$late")"
is 'late writer: plain DPOR' 'verified 2 false' "$(outcomes --reduce dpor:plain "$late")"
is 'late writer: not-seen' 'verified 2 true' "$(outcomes --reduce not-seen "$late")"
is 'late writer: plain DPOR with not-seen loses one' 'no-violation-found 1 true' \
    "$(outcomes --allow-unsound --reduce dpor:plain,not-seen "$late")"
expect_error 'late writer: which is refused, with the reason' 'cannot be combined: each relies on exploring what the other leaves out' \
    "$HEDDLE" check --reduce dpor:plain,not-seen "$late"
# Sleep sets never let two equivalent prefixes be explored, so that not-seen finds nothing to leave out.
for chain in sleep dpor source optimal; do
    is "late writer: $chain with not-seen prunes nothing" 'no-violation-found 2 false' \
        "$(outcomes --allow-unsound --reduce "$chain,not-seen" "$late")"
done

# ---- super-step behind DPOR ----

# counts OPTIONS...: all that an exploration has done.
counts() {
    timeout "$LIMIT" "$HEDDLE" check -q --json "$tmp/json" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -r '"\(.observations) \(.executions) \(.blocked) \(.events) \(.violations | length)"' "$tmp/json"
}
three=$ROOT/tests/programs/dpor/three_orders.c
is 'three orders: all interleavings' 'verified 6 false' "$(outcomes --reduce none "$three")"
is 'three orders: super-step' 'verified 6 false' "$(outcomes --reduce super-step "$three")"
is 'three orders: optimal' 'verified 6 false' "$(outcomes --reduce optimal "$three")"
is 'three orders: optimal with super-step loses two' 'no-violation-found 4 false' \
    "$(outcomes --allow-unsound --reduce optimal,super-step "$three")"
expect_error 'three orders: which is refused' 'cannot be combined: each relies on exploring what the other leaves out' \
    "$HEDDLE" check --reduce optimal,super-step "$three"
# The others pass one thread on, so super-step has nothing to leave out: the same executions, step for step.
for chain in source dpor dpor:plain; do
    for program in three_orders late_writer philosophers counter; do
        file=$ROOT/tests/programs/dpor/$program.c
        is "$program: $chain with super-step does what $chain does" "$(counts --keep-going --reduce "$chain" "$file")" \
            "$(counts --keep-going --allow-unsound --reduce "$chain,super-step" "$file")"
    done
done

# ---- local-cycle behind DPOR ----

waiter=$ROOT/tests/programs/dpor/waiter_first.c
is 'waiter first: all interleavings' 'verified 2 false' "$(outcomes --reduce none "$waiter")"
is 'waiter first: local-cycle' 'no-violation-found 2 true' "$(outcomes --reduce local-cycle "$waiter")"
for chain in optimal source dpor dpor:plain; do
    is "waiter first: $chain, which takes the loop for a wait" 'verified 2 false' "$(outcomes --reduce "$chain" "$waiter")"
    is "waiter first: $chain with local-cycle comes to no end at all" 'no-violation-found null true' \
        "$(outcomes --allow-unsound --reduce "$chain,local-cycle" "$waiter")"
done
expect_error 'waiter first: which is refused' 'cannot be combined: each relies on exploring what the other leaves out' \
    "$HEDDLE" check --reduce dpor,local-cycle "$waiter"
