// The key may be deleted before the thread comes to its end: then no destructor frees its value.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int destroyed;
static sem_t set;

static void destroy(void *value) { atomic_fetch_add((atomic_int *)value, 1); }

static void *work(void *unused)
{
    pthread_setspecific(key, &destroyed);
    sem_post(&set);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&set, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&set);
    pthread_key_delete(key);
    pthread_join(t, NULL);
    assert(destroyed == 1); /* violation */
    return 0;
}
