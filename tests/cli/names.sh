#!/bin/bash
# What steps are about has the name that the source gives it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines out)"; fi
}
lacks() { ! grep -E -- "$1" out; }
run() { "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; }

# A wait is about two objects, and its line names one of them.
cat >wait.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t m; pthread_cond_t full; int n; };
static void *put(void *arg)
{
    struct box *b = arg;
    pthread_mutex_lock(&b->m);
    b->n = 1;
    pthread_cond_signal(&b->full);
    pthread_mutex_unlock(&b->m);
    return 0;
}
int main(void)
{
    struct box *b = calloc(1, sizeof *b);
    pthread_t t;
    pthread_mutex_init(&b->m, 0);
    pthread_cond_init(&b->full, 0);
    pthread_mutex_lock(&b->m);
    pthread_create(&t, 0, put, b);
    while (!b->n)
        pthread_cond_wait(&b->full, &b->m);
    assert(b->n == 2);
}
C
run check -v wait.c
holds 'wait: the mutex it gives back' grep -q 'wait b->full with b->m$' out
holds 'wait: the mutex it takes again' grep -q 'relock b->m$' out
holds 'wait: no block' lacks 'heap:'

# A call has several arguments.
cat >call.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
static sigset_t set;
static void *work(void *arg)
{
    int *ends = arg, got;
    char byte;
    sigwait(&set, &got);
    read(ends[0], &byte, 1);
    return 0;
}
int main(void)
{
    int ends[2];
    struct timespec pause = { 0, 1000 };
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    assert(pipe(ends) == 0);
    pthread_create(&t, 0, work, ends);
    nanosleep(&pause, 0);
    pthread_kill(t, SIGUSR1);
    write(ends[1], "x", 1);
    pthread_join(t, 0);
    close(ends[0]);
    assert(0);
}
C
run check -v --no-minimise call.c
holds 'call: runs to its assertion' [ "$status" = 1 ]
holds 'call: sigwait does not write the set' lacks 'write set = '
holds 'call: the table of descriptors is no variable' lacks 'fd-(use|change) .'
holds 'call: …and is told' grep -qE 'fd-(use|change)$' out
holds 'call: a sleep names the clock' grep -q 'sleep the clock$' out

cat >freed.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
static void *look(void *arg) { return *(int *)arg ? arg : 0; }
int main(void)
{
    int *n = calloc(1, sizeof *n);
    pthread_t t;
    pthread_create(&t, 0, look, n);
    free(n);
    pthread_join(t, 0);
}
C
run check --keep-going freed.c
holds 'a race with free: in words' grep -qE '^data race: .*(main frees \*n at|while main frees \*n at)' out

# An assertion of heddle's own stands in the function that has it, and is not called there.
printf '#include <heddle.h>\nint main(void)\n{\n    heddle_assert(0);\n}\n' >assert.c
run check assert.c
holds 'heddle_assert: its place' grep -q '^  in main at assert.c:4 (main)$' out
holds 'heddle_assert: once' lacks 'called at'
