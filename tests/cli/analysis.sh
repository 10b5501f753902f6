#!/bin/bash
# --analysis, HEDDLE_ANALYSIS: how much the points-to analysis may do changes what is visible, never a verdict.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/p.c" <<'E'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cell { int value; struct cell *next; };
static struct cell *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum(const struct cell *c) { return c ? c->value + sum(c->next) : 0; }
static void add(struct cell **at, int n)
{
    struct cell *c = malloc(sizeof *c);
    c->value = n;
    c->next = *at;
    *at = c;
}
static void *run(void *arg)
{
    struct cell *own = NULL;
    add(&own, *(int *)arg);
    assert(sum(own) == *(int *)arg);
    free(own);
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    add(&head, *(int *)arg);
#ifndef BUG
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}
int main(void)
{
    int n[2] = { 1, 2 };
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &n[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum(head) == 3);
    while (head) {
        struct cell *c = head;
        head = c->next;
        free(c);
    }
    return 0;
}
E

# verdict MODE [FLAG]: of the program built that way.
verdict() {
    HEDDLE_ANALYSIS=$1 "$HEDDLE" cc ${2+"$2"} -o "$tmp/p" "$tmp/p.c" 2>"$tmp/err" || first_lines "$tmp/err"
    timeout "$LIMIT" "$HEDDLE" check -q --memory sc --trace-dir "$tmp" --json - "$tmp/p" 2>"$tmp/err" </dev/null |
        jq -r .verdict
}

for mode in off fast full; do
    correct=$(verdict $mode) wrong=$(verdict $mode -DBUG)
    if [ "$correct" = verified ] && [ "$wrong" = violation ]; then
        pass "HEDDLE_ANALYSIS=$mode"
    else
        fail "HEDDLE_ANALYSIS=$mode" "'$correct' and '$wrong' instead of 'verified' and 'violation'"
    fi
done

# The same by option, which counts more than the environment.
for mode in off fast full; do
    check_program "--analysis $mode" verified '' '' --memory sc --analysis $mode "$tmp/p.c"
    check_program "--analysis $mode, with the bug" 'violation assertion data-race' '' '' --memory sc --keep-going \
        --analysis $mode --cc-flags -DBUG "$tmp/p.c"
done
check_program 'a trace tells the analysis: check' 'violation assertion data-race' '' '' --memory sc --analysis off \
    --cc-flags -DBUG "$tmp/p.c"
replay_all 'a trace tells the analysis' "$tmp/p.c"
export HEDDLE_ANALYSIS=quick
if "$HEDDLE" cc --analysis full -o "$tmp/p" "$tmp/p.c" 2>"$tmp/err"; then
    pass 'the option counts'
else
    fail 'the option counts' "$(first_lines "$tmp/err")"
fi
expect_error 'HEDDLE_ANALYSIS=quick' 'use off, fast, full or all' "$HEDDLE" cc -o "$tmp/p" "$tmp/p.c"
unset HEDDLE_ANALYSIS
expect_error '--analysis quick' 'use off, fast, full or all' "$HEDDLE" cc --analysis quick -c "$tmp/p.c"
expect_error '--analysis=' 'use off, fast, full or all' "$HEDDLE" check --analysis '' "$tmp/p.c"
expect_error '--analysis alone' 'needs an argument' "$HEDDLE" cc "$tmp/p.c" --analysis
expect_error '--analysis of a program' 'compiled already' "$HEDDLE" check --analysis full "$tmp/p"

# On a terminal a large program's build says what it does, and clears that; elsewhere it is silent.
bash "$ROOT/bench/generate.sh" 20000 >"$tmp/large.c"
"$HEDDLE" cc -c -o "$tmp/large.o" "$tmp/large.c"
TERM=xterm script -qec "'$HEDDLE' cc -o '$tmp/large' '$tmp/large.o'" "$tmp/typescript" >/dev/null 2>&1 </dev/null
last=$(sed '/^Script /d' "$tmp/typescript" | tr -d '\n' | tail -c 3)
if grep -q 'heddle: instrumenting [0-9]* instructions' "$tmp/typescript" && [ "$last" = $'\033[K' ]; then
    pass 'progress on a terminal'
else
    fail 'progress on a terminal' "$(first_lines "$tmp/typescript")"
fi
if "$HEDDLE" cc -o "$tmp/large" "$tmp/large.o" >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ]; then
    pass 'silence elsewhere'
else
    fail 'silence elsewhere' "$(first_lines "$tmp/out")"
fi
