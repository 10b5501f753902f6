/* A node is unlinked and its memory reused while a reader still looks at it. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int payload = 42;
static atomic_int linked = 1;

static void *reader(void *unused)
{
    if (linked)
        assert(payload == 42);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    linked = 0;
    payload = 0; /* the memory serves something else now */
    pthread_join(t, NULL);
}
