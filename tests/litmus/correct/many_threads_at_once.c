// Seventy threads at the same time (more than one machine word of thread ids).
// expect: no-violation-found
// options: --reduce none --executions 20
// also: --search random:3 --reduce none --executions 20 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define THREADS 70

static int slots[THREADS];

static void *work(void *slot)
{
    *(int *)slot = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&t[i], NULL, work, &slots[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(slots[i] == 1);
    return 0;
}
