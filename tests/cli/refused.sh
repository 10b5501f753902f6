#!/bin/bash
# What heddle does not model and cannot leave to the library: one line, status 2.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# call NAME HEADER CALL: the call, made by a thread, is refused with its line.
call() {
    cat >p.c <<C
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <$2>
static void *thread(void *unused)
{
    $3;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
C
    expect_error "$1" "^heddle: p.c:9: $1\(\) .*not modelled" "$HEDDLE" check -q p.c
}
call timer_create time.h 'struct sigevent e = { .sigev_notify = SIGEV_THREAD }; timer_t t; timer_create(CLOCK_REALTIME, &e, &t)'
call aio_read aio.h 'static struct aiocb c; aio_read(&c)'
call getaddrinfo_a netdb.h 'static struct gaicb g, *l[] = { &g }; getaddrinfo_a(GAI_WAIT, l, 1, 0)'
call mq_open mqueue.h 'mq_open("/q", 0)'
call semop sys/sem.h 'struct sembuf b = { 0, -1, 0 }; semop(1, &b, 1)'

# A value that decides something needs a range, however it gets there: a branch, a loop's condition, another function.
for use in 'if (x > 3) x = 0' 'y = x, y && (x = 1)' '*(volatile int *)&y = x; puts(y ? "a" : "b")' 'y = 10 / (x | 1); x = y'; do
    cat >p.c <<C
#include <pthread.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static int x, y;
static void *thread(void *unused)
{
    x = __VERIFIER_nondet_int();
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    $use;
    return x + y;
}
C
    expect_error "nondet: $use" '^heddle: p.c:7: __VERIFIER_nondet_int\(\) has too many values' "$HEDDLE" check -q p.c
done

# The user that is not the present one: refused for who may change, an error of the call for others.
cat >user.c <<'C'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
static void *thread(void *unused)
{
    assert(setuid(getuid() + 12345) == -1 && errno == EPERM);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
C
if [ "$(id -u)" = 0 ]; then
    expect_error 'another user' '^heddle: user.c:7: setuid\(\) would change the user' "$HEDDLE" check -q user.c
elif "$HEDDLE" check -q --require-verified user.c >out 2>&1; then pass 'another user'
else fail 'another user' "$(cat out)"; fi

# The heap and the locks must be heddle's.
own() {
    printf '#include <pthread.h>\n#include <stdlib.h>\n%s\nint main(void) { return 0; }\n' "$2" >own.c
    expect_error "own $1" "^heddle: the program defines $1 itself" "$HEDDLE" check -q own.c
}
own malloc 'void *malloc(size_t n) { return (void *)n; }'
own pthread_mutex_lock 'int pthread_mutex_lock(pthread_mutex_t *m) { return m == 0; }'
