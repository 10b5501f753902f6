// The same, a byte further: the ranges do not touch.
// expect: verified
// executions: 1
// (nothing depends on anything)
#include <pthread.h>
#include <string.h>

static char buffer[32], source[12];

static void *copy(void *unused)
{
    memcpy(buffer, source, sizeof source);
    return unused;
}

static void *fill(void *unused)
{
    memset(buffer + 12, 7, 4);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, copy, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
