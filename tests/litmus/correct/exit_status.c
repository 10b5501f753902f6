// A status other than 0 that was announced is no failure.
// expect: verified
// options: --expect-exit 7
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 7;
}
