#!/bin/bash
# Programs of Parízek's tables whose originals are large: optimal DPOR and the reductions over states agree on them.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# agree PROGRAM FLAGS EXPECTED STRATEGY...: the verdict of each, and the kind of the first violation
agree() {
    local program=$1 flags=$2 expected=$3 strategy got
    shift 3
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "$ROOT/bench/hybrid/$program.c" || fail "$program" 'not built'
    for strategy in "$@"; do
        rm -f "$tmp/json"
        timeout "$LIMIT" "$HEDDLE" check -q --no-minimise --trace-dir "$tmp/traces" --json "$tmp/json" --strategy "$strategy" \
            "$tmp/program" >/dev/null 2>"$tmp/err"
        got=$(jq -rc '.violations[0].kind // .verdict' "$tmp/json" 2>/dev/null)
        if [ "$got" = "$expected" ]; then
            pass "$program $flags: $strategy"
        else
            fail "$program $flags: $strategy" "expected $expected, got $got ($(first_lines "$tmp/err"))"
        fi
    done
}

for program in credemo cocome simplejbb jpapabench; do
    agree $program '' verified optimal hybrid dpor-stateful
done
agree jpapabench '-DERROR' assertion optimal hybrid hybrid:hr dpor-stateful
