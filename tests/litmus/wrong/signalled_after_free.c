// The condition variable is signalled after the mutex has been given back.  The thread that waits may see `done` before that
// without waiting, and free it.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --strategy stateful => violation memory
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_cond_t changed;
    int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    struct job *job = arg;
    pthread_mutex_lock(&lock);
    job->done = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&job->changed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct job *job = malloc(sizeof *job);
    pthread_cond_init(&job->changed, NULL);
    job->done = 0;
    pthread_create(&t, NULL, work, job);
    pthread_mutex_lock(&lock);
    while (!job->done)
        pthread_cond_wait(&job->changed, &lock);
    pthread_mutex_unlock(&lock);
    free(job);
    pthread_join(t, NULL);
    return 0;
}
