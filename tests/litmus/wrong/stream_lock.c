// The thread that holds the lock of a stream waits for a thread that prints to it, and so waits for the lock.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *prints(void *unused)
{
    puts("line");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, prints, NULL);
    flockfile(stdout);
    pthread_join(t, NULL);
    funlockfile(stdout);
    return 0;
}
