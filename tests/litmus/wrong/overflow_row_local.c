// expect: violation memory
// The index leaves a row of a local table.
#include <pthread.h>
#include <stdatomic.h>

static int use(int i)
{
    int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    return table[0][i]; /* violation */
}

static atomic_int index_ = 0;

static void *work(void *unused)
{
    index_ = 3;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    (void)use(index_);
    pthread_join(t, NULL);
    return 0;
}
