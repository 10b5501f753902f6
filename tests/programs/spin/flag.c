/* Two threads wait for each other by looking again and again. */
#include <pthread.h>
#include <stddef.h>

void heddle_observe(const void *bytes, unsigned long n);

static int ready, data, done, seen[2];

static void *give(void *unused)
{
    data = 1;
    ready = 1;
    data = 2;
    while (!done)
        ;
    seen[1] = data;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    while (!ready)
        ;
    seen[0] = data;
    done = 1;
    pthread_join(thread, NULL);
    heddle_observe(seen, sizeof seen);
    return 0;
}
