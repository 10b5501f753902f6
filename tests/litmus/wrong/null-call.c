// expect: violation crash
// options: --keep-going
// A call through a null pointer.  The exploration goes on after it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void tick(void)
{
    pthread_mutex_lock(&mutex);
    n++;
    pthread_mutex_unlock(&mutex);
}

static void *breaks(void *arg)
{
    (void)arg;
    tick();
    ((void (*)(void))0)(); /* violation */
    __builtin_unreachable();
}

static void *goes_on(void *arg)
{
    tick();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, breaks, NULL);
    pthread_create(&b, NULL, goes_on, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
