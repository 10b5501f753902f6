#!/bin/bash
# Every litmus program: tests/litmus/run.sh [FILE...]; those of C++ are in tests/cxx.  What is expected stands at the top of each:
#
#   // expect: VERDICT [KIND...]   verdict, and the kinds of all violations found, sorted
#   // options: ...                of heddle check
#   // cc-flags: ...   // args: ...
#   // executions: N               known from theory (the comment says why)
#   // orders: weak                atomics weaker than seq_cst are executed: sequential consistency alone
#                                  does not verify the program
#   // also: OPTIONS => VERDICT    another run with other options
#
# Without `options`, the program is also explored with not-seen: the same verdict, and the same number.  (One program of four; all of
# them in the long tests.)
# The violation stands in the line that carries the comment "violation"; data races are between lines
# with the comment "race", all of them; a signal that nobody heard is in the line with the comment "lost"; warnings of inverted locks are
# of the lines with the comment "inverted", all of them; waits that must be signalled are in the lines with the comment "signalled".
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"

# check_races NAME FILE: the data races of the last check are between the lines that say so.
check_races() {
    local want got
    want=$(grep -n '/\* race \*/' "$2" | cut -d: -f1 | tr '\n' ' ')
    got=$(jq -r '[.violations[] | select(.kind == "data-race") |
                 .location.line, .other_location.line] | unique | .[]' "$tmp/json" | tr '\n' ' ')
    if [ "$want" = "$got" ]; then pass "$1 lines"; else fail "$1 lines" "$got instead of $want"; fi
}

# check_inverted NAME FILE: the last check warns of locks taken in the lines that say so, and of no
# others.
check_inverted() {
    local want got
    want=$(grep -n '/\* inverted \*/' "$2" | cut -d: -f1 | tr '\n' ' ')
    got=$(jq -r '[.lock_inversions[][].location.line] | unique | .[]' "$tmp/json" | tr '\n' ' ')
    if [ "$want" = "$got" ]; then pass "$1 inverted"; else fail "$1 inverted" "'$got' instead of '$want'"; fi
}

# check_lost NAME FILE: the last check explains the deadlock by the lost signals that are marked.
check_lost() {
    local want got
    want=$(grep -n '/\* lost \*/' "$2" | cut -d: -f1 | tr '\n' ' ')
    got=$(jq -r '[.violations[].lost_signals[]?.location.line] | unique | .[]' "$tmp/json" |
          tr '\n' ' ')
    if [ "$want" = "$got" ]; then pass "$1 lost"; else fail "$1 lost" "'$got' instead of '$want'"; fi
}

# check_signalled NAME FILE: the last check names the waits that must be signalled, if there are any that say so.
check_signalled() {
    local want got
    want=$(grep -n '/\* signalled \*/' "$2" | cut -d: -f1 | tr '\n' ' ')
    [ "$want" ] || return
    got=$(jq -r '.assumptions[] | select(test("no plain loop repeats")) | scan(":([0-9]+)")[0]' "$tmp/json" | tr '\n' ' ')
    if [ "$want" = "$got" ]; then pass "$1 signalled"; else fail "$1 signalled" "'$got' instead of '$want'"; fi
}

one() {
    local file=$1 name expected flags options args line also driver
    name=$(basename "$(dirname "$file")")/$(basename "${file%.c*}")
    driver=cc
    [[ $file == *.cpp ]] && driver=c++
    tmp=$(mktemp -d)
    expected=$(header expect "$file")
    flags=$(header cc-flags "$file")
    eval "options=($(header options "$file"))"
    eval "args=($(header args "$file"))"
    # Most of the time goes into compiling, so that is done once.
    local program=$tmp/program
    # shellcheck disable=SC2086
    if ! "$HEDDLE" $driver $flags -o "$program" "$file" -pthread 2>"$tmp/err"; then
        fail "$name heddle $driver" "$(first_lines "$tmp/err")"
        rm -rf "$tmp"
        return
    fi
    line=$(grep -n '/\* violation \*/' "$file" | head -n 1 | cut -d: -f1)
    check_program "$name" "$expected" "$(header executions "$file")" "$line" \
        "${options[@]}" "$program" ${args:+-- "${args[@]}"}
    check_inverted "$name" "$file"
    check_signalled "$name" "$file"
    if [[ $expected == *deadlock* ]]; then
        check_lost "$name" "$file"
    fi
    if grep -q '/\* race \*/' "$file"; then
        check_races "$name" "$file"
    fi
    if [[ $expected == violation* ]]; then
        replay_all "$name" "$program"
    fi
    if [ -n "${options[*]}" ] && ! header also "$file" | grep -q .; then
        rm -rf "$tmp"
        return
    fi
    if [ "$(header orders "$file")" = weak ] && [ "$expected" = verified ]; then
        expected=no-violation-found
    fi
    if [ -z "${options[*]}" ] && is_chosen "$name"; then
        check_program "$name --reduce not-seen" "$expected" "$(header executions "$file")" "$line" \
            --reduce not-seen "$program" ${args:+-- "${args[@]}"}
    fi
    while read -r also; do
        eval "options=(${also%%=>*})"
        check_program "$name ${also%% =>*}" "${also##*=> }" "" "" "${options[@]}" \
            "$program" ${args:+-- "${args[@]}"}
    done < <(header also "$file")
    rm -rf "$tmp"
}

if [ $# = 0 ]; then
    set -- "$here"/*/*.c
fi
each_of "$@"
