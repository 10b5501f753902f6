#!/bin/bash
# --suppressions: a race that a rule names is counted and costs `verified`, and hides nothing else; volatile accesses
# that a rule names are atomic; bad files are refused.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# check RULES ARGUMENTS...: the JSON is in $tmp/json, the exit status in $status.
check() {
    printf '%b' "$1" >"$tmp/rules"
    shift
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check --trace-dir "$tmp/traces" --json "$tmp/json" --suppressions "$tmp/rules" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}
# is NAME EXPECTED JQ: of the last check.
is() {
    local got
    got=$(jq -rc "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines "$tmp/err"))"; fi
}
# Two races, in functions of their own; each is made through one pointer, too.
cat >"$tmp/two.c" <<'EOF'
#include <pthread.h>
struct ring { int head, tail; } ring;
int hits;
static void count(int *n) { *n = 1; }
static void put(void) { ring.tail = 1; }
static void *work(void *unused)
{
    count(&hits);
    put();
#ifdef TWICE
    count(&ring.head);
#endif
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    return pthread_join(t, 0);
}
EOF
races='[.violations[] | select(.kind == "data-race") | .variable] | sort'
whole='[.verdict, .exhaustive, (.undischarged | index("suppressed") != null)]'
gone='["no-violation-found",false,true]'

check '# none\n' "$tmp/two.c"
is 'without rules both are reported' '["hits","ring.tail"]' "$races"
check 'race:function:count\n' "$tmp/two.c"
is 'a rule for a function leaves the other' '["ring.tail"]' "$races"
is '… and is named and counted' true '.downgrades | any(test("^1 data race was suppressed by the rule race:function:count: .*two.c:4 and .*two.c:4$"))'
[ $status = 1 ] && pass '… exit status' || fail '… exit status' "$status instead of 1"
check 'race:variable:ring.tail\nrace:variable:hits' "$tmp/two.c"
is 'two rules for variables' "$gone" "$whole"
[ $status = 0 ] && pass '… exit status 0' || fail '… exit status 0' "$status"
check 'race:two.c' --require-verified "$tmp/two.c"
is 'a rule for the file' "$gone" "$whole"
[ $status = 3 ] && pass '… is not verified' || fail '… is not verified' "exit status $status instead of 3"
check 'race:variable:hits\nrace:function:put' --cc-flags -DTWICE --keep-going "$tmp/two.c"
is 'a rule for a variable does not hide another of the same line' '["ring.head"]' "$races"
check 'race:variable:ring' --cc-flags -DTWICE --keep-going "$tmp/two.c"
is 'a rule for a whole variable' '["hits"]' "$races"

# Whatever looks for races knows the rules, and none of them says verified.
for how in '--strategy stateful' '--strategy brute' '--strategy source' '--strategy random --executions 50' '--strategy graph' \
    '--strategy scale' '-j 2 --strategy optimal' '--races warn'; do
    # shellcheck disable=SC2086
    check 'race:two.c' $how "$tmp/two.c"
    is "$how" "$gone" "$whole"
done
"$HEDDLE" cc -o "$tmp/two" "$tmp/two.c" -pthread
printf 'race:two.c\n' >"$tmp/rules"
timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --executions 1 --checkpoint "$tmp/kept" --suppressions "$tmp/rules" "$tmp/two" >"$tmp/out" 2>&1
check 'race:two.c\n' --strategy optimal --resume "$tmp/kept" "$tmp/two"
is 'a checkpoint keeps what was suppressed' "$gone" "$whole"

check 'race:variable:nothing\nrace:two.c' -v "$tmp/two.c"
if grep -q "^  unused rule: .*rules:1: race:variable:nothing$" "$tmp/out" && ! grep -q 'unused rule.*two.c' "$tmp/out"; then
    pass 'rules that are not used are named with -v'
else fail 'rules that are not used are named with -v' "$(first_lines "$tmp/out")"; fi

# volatile-ok by place is --races volatile-ok for these accesses, and for no other.
publish=$ROOT/tests/litmus/correct/volatile_publish.c
for rule in file:volatile_publish.c variable:ready 'variable:re*' 'function:*'; do
    check "volatile-ok:$rule" "$publish"
    is "volatile-ok:$rule" '["verified",true]' '[.verdict, (.assumptions | any(test("volatile")))]'
done
check 'volatile-ok:variable:other\n' "$publish"
is 'a volatile access that no rule names is plain' data-race '.violations[0].kind'
increment=$ROOT/tests/litmus/wrong/volatile_increment.c
check 'volatile-ok:file:volatile_increment.c\n' "$increment"
is 'an increment of a volatile variable is not atomic' assertion '.violations[0].kind'
trace=$(jq -r '.violations[0].trace' "$tmp/json")
timeout "$LIMIT" "$HEDDLE" replay "$increment" "$trace" >"$tmp/out" 2>&1
[ $? = 1 ] && grep -q '^rule volatile-ok:file:volatile_increment.c$' "$trace" && pass 'the trace carries the rule' ||
    fail 'the trace carries the rule' "$(first_lines "$tmp/out")"
sed -i 's/^rule .*/rule volatile-ok:nonsense/' "$trace"
expect_error 'a bad rule in a trace' 'rule volatile-ok:nonsense: after volatile-ok:' "$HEDDLE" replay "$increment" "$trace"

expect_error 'no such file' 'none: No such file' "$HEDDLE" check --suppressions "$tmp/none" "$tmp/two.c"
expect_error 'a folder' 'not a regular file' "$HEDDLE" check --suppressions "$tmp" "$tmp/two.c"
printf 'race:a.c\nrase:b.c\n' >"$tmp/bad"
expect_error 'a bad line' "bad:2: 'rase:b.c': a rule begins with race:" "$HEDDLE" check --suppressions "$tmp/bad" "$tmp/two.c"
expect_error 'twice' 'given twice' "$HEDDLE" check --suppressions "$tmp/rules" --suppressions "$tmp/rules" "$tmp/two.c"
expect_error 'with tso' 'leave out --suppressions' "$HEDDLE" check --memory tso --suppressions "$tmp/rules" "$tmp/two.c"
