#!/bin/bash
# Random programs in work units: tests/oracle/parts.sh [PROGRAMS [FIRST_SEED [SEARCH]]]
# Each program is explored by one process, with -j 2, 3 and 4, and in units that are explored in a random order and added up.
# Verdict, counts, observations and violations must be the same.  Programs that a search refuses are left out, and counted.
set -u
. "$(dirname "$0")/../lib.sh"
n=${1:-5} seed=${2:-0}
searches=('--strategy graph' '--reduce sleep' '--reduce none' '--strategy chess:2')
[ $# -lt 3 ] || searches=("$3")
tools=$(dirname "$HEDDLE")/../tests
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
"$tools/oracle-gen" -n "$n" -s "$seed" --most 2000 -o programs.c >/dev/null || exit 2
"$HEDDLE" cc -o programs programs.c -pthread || exit 2

same='[.verdict, .executions, .blocked, .pruned, .bounded, .observations,
    ([.violations[]?.kind] | unique), .downgrades]' # of a race, the line depends on which access came first
check() { # COMMAND OPTIONS...: exit status 0 or 1
    local command=$1
    shift
    "$HEDDLE" "$command" -q --no-minimise --keep-going --trace-dir traces "$@" >out 2>err
    [ $? -le 1 ]
}

compared=0 refused=0 units=0 wrong=0
for ((i = 0; i < n; i++)); do
    for search in "${searches[@]}"; do
        if ! check check $search --json whole ./programs -- $i; then
            refused=$((refused + 1))
            continue
        fi
        want=$(jq -c "$same" whole)
        for jobs in 2 3 4; do
            check check $search -j $jobs --paranoid --json part ./programs -- $i
            got=$(jq -c "$same" part)
            [ "$got" = "$want" ] && continue
            fail "program $((seed + i)), $search -j $jobs" "$got instead of $want $(first_lines err)"
            wrong=$((wrong + 1))
        done
        compared=$((compared + 1))
        [ "$search" = '--strategy chess:2' ] && continue
        rm -rf units part
        check split $search -n 6 -o units --json part ./programs -- $i || fail "program $((seed + i)), $search, split" "$(first_lines err)"
        for unit in $(find units -name '*.unit' | shuf); do
            check check $search --unit "$unit" ./programs -- $i || fail "program $((seed + i)), $search, $unit" "$(first_lines err)"
            units=$((units + 1))
        done
        # one that breaks before it has a second thread has no units
        [ -e units/manifest ] || [ "$(jq -r .verdict part)" != violation ] || continue
        check merge $search --json part units ./programs -- $i
        got=$(jq -c "$same" part)
        [ "$got" = "$want" ] && continue
        fail "program $((seed + i)), $search, units" "$got instead of $want $(first_lines err)"
        wrong=$((wrong + 1))
    done
done
[ "$wrong" = 0 ] && pass "$n programs in parts"
echo "# $compared searches compared, $units units, $refused refused"
