// expect: verified
// The index stays in the array at the end of the inner structure.
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
    index_ = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    outer.inner.a[index_] = 1;
    pthread_join(t, NULL);
    return 0;
}
