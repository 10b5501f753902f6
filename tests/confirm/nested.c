/* Waiting for a condition gives back one lock and keeps the other, which the signaller needs. */
#include "two_threads.h"
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;
static int ready, noted;
static void *take(void *arg)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!ready)
        pthread_cond_wait(&there, &inner); //! deadlock real 1
    noted = 1;                             //! race spurious 2
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return arg;
}
static void *give(void *arg)
{
    pthread_mutex_lock(&outer); //! deadlock real 1
    pthread_mutex_lock(&inner);
    ready = 1;
    noted = 2; //! race spurious 2
    pthread_cond_signal(&there);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return arg;
}
int main(void) { return run_two(take, give); }
