// A handler that another thread's signal runs comes between any two accesses of its thread to what both use, also to memory
// that no other thread reaches: between free and the write behind it the block is gone.
// expect: violation memory
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static _Thread_local int *volatile current;

static void handler(int number)
{
    if (current)
        *current = number; /* violation */
}

static void *work(void *unused)
{
    current = malloc(sizeof *current);
    free(current);
    current = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
