/* A value is handed over with a condition variable; the statistics are not. */
#include "two_threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;
static int value, ready, handed;
static void *give(void *arg)
{
    value = 7; //! race spurious 1
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&there);
    pthread_mutex_unlock(&lock);
    handed++; //! race real 2
    return arg;
}
static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&there, &lock);
    pthread_mutex_unlock(&lock);
    handed++;                       //! race real 2
    return value == 7 ? arg : NULL; //! race spurious 1
}
int main(void) { return run_two(give, take); }
