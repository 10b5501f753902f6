// The program's own sleep, which is no sleep: its accesses are explored like all others.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

unsigned sleep(unsigned n)
{
    x += (int)n; /* race */
    return n;
}

static void *work(void *unused)
{
    sleep(1);
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    sleep(1);
    pthread_join(id, NULL);
    assert(x == 2); /* violation */
    return 0;
}
