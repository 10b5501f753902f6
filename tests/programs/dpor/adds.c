/* adds(N): N threads add to one variable and do not look at what was there: N! traces; with --finer
 * rmw 1.  With a reader beside them (N + 1)!; with --finer rmw it sees any set of them: 2^N. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *add(void *arg)
{
    (void)arg;
    atomic_fetch_add(&x, 1);
    return 0;
}

static void *look(void *arg)
{
    (void)arg;
    return atomic_load(&x) < 0 ? &x : 0;
}

int main(void)
{
    pthread_t t[N + 1];
    int n = N;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
#ifdef READER
    pthread_create(&t[n++], 0, look, 0);
#else
    (void)look;
#endif
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    return atomic_load(&x) != N;
}
