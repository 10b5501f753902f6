#!/bin/bash
# Every litmus program with strategies that it is not written for: tests/litmus/strategies.sh [FILE...].
# None may break one that is right, none may call verified one that is wrong.  (That it is not found, within
# what a bound or a reduction leaves out, is no failure.)
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
# A dependence that is missing may not show in the order of threads that a reduction begins with: other orders, too.
hows=(source inspect stateful hybrid dpor-stateful scale)
hows=("${hows[@]/#/--strategy }" '--reduce optimal --search dfs:'{1,2,3})

one() {
    local file=$1 name expected flags options args how verdict
    name=$(basename "$(dirname "$file")")/$(basename "${file%.c}")
    tmp=$(mktemp -d)
    expected=$(header expect "$file")
    flags=$(header cc-flags "$file")
    eval "options=($(header options "$file"))"
    eval "args=($(header args "$file"))"
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "$file" -pthread 2>"$tmp/err" ||
        fail "$name heddle cc" "$(first_lines "$tmp/err")"
    for how in "${hows[@]}"; do
        [[ ${options[*]} == *--strategy* || ${options[*]} == *--reduce* ]] && continue
        # shellcheck disable=SC2086
        "$HEDDLE" check -q --time 20s $how "${options[@]}" --json "$tmp/json" \
            "$tmp/program" ${args:+-- "${args[@]}"} >"$tmp/out" 2>&1
        verdict=$(jq -r .verdict "$tmp/json" 2>/dev/null)
        case $expected,$verdict in
        verified*,violation | violation*,verified)
            fail "$name $how" "$verdict, where ${expected%% *} is expected" ;;
        *) pass "$name $how" ;;
        esac
        rm -f "$tmp/json"
    done
    rm -rf "$tmp"
}

if [ $# = 0 ]; then
    set -- "$here"/*/*.c
fi
each_of "$@"
