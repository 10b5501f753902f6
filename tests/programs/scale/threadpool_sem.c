/* The thread pool of SCALE's appendix A.3.2, the version that CHESS was run on: a critical section
 * and a semaphore.  main starts N workers, gives them one job and tells them to stop.  Critical
 * sections are mutexes here, ReleaseSemaphore(s, n) is n posts with nothing in between.
 *
 *   -DN=2   workers */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
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
static sem_t wake_up;
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
        sem_post(&wake_up);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL && !stopping) {
            n_idle++;
            pthread_mutex_unlock(&lock);
            sem_wait(&wake_up);
            pthread_mutex_lock(&lock);
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
    sem_init(&wake_up, 0, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    give_job(greet);
    pthread_mutex_lock(&lock);
    stopping = 1;
    heddle_atomic_begin();
    for (int i = n_idle; i > 0; i--)
        sem_post(&wake_up);
    heddle_atomic_end();
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&lock);
    sem_destroy(&wake_up);
    return 0;
}
