#!/bin/bash
# Reductions that cannot be combined, on programs that show why (docs/scale.md): without --allow-unsound they are refused, with it
# an outcome is missing.  And one pair that loses nothing, and saves nothing.
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
