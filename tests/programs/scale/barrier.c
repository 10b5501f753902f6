/* The reusable barrier of SCALE's appendix A.4: N threads, main among them, meet STEPS times.  A
 * meeting has two phases, so that nobody overtakes: all in, then all out.
 *
 *   -DN=2 -DSTEPS=1 */
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#ifndef STEPS
#define STEPS 1
#endif

static pthread_mutex_t lock;
static pthread_cond_t turned;
static int n_in;
static int phase;

static void come_in(void)
{
    pthread_mutex_lock(&lock);
    n_in++;
    if (n_in == N) {
        phase = 1;
        pthread_cond_broadcast(&turned);
    } else {
        while (phase == 0)
            pthread_cond_wait(&turned, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void go_out(void)
{
    pthread_mutex_lock(&lock);
    n_in--;
    if (n_in == 0) {
        phase = 0;
        pthread_cond_broadcast(&turned);
    } else {
        while (phase == 1)
            pthread_cond_wait(&turned, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *meet(void *unused)
{
    (void)unused;
    for (int i = 0; i < STEPS; i++) {
        come_in();
        go_out();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&turned, NULL);
    for (int i = 0; i < N - 1; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    meet(NULL);
    for (int i = 0; i < N - 1; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&lock);
    pthread_cond_destroy(&turned);
    return 0;
}
