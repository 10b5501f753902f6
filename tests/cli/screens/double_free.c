/* Two threads drop the last reference. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int references;
    char text[32];
};

static struct buffer *shared;

static void release(struct buffer *b)
{
    atomic_fetch_sub(&b->references, 1);
    if (atomic_load(&b->references) == 0)
        free(b);
}

static void *user(void *unused)
{
    release(shared);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
