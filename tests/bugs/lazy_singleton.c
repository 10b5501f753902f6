/* Two threads find that the object is not there, and both make it. */
// expect: violation assertion
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
    if (!instance) {
        pthread_mutex_lock(&lock);
        made++;
        instance = &storage;
        pthread_mutex_unlock(&lock);
    }
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
