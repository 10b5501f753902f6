#!/bin/bash
# The stateful search: how many states programs have whose number is known.  A number that is larger
# says that something dead keeps equal states apart.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
programs=$ROOT/tests/programs

# states NAME EXPECTED ARGUMENTS...: verified, with that many states stored.
states() {
    local name=$1 expected=$2 got
    shift 2
    got=$(timeout "$LIMIT" "$HEDDLE" check -q --json - --trace-dir "$tmp" "$@" 2>"$tmp/err" |
        jq -c '[.verdict, .states]')
    if [ "$got" = "[\"verified\",$expected]" ]; then
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
for nk in '3 2' '4 2' '3 5' '2 9'; do
    read -r n k <<<"$nk"
    states "$n x $k increments" $(((k + 1) ** n - n * k - 1)) --strategy stateful \
        --cc-flags "-DN=$n -DK=$k" "$programs/stateful/rounds.c"
done
