// Dates are made in memory of the thread's own, or in the library's under a lock.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    time_t at = *(int *)arg;
    struct tm own;
    char text[32];
    pthread_mutex_lock(&lock);
    const struct tm *date = gmtime(&at);
    assert(date->tm_year == 70 && date->tm_sec == *(int *)arg);
    assert(strncmp(asctime(date), "Thu Jan  1 00:00:0", 18) == 0);
    pthread_mutex_unlock(&lock);
    assert(gmtime_r(&at, &own) == &own && own.tm_sec == *(int *)arg);
    assert(asctime_r(&own, text) == text);
    return NULL;
}

int main(void)
{
    pthread_t a;
    int one = 1, two = 2;
    pthread_create(&a, NULL, work, &one);
    work(&two);
    pthread_join(a, NULL);
    return 0;
}
