/* double_checked.c, repaired. The value comes first. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, value;

static void *use(void *unused)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
