// Two threads write different bytes of the same word: nothing is lost, nothing depends.
// expect: verified
// executions: 1
// (dependence is by overlapping bytes)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char bytes[8];

static void *work(void *byte)
{
    *(char *)byte = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &bytes[2]);
    pthread_create(&b, NULL, work, &bytes[3]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bytes[2] + bytes[3] == 2);
    return 0;
}
