// A consumer tests with `if` instead of `while`: the item may be gone when it has woken.
// expect: violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int n_items;

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    if (n_items == 0)
        pthread_cond_wait(&filled, &lock);
    assert(n_items > 0); /* violation */
    n_items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void produce(void)
{
    pthread_mutex_lock(&lock);
    n_items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    produce();
    produce();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
