#!/bin/bash
# Generated programs as ordinary programs, on real threads: every end they come to must be one that
# the interpreter knows.  native.sh GEN [PROGRAMS] [RUNS] [FIRST_SEED]
#
# Programs with lock misuse are left out: what they do is not defined outside heddle.
set -u
gen=$1 programs=${2:-100} runs=${3:-5} first=${4:-0}
here=$(dirname "$0")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$gen" -n "$programs" -s "$first" --no-misuse --finals -o "$dir/p.c" >"$dir/expected" || exit 2
"${CC:-clang-19}" -O0 -w -pthread -o "$dir/p" "$dir/p.c" "$here/native.c" || exit 2

failed=0
fail() { echo "not ok seed $((first + index)): $1"; failed=$((failed + 1)); }
while read -r index line; do
    for ((run = 0; run < runs; run++)); do
        out=$(timeout 0.5 "$dir/p" "$index" 2>"$dir/err")
        status=$?
        case $status in
        0) [[ $line =~ list=([0-9a-f,]*) && ,${BASH_REMATCH[1]}, == *,$out,* ]] ||
               fail "final state '$out' is not one of: $line" ;;
        124) [[ $line != *deadlocks=0* ]] || fail "stands still: $line" ;;
        134) at=$(sed -n 's/^[^:]*: [^:]*p\.c:\([0-9]*\):.*/\1/p' "$dir/err")
             [[ $line =~ asserts=([0-9,]*) && ,${BASH_REMATCH[1]}, == *,$at,* ]] ||
                 fail "assertion at line $at: $line" ;;
        *) fail "status $status: $line" ;;
        esac
    done
done <"$dir/expected"
[ "$failed" = 0 ] && echo "ok native ($programs programs, $runs runs each)"
[ "$failed" = 0 ]
