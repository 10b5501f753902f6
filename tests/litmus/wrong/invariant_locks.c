// An invariant is evaluated between two steps, and nobody moves meanwhile: it must not wait for a lock.
// expect: violation misuse
// also: --strategy optimal => violation misuse
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int small(void)
{
    pthread_mutex_lock(&lock); /* violation */
    int now = n;
    pthread_mutex_unlock(&lock);
    return now < 3;
}

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(small);
    pthread_create(&t, NULL, count, NULL);
    pthread_join(t, NULL);
    return 0;
}
