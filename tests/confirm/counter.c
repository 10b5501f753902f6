/* One counter is protected, the other is not. */
#include "two_threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int kept, lost;
static void *one(void *arg)
{
    pthread_mutex_lock(&lock);
    kept++; //! race spurious 1
    pthread_mutex_unlock(&lock);
    lost++; //! race real 2
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&lock);
    kept--; //! race spurious 1
    pthread_mutex_unlock(&lock);
    lost--; //! race real 2
    return arg;
}
int main(void) { return run_two(one, two); }
