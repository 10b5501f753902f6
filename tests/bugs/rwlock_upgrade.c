/* A reader that does not find its entry wants to become a writer: it waits for itself to
 * stop reading. */
// expect: violation misuse
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *find_or_insert(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int absent = entries == 0;
    if (absent) {
        pthread_rwlock_wrlock(&lock);
        entries++;
    }
    pthread_rwlock_unlock(&lock);
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
