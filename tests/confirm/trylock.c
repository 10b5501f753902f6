/* The second lock of one order is only tried. */
#include "two_threads.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //! deadlock spurious 1
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&d); //! deadlock real 2
    pthread_mutex_unlock(&d);
    pthread_mutex_unlock(&c);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) //! deadlock spurious 1
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&d);
    pthread_mutex_lock(&c); //! deadlock real 2
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&d);
    return arg;
}
int main(void) { return run_two(one, two); }
