#!/bin/bash
# heddle confirm on programs whose lines say what they are: //! KIND real|spurious NUMBER.  The warnings are
# written as other tools would print them, in four formats in turn.  All that are real must be
# confirmed, none that is spurious, and at least half of these must be shown to be impossible.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# marks FILE: lines "NUMBER KIND TRUTH LINE", by number.
marks() {
    grep -n '//!' "$1" | while IFS=: read -r line text; do
        grep -o '//! [a-z]* [a-z]* [0-9]*' <<<"$text" | while read -r _ kind truth number; do
            echo "$number $kind $truth $line"
        done
    done | sort -n -k1,1 -k4,4
}

as_tsan() { # KIND FILE LINE...
    local kind=$1 file=$2 head='data race'
    shift 2
    [ "$kind" = deadlock ] && head='lock-order-inversion (potential deadlock)'
    echo '=================='
    echo "WARNING: ThreadSanitizer: $head (pid=4711)"
    for line; do
        if [ "$kind" = deadlock ]; then
            echo '  Mutex M1 acquired here while holding mutex M0 in thread T1:'
            echo '    #0 pthread_mutex_lock <null> (program+0x2f)'
        else
            echo '  Write of size 4 at 0x55d0 by thread T1:'
        fi
        echo "    #1 f /src/$file:$line:3 (program+0x1)"
        echo "    #2 g /src/$file:1:1 (program+0x1)"
    done
    echo '=================='
}
as_helgrind() {
    local kind=$1 file=$2 first=1
    shift 2
    [ "$kind" = deadlock ] && echo '==12== Thread #3: lock order "0x40 before 0x68" violated'
    for line; do
        if [ "$kind" = deadlock ]; then
            echo '==12==  followed by a later acquisition of lock at 0x68'
            echo '==12==    at 0x48: pthread_mutex_lock (in /usr/lib/vgpreload.so)'
        elif [ $first = 1 ]; then
            echo '==12== Possible data race during write of size 4 at 0x10C014 by thread #3'
            echo '==12== Locks held: none'
        else
            echo '==12== This conflicts with a previous write of size 4 by thread #2'
        fi
        echo "==12==    by 0x10: f ($file:$line)"
        echo "==12==    by 0x10: g ($file:1)"
        echo '==12== '
        first=0
    done
}
as_lines() {
    local kind=$1 file=$2 words=warning what
    shift 2
    case $kind in race) what='Thread Safety Violation' ;; deadlock) what='Deadlock' ;; *) what='Null dereference' ;; esac
    for line; do
        echo "$file:$line:5: $words: $what [some.Checker]"
        words=note
    done
}
as_sarif() {
    local kind=$1 file=$2 first=$3 more=
    shift 3
    place() { printf '{"physicalLocation":{"artifactLocation":{"uri":"file:///src/%s"},"region":{"startLine":%d}}}' "$file" "$1"; }
    for line; do more=$more${more:+,}$(place "$line"); done
    printf '{"version":"2.1.0","runs":[{"results":[{"ruleId":"%s","message":{"text":"a %s"},"locations":[%s],"relatedLocations":[%s]}]}]}\n' \
        "$kind" "${kind/race/data race}" "$(place "$first")" "$more"
}

n=0 n_spurious=0 n_impossible=0 n_real=0
for file in "$here"/*.c; do
    name=$(basename "$file" .c)
    "$HEDDLE" cc -O1 -g -pthread -o "$tmp/$name" "$file" >"$tmp/out" 2>&1 || fail "$name" "$(first_lines "$tmp/out")"
    for number in $(marks "$file" | cut -d' ' -f1 | uniq); do
        read -r kind truth < <(marks "$file" | awk -v n="$number" '$1 == n { print $2, $3; exit }')
        mapfile -t lines < <(marks "$file" | awk -v n="$number" '$1 == n { print $4 }')
        n=$((n + 1))
        case $kind:$((n % 4)) in
        fault:[01]) format=as_lines ;;
        fault:*) format=as_sarif ;;
        *:0) format=as_tsan ;;
        *:1) format=as_helgrind ;;
        *:2) format=as_lines ;;
        *) format=as_sarif ;;
        esac
        $format "$kind" "$name.c" "${lines[@]}" >"$tmp/warnings"
        "$HEDDLE" confirm --time 200s --trace-dir "$tmp/traces" --json "$tmp/json" "$tmp/$name" "$tmp/warnings" >"$tmp/out" 2>&1
        status=$?
        answer=$(jq -r '.warnings | if length == 1 then .[0].answer else "\(length) warnings" end' "$tmp/json")
        label="$name: $kind $number, $truth, ${format#as_}"
        case $truth:$answer:$status in
        real:confirmed:1)
            n_real=$((n_real + 1))
            "$HEDDLE" replay -q "$tmp/$name" "$(jq -r '.warnings[0].trace' "$tmp/json")" >"$tmp/out" 2>&1
            if [ $? = 1 ]; then pass "$label"; else fail "$label" "$(first_lines "$tmp/out")"; fi
            ;;
        spurious:impossible:0 | spurious:'not confirmed':0)
            n_spurious=$((n_spurious + 1))
            [ "$answer" = impossible ] && n_impossible=$((n_impossible + 1))
            pass "$label: $answer"
            ;;
        *) fail "$label" "$answer, status $status: $(first_lines "$tmp/out")" ;;
        esac
    done
done
if [ $n = 40 ] && [ $((2 * n_impossible)) -ge $n_spurious ]; then
    pass "40 warnings, $n_real real, $n_impossible of $n_spurious spurious ones impossible"
else
    fail 'the set' "$n warnings, $n_impossible of $n_spurious spurious ones impossible"
fi
