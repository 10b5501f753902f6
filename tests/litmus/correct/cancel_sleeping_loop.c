// A thread that looks and sleeps in turn is cancelled while it sleeps: its loop ends although nobody
// sets the flag.
// expect: verified
// options: --strategy stateful
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void *look(void *unused)
{
    while (!ready)
        usleep(1);
    return unused;
}

static void *never(void *sets)
{
    if (sets)
        ready = 1;
    return sets;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&two, NULL, never, NULL);
    pthread_join(two, NULL);
    pthread_cancel(one);
    pthread_join(one, NULL);
    return 0;
}
