// As wrong/signalled_after_free.c, but the mutex is held until the condition variable has been signalled.
// expect: verified
// also: --memory rc11 => verified
// also: --strategy stateful => verified
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
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&lock);
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
