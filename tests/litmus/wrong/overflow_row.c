// expect: violation memory
// The index leaves its row, and stays inside the array of rows.
#include <pthread.h>
#include <stdatomic.h>

static int table[2][3];
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
    table[0][index_] = 1; /* violation */
    pthread_join(t, NULL);
    return 0;
}
