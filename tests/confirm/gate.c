/* Two locks in both orders, but whoever takes them holds a third one. */
#include "two_threads.h"
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static int outside;
static void *one(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //! deadlock spurious 1
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    outside = 1; //! race real 2
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //! deadlock spurious 1
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&gate);
    outside = 2; //! race real 2
    return arg;
}
int main(void) { return run_two(one, two); }
