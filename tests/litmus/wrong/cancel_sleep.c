// A second of sleep is taken to be longer than the way to pthread_cancel.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *sleeper(void *unused)
{
    sleep(1);
    usleep(1000);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, sleeper, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED); /* violation */
    return 0;
}
