#!/bin/bash
# The programs of traces.txt with every reduction by races: traces.sh [--long].
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
long=${1:-}
[ "$long" = --long ] && LIMIT=1800
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# explored REDUCTION [OPTIONS…]: executions and blocked ones of the program, which must have been explored to the end;
# races are not looked for, and nothing else may be missing from the proof.
explored() {
    timeout "$LIMIT" "$HEDDLE" check -q --keep-going --no-minimise --races off --reduce "$@" \
        --json "$tmp/json" --trace-dir "$tmp/traces" "$tmp/program" >"$tmp/out" 2>"$tmp/err" </dev/null
    jq -r 'if .undischarged == ["races"] then "\(.executions) \(.blocked)" else "\(.verdict), not exhaustive" end' \
        "$tmp/json" 2>/dev/null
    rm -f "$tmp/json"
}

while IFS='|' read -r file flags traces when options; do
    case $file in '' | '#'*) continue ;; esac
    read -r file <<<"$file"
    read -r traces <<<"$traces"
    read -r when <<<"$when"
    [ -z "$when" ] || [ "$long" = --long ] || continue
    read -r flags <<<"$flags"
    read -r options <<<"$options"
    name="${file%.c} $flags${options:+ $options}"
    # shellcheck disable=SC2086
    if ! "$HEDDLE" cc $flags -o "$tmp/program" "$here/$file" 2>"$tmp/err"; then
        fail "$name" "does not compile: $(first_lines "$tmp/err")"
        continue
    fi
    reductions="optimal source dpor"
    case $options in *observers*) reductions=optimal ;; esac
    for reduction in $reductions; do
        # shellcheck disable=SC2086
        got=$(explored "$reduction" $options)
        read -r n blocked <<<"$got"
        case $reduction in
        optimal) [ "$got" = "$traces 0" ] ;;
        source) [ "$n" = "$traces" ] ;;
        *) [ "$n" -ge "$traces" ] 2>/dev/null ;;
        esac
        # shellcheck disable=SC2181
        if [ $? = 0 ]; then
            pass "$name $reduction: $n and $blocked blocked"
        else
            fail "$name $reduction" "expected $traces executions, got '$got' $(first_lines "$tmp/err")"
        fi
    done
done <"$here/traces.txt"
