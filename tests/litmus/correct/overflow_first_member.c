// expect: verified
// The index stays in the array that is the first member.
#include <pthread.h>
#include <stdatomic.h>

struct record {
    char name[4];
    int number;
};

static struct record record;
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
    record.name[index_] = 1;
    pthread_join(t, NULL);
    return 0;
}
