/* A pointer is looked at and used later; another one is used under the lock that it is cleared under. */
#include "two_threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *_Atomic loose = &object;
static int *kept = &object;
static void *clear(void *arg)
{
    loose = NULL;
    pthread_mutex_lock(&lock);
    kept = NULL;
    pthread_mutex_unlock(&lock);
    return arg;
}
static void *use(void *arg)
{
    int sum = 0;
    if (loose)
        sum += *loose; //! fault real 1
    pthread_mutex_lock(&lock);
    if (kept)
        sum += *kept; //! fault spurious 2
    pthread_mutex_unlock(&lock);
    return sum ? arg : NULL;
}
int main(void) { return run_two(clear, use); }
