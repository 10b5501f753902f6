/* Two threads, K locked increments each: the smallest program with everything in it.  -DK=4 */
#include <pthread.h>
#include <stddef.h>

#ifndef K
#define K 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
