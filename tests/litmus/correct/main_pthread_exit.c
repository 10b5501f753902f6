// Main leaves with pthread_exit; the process ends with its last thread, after atexit handlers.
// No reduction varies which thread that is, and the result says so.
// expect: no-violation-found
// also: --reduce none => verified
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int done;

static void at_end(void) { assert(done == 2); }

static void *work(void *unused)
{
    done++;
    return unused;
}

int main(void)
{
    pthread_t t;
    atexit(at_end);
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_exit(NULL);
}
