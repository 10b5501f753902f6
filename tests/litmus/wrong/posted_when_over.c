// A function that has seen `done` does not wait for the semaphore on its stack, which is posted when it is over.  No other
// thread reads or writes that local: its only uses are synchronisation.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --memory rc11 => violation memory
// also: --strategy stateful => violation memory
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
    pthread_mutex_lock(&lock);
    int is_done = done;
    pthread_mutex_unlock(&lock);
    if (!is_done)
        sem_wait(&ready);
}

int main(void)
{
    pthread_t t;
    run(&t);
    pthread_join(t, NULL);
    return 0;
}
