#!/bin/bash
# Forty classic bugs and their repairs, checked without options: tests/bugs/run.sh [NAME...]
#
# What is expected stands at the top of each file.  Of a bug also: the small run is as small as it gets with
# at most 3 preemptions, 2 on average; the orderings that are said to decide it do: each turned round by itself, the
# run passes, and the steps stand in the trace in the order that was asked for.  All checks together take less
# than a minute of processor time, compilation included.
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

# turned FILE JSON: each of the orderings that are said to decide, forced by itself (all at once when only all of them
# together do), makes a run that passes.
turned() {
    local file=$1 json=$2 trace orders order
    trace=$(jq -r '.violations[0].trace' "$json")
    orders=$(jq -r '.violations[0] | (if .joint then " " else "\n" end) as $between |
        [.deciding[] | "--turn \(if .late.step then .late.step else "\(.late.thread)+\(.late.beyond)" end),\(.early.step)"]
        | join($between)' "$json")
    while read -r order; do
        # shellcheck disable=SC2086
        timeout "$LIMIT" "$HEDDLE" replay -q $order "$file" "$trace" >"$tmp/out" 2>&1 && continue
        echo "$order: $(first_lines "$tmp/out")"
        return 1
    done <<<"$orders"
}

# woken JSON FILE TRACE: in the passing run the signal that is said to decide wakes the thread that is named.
woken() {
    local step thread
    read -r step thread < <(jq -r '.violations[0].deciding_wake | "\(.step) \(.thread)"' "$1")
    COLUMNS=240 timeout "$LIMIT" "$HEDDLE" replay "$2" "$3" 2>&1 | grep -qE "^ +$step .* wakes $thread$"
}

one() {
    local name=$1 expected file=$here/$1.c
    tmp=$(mktemp -d)
    expected=$(sed -n 's,^// expect: ,,p' "$file")
    check_program "$name" "$expected" "" "" "$file"
    times >"$tmp/times" # of the check, and of what looks at its result
    awk -F '[ms ]+' 'NR == 2 { print "seconds", $1 * 60 + $2 + $3 * 60 + $4 }' "$tmp/times"
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
        elif jq -e '.violations[0].deciding_wake' "$tmp/json" >/dev/null; then
            if woken "$tmp/json" "$file" "$trace"; then pass "$name decided"; else
                fail "$name decided" "the signal of the passing run does not wake the thread that is named"
            fi
        elif ! forced "$tmp/json" 0 "$trace"; then
            fail "$name decided" "the passing run does not have the order that is said to decide"
        elif ! turned "$file" "$tmp/json" >"$tmp/why"; then
            fail "$name decided" "$(cat "$tmp/why")"
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
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 "$0" --one | tee "$log" | grep -v '^preemptions\|^seconds'
awk '/^preemptions/ { n++; sum += $2 } /^seconds/ { s += $2 }
     END { printf "%s time: %.1f seconds of processor time for all checks\n", s < 60 ? "ok" : "not ok", s
           if (n && sum > 2 * n) printf "not ok preemptions: %.2f on average, more than 2\n", sum / n
           else printf "ok preemptions: %.2f on average\n", n ? sum / n : 0 }' "$log"
