#!/bin/bash
# What replay accepts, and how it refuses the rest.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

program=$ROOT/tests/litmus/wrong/counter.c
other=$ROOT/tests/litmus/correct/counter.c
line='line [0-9]+|:[0-9]+'

check_program 'a trace to work with' 'violation assertion data-race' '' '' "$program"
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
printf '%s\n' '#include <stdlib.h>' 'int main(void)' '{' '    abort();' '}' >"$tmp/edited.c"
"$HEDDLE" check -q --trace-dir "$tmp/edited" "$tmp/edited.c" >"$tmp/out" 2>&1
sed -i 's/abort()/exit(1)/' "$tmp/edited.c"
replay "$tmp/edited.c" "$tmp/edited/edited-abort-1.trace"
status=$?
if [ "$status" = 1 ] && grep -q '^the program has changed since; followed 0 of ' "$tmp/out"; then
    pass 'an edited program'
else
    fail 'an edited program' "status $status $(first_lines "$tmp/out") $(first_lines "$tmp/err")"
fi
if "$HEDDLE" report -o "$tmp/edited.html" "$tmp/edited/edited-abort-1.trace" 2>"$tmp/err" &&
    grep -q 'edited-abort-1\.trace: the program has changed since; followed 0 of 1 steps' "$tmp/err"; then
    pass 'an edited program, in a report'
else
    fail 'an edited program, in a report' "$(first_lines "$tmp/err")"
fi
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

# SCALE's format: thread ids alone; those of the trace show the same violation.
sed -n 's/^[0-9][0-9]* \([a-zA-Z0-9.]*\).*/\1/p' "$trace" | sed 's/main/0/; s/^T//' >"$tmp/ids"
replay "$program" "$tmp/ids"
status=$?
if [ "$status" = 1 ] && grep -q "counter == 2" "$tmp/out"; then
    pass 'ids alone'
else
    fail 'ids alone' "status $status $(first_lines "$tmp/err")"
fi
# A person may leave fields away, and comment.
{ sed -n '/^[0-9]/q;p' "$trace"; echo '# only who'
  sed -n 's/^\([0-9][0-9]* [a-zA-Z0-9.]*\).*/\1/p' "$trace"; tail -n 1 "$trace"; } >"$tmp/short.trace"
replay "$program" "$tmp/short.trace"
status=$?
if [ "$status" = 1 ] && grep -q "counter == 2" "$tmp/out"; then
    pass 'threads without fields'
else
    fail 'threads without fields' "status $status $(first_lines "$tmp/err")"
fi
# One step of another thread: it names the line and what came instead.
awk '/^[0-9]+ T1 read/ && !done { sub(/ T1 /, " T2 "); done = 1 } { print }' "$trace" >"$tmp/other.trace"
expect_error 'another step' "$line" "$HEDDLE" replay "$program" "$tmp/other.trace"
sed 's/^\([0-9]* T1\) read counter/\1 lock counter/' "$trace" >"$tmp/op.trace"
expect_error 'another operation' "$line" "$HEDDLE" replay "$program" "$tmp/op.trace"
head -n 20 "$trace" | sed '/^end/d' | sed 's/^10 .*/10 main/' >"$tmp/blocked.trace"
sed -n '/^1[1-9] \|^end/p' "$trace" >>"$tmp/blocked.trace"
expect_error 'a thread that waits' "$line" "$HEDDLE" replay "$program" "$tmp/blocked.trace"
echo '0 99' >"$tmp/ids"
expect_error 'ids: unknown thread' '99' "$HEDDLE" replay "$program" "$tmp/ids"
damage 'counter' "$program" "$trace"
