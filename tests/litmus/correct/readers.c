// Reads commute: only their order with the write counts.
// expect: verified
// executions: 4
// (each of two readers is before or after the writer)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic int x;

static void *reader(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)x;
}

static void *writer(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t r1, r2, w;
    void *a, *b;
    pthread_create(&r1, NULL, reader, NULL);
    pthread_create(&r2, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r1, &a);
    pthread_join(r2, &b);
    pthread_join(w, NULL);
    assert((intptr_t)a + (intptr_t)b <= 2);
    return 0;
}
