// gmtime gives all threads the same object.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void *work(void *arg)
{
    time_t at = *(int *)arg;
    const struct tm *date = gmtime(&at);            /* race */
    assert(date->tm_sec == *(int *)arg); /* race */ /* violation */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    static int one = 1, two = 2;
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
