// An injected failure of an allocation that the program does not expect.
// expect: violation crash
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static void *allocate(size_t size) { return heddle_choose(2) ? NULL : malloc(size); }

static void *work(void *unused)
{
    int *p = allocate(sizeof *p);
    *p = 1; /* violation */
    free(p);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
