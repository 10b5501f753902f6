#!/bin/bash
# What replay accepts, and how it refuses the rest.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

program=$ROOT/tests/litmus/wrong/counter.c
other=$ROOT/tests/litmus/correct/counter.c
line='line [0-9]+|:[0-9]+'

check_program 'a trace to work with' 'violation assertion' '' '' "$program"
trace=$(jq -r '.violations[0].trace' "$tmp/json")

replay() { "$HEDDLE" replay "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

replay "$program" "$trace"
cp "$tmp/out" "$tmp/first"
replay "$program" "$trace"
status=$?
if [ "$status" = 1 ] && cmp -s "$tmp/out" "$tmp/first"; then
    pass 'twice the same, byte for byte'
else
    fail 'twice the same, byte for byte' "status $status $(first_lines "$tmp/err")"
fi

replay --until 2 "$program" "$trace"
status=$?
if [ "$status" = 0 ] && [ "$(wc -l <"$tmp/out")" -lt "$(wc -l <"$tmp/first")" ]; then
    pass '--until stops early'
else
    fail '--until stops early' "status $status $(first_lines "$tmp/err")"
fi

expect_error 'another program' 'counter' "$HEDDLE" replay "$other" "$trace"
: >"$tmp/empty.trace"
expect_error 'empty trace' 'empty\.trace' "$HEDDLE" replay "$program" "$tmp/empty.trace"
head -c 4096 /dev/zero >"$tmp/zero.trace"
expect_error 'NUL bytes' 'zero\.trace' "$HEDDLE" replay "$program" "$tmp/zero.trace"
head -c 65536 "$HEDDLE" >"$tmp/binary.trace"
expect_error 'a binary' 'binary\.trace' "$HEDDLE" replay "$program" "$tmp/binary.trace"
sed '1s/[0-9][0-9]*/999/' "$trace" >"$tmp/future.trace"
expect_error 'another version' "$line" "$HEDDLE" replay "$program" "$tmp/future.trace"
tr '\n' ' ' <"$trace" >"$tmp/oneline.trace"
expect_error 'lines joined' "$line" "$HEDDLE" replay "$program" "$tmp/oneline.trace"
expect_error '--until out of range' '--until' "$HEDDLE" replay --until x "$program" "$trace"

# SCALE's format: thread ids alone.
echo '0 99' >"$tmp/ids"
expect_error 'ids: unknown thread' '99' "$HEDDLE" replay "$program" "$tmp/ids"
damage 'counter' "$program" "$trace"
