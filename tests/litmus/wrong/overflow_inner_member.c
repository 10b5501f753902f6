// expect: violation memory
// The index leaves an array at the end of a structure, which is a member of another.
#include <pthread.h>
#include <stdatomic.h>

struct inner {
    int a[2];
};

static struct {
    struct inner inner;
    int number;
} outer;
static atomic_int index_ = 0;

static void *work(void *unused)
{
    index_ = 2;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    outer.inner.a[index_] = 1; /* violation */
    pthread_join(t, NULL);
    return 0;
}
