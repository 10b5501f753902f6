// Main unlocks a mutex that the thread may hold.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    __atomic_store_n(&busy, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&busy, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (__atomic_load_n(&busy, __ATOMIC_SEQ_CST))
        pthread_mutex_unlock(&lock); /* violation */
    pthread_join(t, NULL);
    return 0;
}
