/* Opposite orders twice: of two threads that meet, and of one and main when it has ended. */
#include "two_threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //! deadlock real 1 //! deadlock spurious 2
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //! deadlock real 1
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    run_two(one, two);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //! deadlock spurious 2
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
