// expect: verified
// Both indices are right.
#include <pthread.h>
#include <stdatomic.h>

struct record {
    int number;
    char name[4];
    int more[40];
};

static struct record records[2];
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
    records[index_].name[0] = 1;
    pthread_join(t, NULL);
    return 0;
}
