// Dekker's entry with the wish written after the look at the other's.
// expect: violation assertion data-race
// options: --depth 34
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int wants[2];
static int inside;

static void *enter(void *arg)
{
    intptr_t me = (intptr_t)arg, other = 1 - me;
    while (wants[other])
        ;
    wants[me] = 1;
    assert(inside == 0); /* violation */
    inside = 1;
    inside = 0;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, (void *)(intptr_t)1);
    enter((void *)(intptr_t)0);
    pthread_join(t, NULL);
    return 0;
}
