// One thread sets a thread-specific value, and another thread expects to read it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int value;

static void *work(void *unused)
{
    pthread_setspecific(key, &value);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(pthread_getspecific(key) == &value); /* violation */
    return 0;
}
