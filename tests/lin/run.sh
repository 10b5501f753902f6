#!/bin/bash
# Data structures and their operations: tests/lin/run.sh [FILE...].  Each says at its top what
# `heddle lin` must answer, from the definition of linearizability and the axioms of the memory model:
#
#   // lin [OPTION...]: verified
#   // lin [OPTION...]: results in 'SCENARIO'
#   // lin [OPTION...]: data race in 'SCENARIO'
#   // lin [OPTION...]: deadlock in 'SCENARIO'
#   // lin --races=warn [OPTION...]: races only
#
# A line `// long lin …` is for the long tests only.
#
# An OPTION that begins with -D is for the compiler, and others (with their value behind =) are for
# `heddle lin`; a model is in the folder of the file.  It gets `--calls 3` before them, but not for what the long tests
# verify.  LIN_FLAGS are compiler options for all files, LIN_FILES what is linked with them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"

# answer OPTION...: what `heddle lin` says, in the words of the lines.
answer() {
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" lin -q --json "$tmp/json" --trace-dir "$tmp/traces" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    local status=$? verdict
    verdict=$(jq -r .verdict "$tmp/json" 2>/dev/null)
    case $verdict:$status in
    verified:0) echo verified ;;
    violation:1) jq -r '(if .history then "results" else "other" end) + " in '\''" + .scenario + "'\''"' \
        "$tmp/json" | if grep -q '^data race: ' "$tmp/out"; then sed 's/^other/data race/'
        elif grep -q '^deadlock: ' "$tmp/out"; then sed 's/^[a-z]*/deadlock/'; else cat; fi ;;
    no-violation-found:0) if jq -e '.race and (.downgrades | length == 1) and (.downgrades[0] | test("has data races"))' \
        "$tmp/json" >/dev/null; then echo 'races only'; else echo "$verdict: $(jq -r '.downgrades[]?' "$tmp/json")"; fi ;;
    *) echo "$verdict, status $status: $(first_lines "$tmp/err")$(jq -r '.downgrades[]?' "$tmp/json" 2>/dev/null)" ;;
    esac
}

one() {
    local file=$1 line want word got flags options
    tmp=$(mktemp -d)
    while read -r line; do
        want=${line#*: } flags=${LIN_FLAGS:-} options=()
        [ "$LONG" ] && [ "$want" = verified ] || options=(--calls 3)
        for word in ${line%%: *}; do
            case $word in
            -D*) flags+=" $word" ;;
            --model=*) options+=(--model "$(dirname "$file")/${word#*=}") ;;
            --*=*) options+=("${word%%=*}" "${word#*=}") ;;
            esac
        done
        got=$(answer "${options[@]}" ${flags:+--cc-flags "$flags"} "$file" ${LIN_FILES:-})
        if [ "$got" = "$want" ]; then
            pass "$(basename "$file" .c)${line:+ ${line%%: *}}"
        else
            fail "$(basename "$file" .c) ${line%%: *}" "expected '$want', got '$got'"
        fi
    done < <(sed "${LONG:+s,^// long lin,// lin,}" "$file" | sed -n 's,^// lin\( .*\)\{0\,1\}: ,\1: ,p' | sed 's/^ //; s/^: /plain: /')
    grep -q '^// lin[ :]' "$file" || fail "$(basename "$file")" 'has no line // lin'
    rm -rf "$tmp"
}

LONG=${LONG:-}
if [ $# = 0 ]; then
    set -- "$here"/*.c
fi
each_of "$@"
