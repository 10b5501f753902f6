// expect: violation memory
// The index leaves the array at the end of one structure and hits the next in the array of structures.
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
    index_ = 4;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    records[0].name[index_] = 1; /* violation */
    pthread_join(t, NULL);
    return 0;
}
