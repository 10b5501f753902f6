// An atomic variable decides which operations a thread does.
// options: --memory rc11
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int chosen;
static atomic_int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *first(void *unused)
{
    atomic_fetch_add(&done, 3);
    atomic_fetch_add(&chosen, 1);
    return unused;
}

static void *second(void *unused)
{
    if (chosen == 1) {
        pthread_mutex_lock(&lock);
        if (atomic_load(&done) == 0)
            pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    } else {
        atomic_store(&done, 3);
    }
    return unused;
}

static void *third(void *unused)
{
    int expected = 0;
    pthread_cond_signal(&ready);
    atomic_compare_exchange_strong(&chosen, &expected, 3);
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
