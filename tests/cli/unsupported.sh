#!/bin/bash
# What heddle does not model is named, never ignored.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# calls FUNCTION HEADER STATEMENT: a program that makes the call in a second thread.
calls() {
    cat >"$tmp/$1.c" <<EOF
#include <pthread.h>
#include <$2>
static void *work(void *unused) { $3; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
EOF
    expect_error "$1" "$1" "$HEDDLE" check "$tmp/$1.c"
}

calls vfork unistd.h 'vfork()'
calls fork unistd.h 'fork()'

# A signal handler that is to run in another thread.
cat >"$tmp/kill.c" <<'EOF'
#include <pthread.h>
#include <signal.h>
static void handler(int number) { (void)number; }
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
EOF
expect_error 'pthread_kill with a handler' 'kill.c:10: pthread_kill' "$HEDDLE" check "$tmp/kill.c"

# An unknown library function that may touch the program's memory: named in the JSON, not verified.
cat >"$tmp/external.c" <<'EOF'
#include <langinfo.h>
#include <pthread.h>
#include <regex.h>
static void *work(void *unused)
{
    regex_t r;
    regcomp(&r, "a*b", 0);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
EOF
check_program 'external function' 'no-violation-found' '' '' "$tmp/external.c"
if jq -e '.downgrades | any(contains("regcomp"))' "$tmp/json" >/dev/null 2>&1; then
    pass 'external function is named'
else
    fail 'external function is named' "$(first_lines "$tmp/json")"
fi

# More threads than heddle has room for.
cat >"$tmp/many.c" <<'EOF'
#include <pthread.h>
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t t[300];
    for (int i = 0; i < 300; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 300; i++)
        pthread_join(t[i], NULL);
    return 0;
}
EOF
expect_error 'too many threads' '25[56]' "$HEDDLE" check --executions 1 "$tmp/many.c"
