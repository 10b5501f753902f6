// As wrong/posted_when_over.c, but the function waits for the semaphore, whatever it has seen.
// expect: verified
// also: --memory rc11 => verified
// also: --strategy stateful => verified
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    sem_post(arg);
    return NULL;
}

static void run(pthread_t *t)
{
    sem_t ready;
    sem_init(&ready, 0, 0);
    pthread_create(t, NULL, work, &ready);
    sem_wait(&ready);
}

int main(void)
{
    pthread_t t;
    run(&t);
    pthread_join(t, NULL);
    return 0;
}
