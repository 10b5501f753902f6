// expect: verified
// The index is that of the first element of the row.
#include <pthread.h>
#include <stdatomic.h>

static int table[3][4];
static atomic_int index_ = 0;

static void *work(void *unused)
{
    index_ = 0;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    table[index_ ? 1 : 2][-index_] = 1;
    pthread_join(t, NULL);
    return 0;
}
