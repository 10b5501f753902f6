/* N threads, each of which chooses whether it adds to x: the threads that do may come in any order, so
 * there are N!/0! + N!/1! + … + N!/N! traces (arrangements of a set of N); with C choices of each, of
 * which one adds, N!/(N-k)! (C-1)^(N-k) for k that do.
 *
 * With two threads and the choice not to add made where a reversal asked for the other one, an execution
 * would be sleep-set-blocked. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef C
#define C 2 /* choices of each, all but one not to */
#endif

static atomic_int x;

static void *work(void *unused)
{
    (void)unused;
    if (heddle_choose(C) == 0)
        atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
