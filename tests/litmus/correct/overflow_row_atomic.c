// expect: verified
// An atomic operation is made on the last element of a row.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int table[2][3];
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
    atomic_fetch_add(&table[0][index_], 1);
    pthread_join(t, NULL);
    return 0;
}
