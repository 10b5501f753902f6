// Four threads write the same variable.
// expect: verified
// executions: 24
// (4! orders)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic int x;

static void *writer(void *id)
{
    x = (int)(intptr_t)id;
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (intptr_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, writer, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(x >= 1 && x <= 4);
    return 0;
}
