// Two threads make a key each: which of them gets which is open.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t first, second;

static void *work(void *unused)
{
    pthread_key_create(&first, NULL);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_key_create(&second, NULL);
    pthread_join(t, NULL);
    assert(first < second); /* violation */
    return 0;
}
