/* lazy_singleton.c, repaired. Looking and making are one critical section. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static _Atomic(int *) instance;
static int storage;

static void *use(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!instance) {
        made++;
        instance = &storage;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(made == 1);
}
