#!/bin/bash
# Forty classic bugs and their repairs, checked without options: tests/bugs/run.sh [NAME...]
#
# What is expected stands at the top of each file.  Of a bug also: the small run is as small as it gets with
# at most 3 preemptions, 2 on average; the orderings that are said to decide it do: turned round, the
# run passes, and the steps stand in the trace in the order that was asked for.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"

# forced JSON I TRACE: in the trace the late step of the i'th ordering comes before the early one.
forced() {
    local late early
    late=$(jq -r ".violations[0].deciding[$2].late | .thread + \" .*site=\(.site)( |$)\"" "$1")
    early=$(jq -r ".violations[0].deciding[$2].early | .thread + \" .*site=\(.site)( |$)\"" "$1")
    late=$(grep -nE "^[0-9]+ $late" "$3" | head -n 1 | cut -d: -f1)
    early=$(grep -nE "^[0-9]+ $early" "$3" | tail -n 1 | cut -d: -f1)
    [ -n "$late" ] && [ "$late" -lt "${early:-999999}" ]
}

one() {
    local name=$1 expected file=$here/$1.c
    tmp=$(mktemp -d)
    expected=$(sed -n 's,^// expect: ,,p' "$file")
    check_program "$name" "$expected" "" "" "$file"
    if [[ $expected == violation* ]] && [ -s "$tmp/json" ]; then
        local trace preemptions
        trace=$(jq -r '.violations[0].passing_trace // ""' "$tmp/json")
        preemptions=$(jq -r '.violations[0].preemptions // 99' "$tmp/json")
        echo "preemptions $preemptions"
        if [ "$preemptions" -gt 3 ]; then
            fail "$name small" "$preemptions preemptions"
        elif [ -z "$trace" ]; then
            fail "$name decided" "no ordering was found"
        elif ! timeout "$LIMIT" "$HEDDLE" replay -q "$file" "$trace" >"$tmp/out" 2>&1; then
            fail "$name decided" "turned round, the run does not pass: $(first_lines "$tmp/out")"
        elif ! forced "$tmp/json" 0 "$trace"; then
            fail "$name decided" "the passing run does not have the order that is said to decide"
        else
            pass "$name decided"
        fi
    fi
    rm -rf "$tmp"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit
fi
[ $# -gt 0 ] || set -- $(cd "$here" && ls *.c | sed 's/\.c$//')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 "$0" --one | tee "$log" | grep -v '^preemptions'
awk '/^preemptions/ { n++; sum += $2 }
     END { if (n && sum > 2 * n) printf "not ok preemptions: %.2f on average, more than 2\n", sum / n
           else printf "ok preemptions: %.2f on average\n", n ? sum / n : 0 }' "$log"
