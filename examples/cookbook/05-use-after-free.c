/* Two owners of a block.  With -DFIXED the last one, and nobody else, frees it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int owners;
    int value;
};

static void drop(struct shared *s)
{
#ifdef FIXED
    if (atomic_fetch_sub(&s->owners, 1) == 1)
        free(s);
#else
    s->owners--;
    if (s->owners == 0)
        free(s);
#endif
}

static void *other(void *s)
{
    drop(s);
    return NULL;
}

int main(void)
{
    struct shared *s = malloc(sizeof *s);
    pthread_t t;
    if (!s)
        return 0;
    s->owners = 2;
    pthread_create(&t, NULL, other, s);
    drop(s);
    pthread_join(t, NULL);
}
