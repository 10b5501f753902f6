// Three threads wait for one unit each, and a fourth gives three: nobody waits for ever.
// options: --memory rc11
// expect: verified
// also: --memory rc11 -j 2 => verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int units;

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!units)
        pthread_cond_wait(&more, &lock);
    units--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *give(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        units++;
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&more);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    pthread_create(&threads[3], NULL, give, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
