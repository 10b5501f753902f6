// A thread ends inside an atomic section.
// expect: violation misuse
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void *work(void *unused)
{
    heddle_atomic_begin();
    n++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
