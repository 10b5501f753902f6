/* One thread writes with the lock for readers. */
#include "two_threads.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table, hits;
static void *look(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int seen = table; //! race spurious 1
    hits++;           //! race real 2
    pthread_rwlock_unlock(&lock);
    return seen ? arg : NULL;
}
static void *change(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    table = 1; //! race spurious 1
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    hits = 0; //! race real 2
    pthread_rwlock_unlock(&lock);
    return arg;
}
int main(void) { return run_two(look, change); }
