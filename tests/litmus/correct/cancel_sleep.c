// A sleeping thread is cancelled, or has had its sleep.
// expect: verified
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
    assert(result == NULL || result == PTHREAD_CANCELED);
    return 0;
}
