// expect: violation memory
// The scope of a variable-length array ends while another thread has a pointer to it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    if (shared)
        *shared = 1; /* violation */
    pthread_mutex_unlock(&m);
    return unused;
}

static void set(int *to)
{
    pthread_mutex_lock(&m);
    shared = to;
    pthread_mutex_unlock(&m);
}

int main(int argc, char **argv)
{
    pthread_t t;
    (void)argv;
    pthread_create(&t, NULL, work, NULL);
    {
        int a[argc + 1];
        set(a);
    }
    pthread_join(t, NULL);
    return 0;
}
