/* Three forks and three who eat; the fourth fork is taken by all in one order. */
#include "two_threads.h"
static pthread_mutex_t fork[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER },
                       salt = PTHREAD_MUTEX_INITIALIZER, pepper = PTHREAD_MUTEX_INITIALIZER;
static void *eat_first(void *arg)
{
    pthread_mutex_lock(&fork[0]);
    pthread_mutex_lock(&fork[1]); //! deadlock real 1
    pthread_mutex_unlock(&fork[1]);
    pthread_mutex_unlock(&fork[0]);
    return arg;
}
static void *eat_second(void *arg)
{
    pthread_mutex_lock(&fork[1]);
    pthread_mutex_lock(&fork[2]); //! deadlock real 1
    pthread_mutex_unlock(&fork[2]);
    pthread_mutex_unlock(&fork[1]);
    pthread_mutex_lock(&salt);
    pthread_mutex_lock(&pepper); //! deadlock spurious 2
    pthread_mutex_unlock(&pepper);
    pthread_mutex_unlock(&salt);
    return arg;
}
static void *eat_third(void *arg)
{
    pthread_mutex_lock(&fork[2]);
    pthread_mutex_lock(&fork[0]); //! deadlock real 1
    pthread_mutex_unlock(&fork[0]);
    pthread_mutex_unlock(&fork[2]);
    pthread_mutex_lock(&salt);
    pthread_mutex_lock(&pepper); //! deadlock spurious 2
    pthread_mutex_unlock(&pepper);
    pthread_mutex_unlock(&salt);
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, eat_third, NULL);
    run_two(eat_first, eat_second);
    pthread_join(thread, NULL);
    return 0;
}
