// Two consumers, two items, the wait in a loop.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int n_items;

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    while (n_items == 0)
        pthread_cond_wait(&filled, &lock);
    assert(n_items > 0);
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
    assert(n_items == 0);
    return 0;
}
