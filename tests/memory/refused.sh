#!/bin/bash
# tests/memory/refused.sh [--all | FILE...]: every litmus program under --memory rc11 and tso.  A program that sequential consistency explores
# is refused only for a reason in refused.txt, and never with an internal error.  Without arguments it is a thirtieth of the
# programs, chosen by name, and few executions of each.  With --all, each row must be the reason for one, but for those that litmus programs do not have.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"

# kept FILE: its options, without those that choose a search or what is explored.
kept() {
    local words keep=()
    eval "words=($(header options "$1"))"
    while [ ${#words[@]} -gt 0 ]; do
        case ${words[0]} in
        --faults | --nondet | --expect-exit | --reuse) keep+=("${words[0]}" "${words[1]}") ;;
        --spurious | --no-timeouts) keep+=("${words[0]}") ;;
        esac
        words=("${words[@]:1}")
    done
    echo "${keep[@]}"
}

# run MODEL PROGRAM ARGUMENTS...: its exit status; the message is in $tmp/err.
run() {
    local model=$1
    shift
    timeout "$LIMIT" "$HEDDLE" check -q --memory "$model" --executions "${EXECUTIONS:-200}" --time 3 --no-minimise --trace-dir "$tmp/traces" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
}

one() {
    local file=$1 name model options args status
    name=$(basename "$(dirname "$file")")/$(basename "${file%.c}")
    tmp=$(mktemp -d)
    options=$(kept "$file")
    eval "args=($(header args "$file"))"
    # shellcheck disable=SC2046
    "$HEDDLE" cc $(header cc-flags "$file") -o "$tmp/program" "$file" -pthread 2>"$tmp/err" ||
        fail "$name heddle cc" "$(first_lines "$tmp/err")"
    for model in rc11 tso; do
        # shellcheck disable=SC2086
        run $model $options "$tmp/program" ${args:+-- "${args[@]}"}
        status=$?
        cp "$tmp/err" "$tmp/said"
        if [ $status -lt 2 ]; then
            pass "$name $model"
        elif [ $status = 2 ] && reason=$(grep '^heddle' "$tmp/said" | reasons) && [ "$reason" ]; then
            pass "$name $model is refused: $reason"
        # shellcheck disable=SC2086
        elif [ $status = 2 ] && ! run sc $options "$tmp/program" ${args:+-- "${args[@]}"} && [ ! -s "$tmp/out" ]; then
            pass "$name is refused under every model"
        else
            fail "$name $model" "status $status: $(first_lines "$tmp/said")"
        fi
    done
    rm -rf "$tmp"
}

# reasons: why the message on standard input may be one, by the list.
reasons() {
    local message pattern why
    read -r message
    grep -v '^#' "$here/refused.txt" | while IFS=$'\t' read -r pattern why; do
        [[ $message =~ $pattern ]] && echo "$why"
    done | head -n 1
}

# some: a thirtieth of all programs, by a hash of their names.
some() {
    printf '%s\n' "$ROOT"/tests/litmus/*/*.c | awk -F/ 'BEGIN { for (i = 1; i < 128; i++) code[sprintf("%c", i)] = i }
        { hash = 0; for (i = 1; i <= length($NF); i++) hash = (hash * 31 + code[substr($NF, i, 1)]) % 65521
          if (hash % 30 == 0) print }'
}

case ${1:-} in
'') mapfile -t files < <(some) && EXECUTIONS=50 each_of "${files[@]}" ;;
--all)
    each_of "$ROOT"/tests/litmus/*/*.c | tee "${TMPDIR:-/tmp}/refused.$$"
    grep -v '^#' "$here/refused.txt" | while IFS=$'\t' read -r pattern why; do
        [[ $pattern == malloc* ]] || grep -qF "refused: $why" "${TMPDIR:-/tmp}/refused.$$" ||
            fail "the list" "nothing is refused because of '$pattern'"
    done
    rm -f "${TMPDIR:-/tmp}/refused.$$"
    ;;
*) each_of "$@" ;;
esac
