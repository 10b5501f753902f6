#!/bin/bash
# Programs under C11's memory model: tests/memory/run.sh [FILE...].  Each says at its top what must
# come out, and why, from the axioms of RC11:
#
#   // case: NAME=VALUE... => VERDICT [KIND...][; EXECUTIONS]
#
# is a build with these macros, checked with --memory rc11, or with the model that the word
# memory=MODEL names (then all is from the axioms of that model).  A value that is the name of an order
# stands for it; NAMEs of all cases that a case does not mention are `relaxed`, and those whose
# name begins with F are fences and `none`.  `// options:` are options of all cases.  The first run of
# every violation is replayed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"

# flags_of FILE CASE: the macros of a case, for the compiler.
flags_of() {
    local file=$1 word name value
    declare -A set
    for name in $(header case "$file" | sed 's/=>.*//' | tr ' ' '\n' | sed -n 's/=.*//p' | sort -u); do
        case $name in
        F*) set[$name]=none ;;
        [A-Z] | [A-Z][A-Z0-9]) set[$name]=memory_order_relaxed ;;
        esac
    done
    for word in $2; do
        value=${word#*=}
        case $value in
        relaxed | acquire | release | acq_rel | seq_cst) value=memory_order_$value ;;
        esac
        set[${word%%=*}]=$value
    done
    for name in "${!set[@]}"; do echo -n "-D$name=${set[$name]} "; done
}

# by_default NAME VERDICT PROGRAM: without options the verdict is the same.  An interleaving may show a
# violation first, and another one.
by_default() {
    local got
    timeout "$LIMIT" "$HEDDLE" check -q --json "$tmp/json" --trace-dir "$tmp/traces" "$3" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$(jq -r .verdict "$tmp/json")
    [ "$got" = "$2" ] && pass "$1 by default" ||
        fail "$1 by default" "expected $2, got $got $(jq -r '.downgrades[]?' "$tmp/json" | tr '\n' ';')"
}

# sentences NAME FILE CASE: what the report says of stale steps is true.
sentences() {
    jq -e 'any(.violations[]; .stale | length > 0)' "$tmp/json" >/dev/null || return
    # shellcheck disable=SC2046
    python3 "$here/stale.py" "$tmp/json" $(flags_of "$2" "$3") "$2" >"$tmp/out" 2>&1
    grep -qx '[0-9]* sentences' "$tmp/out" && [ "$(wc -l <"$tmp/out")" = 1 ] && pass "$1 sentences" ||
        fail "$1 sentences" "$(first_lines "$tmp/out")"
}

one() {
    local file=$1 name which want executions model
    tmp=$(mktemp -d)
    while read -r which; do
        want=${which#*=> }
        which=${which%%=>*} which=${which% }
        executions=
        [[ $want == *\;* ]] && executions=${want#*; } want=${want%%;*}
        name="$(basename "$file" .c)${which:+ $which}"
        model=rc11
        [[ $which =~ memory=([a-z0-9]+) ]] && model=${BASH_REMATCH[1]} which=${which/memory=$model/}
        # shellcheck disable=SC2046
        if ! "$HEDDLE" cc $(flags_of "$file" "$which") -o "$tmp/program" "$file" 2>"$tmp/err"; then
            fail "$name" "$(first_lines "$tmp/err")"
            continue
        fi
        # shellcheck disable=SC2046
        check_program "$name" "$want" "$executions" "" --memory "$model" --strategy graph $(header options "$file") \
            "$tmp/program"
        [ "$model" = tso ] || [[ $want != violation* ]] || sentences "$name" "$file" "$which"
        if [[ $want == violation* ]] && [ "$(jq -r '.violations[0].trace // empty' "$tmp/json")" ]; then
            timeout "$LIMIT" "$HEDDLE" replay -q "$tmp/program" "$(jq -r '.violations[0].trace' "$tmp/json")" \
                >"$tmp/out" 2>"$tmp/err" </dev/null
            [ $? = 1 ] && pass "$name replay" || fail "$name replay" "$(first_lines "$tmp/err")"
        fi
        [ "$model" != rc11 ] || by_default "$name" "${want%% *}" "$tmp/program"
    done < <(header case "$file")
    [ "$(header case "$file")" ] || fail "$(basename "$file")" 'has no case'
    rm -rf "$tmp"
}

if [ $# = 0 ]; then
    set -- "$here"/*.c
fi
each_of "$@"
