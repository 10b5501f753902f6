// A thread posts a semaphore on the heap and then tells main by y, which frees the semaphore.  If y does not release and
// acquire, nothing orders the two: a race of the use with the end of the memory.
//
// RETURN=1: the semaphore is on the stack of a function, which returns when it has seen y.
// Executions: y is read as 0 or 1.
// case: W=release R=acquire => verified; 2
// case: W=seq_cst R=seq_cst => verified; 2
// case: W=release => violation data-race
// case: R=acquire => violation data-race
// case: => violation data-race
// case: RETURN=1 W=release R=acquire => verified; 2
// case: RETURN=1 => violation data-race
#include "orders.h"
#include <semaphore.h>
#include <stdlib.h>

static atomic_int y;
static int is_joined;

static void *post(void *semaphore)
{
    sem_post(semaphore);
    store(y, 1, W);
    return NULL;
}

static void start(pthread_t *t, sem_t *semaphore)
{
    sem_init(semaphore, 0, 0);
    pthread_create(t, NULL, post, semaphore);
    if (!load(y, R)) {
        pthread_join(*t, NULL);
        is_joined = 1;
    }
}

static void start_here(pthread_t *t)
{
    sem_t own;
    start(t, &own);
}

int main(void)
{
    pthread_t t;
#ifdef RETURN
    start_here(&t);
#else
    sem_t *semaphore = malloc(sizeof *semaphore);
    start(&t, semaphore);
    free(semaphore);
    (void)start_here;
#endif
    if (!is_joined)
        pthread_join(t, NULL);
    return 0;
}
