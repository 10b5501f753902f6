/* rwlock_upgrade.c, repaired. It gives the lock back, takes it for writing, and looks
 * again. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *find_or_insert(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int absent = entries == 0;
    pthread_rwlock_unlock(&lock);
    if (absent) {
        pthread_rwlock_wrlock(&lock);
        if (entries == 0)
            entries++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, find_or_insert, NULL);
    pthread_rwlock_wrlock(&lock);
    if (entries == 0)
        entries++;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    assert(entries == 1);
}
