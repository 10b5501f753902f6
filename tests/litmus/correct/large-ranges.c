// expect: verified
// executions: 6
// Three threads fill a block of 4 MiB, each inside one critical section: 3! orders of them.  Every
// thread finds what it has written and, in the part that nobody fills, zeros, whatever other
// executions have put there before.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (4u << 20)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *block, *fresh[3];

static void *fill(void *arg)
{
    long self = (long)arg;
    char *own = calloc(1, BYTES);
    assert(own && own[BYTES / 3] == 0 && own[BYTES - 1] == 0);
    memset(own, 1 + (int)self, BYTES - 100);
    pthread_mutex_lock(&mutex);
    char before = block[BYTES / 2];
    assert(block[0] == before && block[BYTES - 1] == 9);
    assert(block[4099] == (before == 9 ? 9 : 50));
    memcpy(block, own, BYTES - 1);
    assert(block[BYTES - 100] == 0 && block[BYTES / 2] == 1 + self);
    memmove(block + 1, block, 99);
    block[4099] = 50;
    pthread_mutex_unlock(&mutex);
    fresh[self] = own;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    block = malloc(BYTES);
    memset(block, 9, BYTES);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        free(fresh[i]);
    free(block);
    return 0;
}
