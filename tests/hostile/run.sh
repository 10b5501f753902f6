#!/bin/bash
# Programs that do what no program should: tests/hostile/run.sh [--all] [FILE...]
#
# Every program says at its top what each of its variants must come to:
#
#   // case NUMBER NAME: EXPECTATION     compiled with -DV=NUMBER
#   // options: ... / cc-flags: ...      of all its cases
#
# EXPECTATION is derived from what the variant means: a verdict with the kinds of its violations, as
# `violation crash`; `refused`: exit status 2 and one line that says why; alternatives are separated
# by ` | `.  Whatever is expected, an internal error, a run beyond its time limit and a violation that
# does not replay are failures.  Without FILE, the library calls of calls.py are tried too: a part of
# them, or all with --all.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
LIMIT=${LIMIT:-300}

# outcome DIR ARGUMENTS...: checks, and prints the verdict, `refused` or what went wrong.
outcome() {
    local dir=$1 status
    shift
    timeout -k 5 "$LIMIT" "$HEDDLE" check -q --time 60s --json "$dir/json" --trace-dir "$dir/traces" \
        "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    case $status in
    0 | 1) verdict_of "$dir/json" ;;
    2) # one line of heddle's own, or the compiler's errors
       if [ "$(grep -c '^heddle: ' "$dir/err")" = 1 ] || grep -q ': error: ' "$dir/err"; then
           echo refused
       else
           echo "silent refusal"
       fi ;;
    124 | 137) echo "past the time limit" ;;
    *) echo "status $status: $(tail -n 1 "$dir/err" | head -c 200)" ;;
    esac
}

# judge NAME EXPECTATION DIR ARGUMENTS...
judge() {
    local name=$1 expected=$2 dir=$3 got
    shift 3
    got=$(outcome "$dir" "$@")
    case " | $expected | " in
    *" | $got | "*) pass "$name" ;;
    *) fail "$name" "expected '$expected', got '$got' $(tail -n 1 "$dir/err" | head -c 200)" ;;
    esac
}

one() {
    local file=$1 dir number name expected flags options
    dir=$(mktemp -d)
    flags=$(sed -n 's,^// cc-flags: ,,p' "$file")
    options=$(sed -n 's,^// options: ,,p' "$file")
    while read -r number name expected; do
        rm -rf "$dir/json" "$dir/traces"
        # shellcheck disable=SC2086
        judge "$(basename "$file" | sed 's/\..*//')/${name%:}" "$expected" "$dir" $options \
            --cc-flags "-w -DV=$number $flags" "$file"
    done < <(sed -n 's,^// case ,,p' "$file")
    rm -rf "$dir"
}

# A few of the cases of one program: number, name, expectation.
calls() {
    local dir number name expected
    dir=$(mktemp -d)
    cd "$dir" || return # some of the calls make files
    while read -r number name expected; do
        rm -rf "$dir/json" "$dir/traces"
        [ "$expected" = any ] && expected="violation memory | violation crash | verified | no-violation-found | refused | violation misuse | violation deadlock | violation abort"
        [ "$expected" = violation ] && expected="violation memory | violation crash | violation misuse"
        judge "calls/$name" "$expected" "$dir" --strategy optimal "$1" -- "$number"
    done
    rm -rf "$dir"
}

if [ "${1:-}" = --one ]; then
    one "$2"
    exit 0
elif [ "${1:-}" = --calls ]; then
    calls "$2" <"$3"
    exit 0
fi
step=24
if [ "${1:-}" = --all ]; then
    step=1
    shift
fi
if [ $# -gt 0 ]; then
    each_of "$@"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 "$here/calls.py" generate "$ROOT/src/analyse/libc.def" "$tmp/calls.c" &&
    "$HEDDLE" cc -w -o "$tmp/calls" "$tmp/calls.c" -lm 2>/dev/null || { echo "not ok calls: not built"; exit 1; }
python3 "$here/calls.py" cases "$ROOT/src/analyse/libc.def" | awk -v n="$step" 'NR % n == 3 % n' >"$tmp/cases"
split -n l/"${JOBS:-2}" "$tmp/cases" "$tmp/part."
printf '%s\0' "$tmp"/part.* | xargs -0 -P "${JOBS:-2}" -n 1 "$0" --calls "$tmp/calls"
each_of "$here"/*.c "$here"/*.cpp
