/* The thread pool of SCALE's appendix A.3: main starts N workers, gives them one job and tells
 * them to stop.  The job may be run by any worker, or by none when all stop first.  No
 * deadlock.
 *
 *   -DN=2   workers */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

typedef void job_fn(void);

struct job {
    job_fn *run;
    struct job *next;
};

static struct job *first, *last;
static pthread_mutex_t lock;
static pthread_cond_t wake_up;
static int stopping;
static int n_idle;

static job_fn *take_job(void)
{
    struct job *job = first;
    job_fn *run = job->run;
    first = job->next;
    free(job);
    if (first == NULL)
        last = NULL;
    return run;
}

static void give_job(job_fn *run)
{
    pthread_mutex_lock(&lock);
    struct job *job = malloc(sizeof *job);
    assert(job != NULL);
    job->run = run;
    job->next = NULL;
    if (last == NULL) {
        assert(first == NULL);
        first = job;
    } else {
        last->next = job;
    }
    last = job;
    if (n_idle > 0)
        pthread_cond_signal(&wake_up);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL && !stopping) {
            n_idle++;
            pthread_cond_wait(&wake_up, &lock);
            n_idle--;
        }
        if (stopping) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        job_fn *run = take_job();
        pthread_mutex_unlock(&lock);
        run();
    }
}

static void greet(void) { printf("%s", "hello\n"); }

int main(void)
{
    pthread_t threads[N];
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&wake_up, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    give_job(greet);
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_cond_broadcast(&wake_up);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&lock);
    pthread_cond_destroy(&wake_up);
    return 0;
}
