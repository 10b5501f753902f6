// expect: verified
// The index stays in the array at the end of the structure.
#include <pthread.h>
#include <stdatomic.h>

struct record {
    int number;
    char name[4];
};

static struct record records[2];
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
    records[0].name[index_] = 1;
    pthread_join(t, NULL);
    return 0;
}
