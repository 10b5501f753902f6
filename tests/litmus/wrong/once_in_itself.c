// The function that pthread_once runs calls pthread_once: it waits for itself.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) { pthread_once(&once, prepare); /* violation */ }

static void *work(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
