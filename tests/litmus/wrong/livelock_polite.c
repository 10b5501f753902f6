// Two threads that give way to each other: each takes its own word back when it sees the other's, and
// both can do so for ever.
// expect: violation livelock
// options: --strategy stateful
// also: --races off --reduce states,super-step => violation livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2];

static void *enter(void *arg)
{
    int me = (int)(long)arg;
    for (;;) {
        atomic_store(&want[me], 1);
        if (!atomic_load(&want[1 - me]))
            break;
        atomic_store(&want[me], 0);
    }
    atomic_store(&want[me], 0);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
