// Two threads wait on one condition variable, each with a mutex of its own.
// expect: violation misuse
// also: --memory rc11 => violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *mine)
{
    pthread_mutex_lock(mine);
    while (!ready)
        pthread_cond_wait(&cond, mine); /* violation */
    pthread_mutex_unlock(mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &locks[0]);
    pthread_create(&b, NULL, work, &locks[1]);
    pthread_mutex_lock(&locks[0]);
    pthread_mutex_lock(&locks[1]);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&locks[1]);
    pthread_mutex_unlock(&locks[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
