#!/bin/bash
# Several workers that share their states: tests/oracle/states_jobs.sh [PROGRAMS [FIRST_SEED]]
# Random programs are explored with `stateful` by one worker and by 2, 3 and 4 that give away as often as they can.  Verdict,
# states, executions, events, observations and violations must be the same.  Every tenth time a worker is killed meanwhile.
set -u
. "$(dirname "$0")/../lib.sh"
n=${1:-10} seed=${2:-0}
tools=$(dirname "$HEDDLE")/../tests
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
"$tools/oracle-gen" -n "$n" -s "$seed" --most 2000 -o programs.c >/dev/null || exit 2
"$HEDDLE" cc -o programs programs.c -pthread || exit 2

same='[.verdict, .states, .choices, .executions, .pruned, .bounded, .events, .observations,
    ([.violations[]?.kind] | unique), .downgrades]'
check() { # OPTIONS...
    "$HEDDLE" check -q --no-minimise --keep-going --trace-dir traces "$@" >out 2>err </dev/null &
    local heddle=$! worker=
    if [ "$kill" ]; then
        # The first is the process that workers are copied from.  A search takes some milliseconds, pgrep would be late.
        while [ ! "$worker" ] && kill -0 "$heddle" 2>/dev/null; do # the line has no end
            read -r _ worker _ 2>/dev/null <"/proc/$heddle/task/$heddle/children"
        done
        [ "$worker" ] && kill -9 "$worker" 2>/dev/null && killed=$((killed + 1))
    fi
    wait "$heddle"
    [ $? -le 1 ]
}

compared=0 alone=0 killed=0 wrong=0 kill=
for ((i = 0; i < n; i++)); do
    for search in '--strategy stateful' '--reduce states --livelocks off'; do
        check $search --json whole ./programs -- $i || fail "program $((seed + i)), $search" "$(first_lines err)"
        want=$(jq -c "$same" whole)
        for jobs in 2 3 4; do
            [ $((compared % 10)) = 9 ] && kill=1
            check $search -j $jobs --paranoid --json part ./programs -- $i
            kill=
            # one worker, which all begin again with, is not started again
            grep -q 'killed from outside' err && check $search -j $jobs --paranoid --json part ./programs -- $i
            got=$(jq -c "$same" part)
            compared=$((compared + 1))
            [ "$(jq .one_worker part)" != null ] && alone=$((alone + 1))
            [ "$got" = "$want" ] && continue
            fail "program $((seed + i)), $search -j $jobs" "$got instead of $want $(first_lines err)"
            wrong=$((wrong + 1))
        done
    done
done
[ "$wrong" = 0 ] && pass "$n programs with states in common"
[ "$alone" -lt "$compared" ] || fail 'states in common' 'one worker did everything'
echo "# $compared searches compared, $alone by one worker in the end, $killed with a killed worker"
