#!/bin/bash
# HEDDLE_ANALYSIS: how much the points-to analysis may do changes what is visible, never a verdict.
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
export HEDDLE_ANALYSIS=quick
expect_error 'HEDDLE_ANALYSIS=quick' 'use off, fast or full' "$HEDDLE" cc -o "$tmp/p" "$tmp/p.c"
