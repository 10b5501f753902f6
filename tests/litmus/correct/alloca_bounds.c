// expect: verified
// Blocks of alloca are filled.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 10;

static void fill(char *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = 1;
}

static void *work(void *unused)
{
    char *p = NULL;
    if (length > 2) {
        p = alloca(10); /* of constant size, but not always made */
        fill(p, 10);
    }
    char *q = alloca((size_t)length);
    fill(q, length);
    assert(p[0] && q[9]);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
