// expect: violation memory
// The index leaves an array that is the first member of a variable, and hits the second.
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
    index_ = 4;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    record.name[index_] = 1; /* violation */
    pthread_join(t, NULL);
    return 0;
}
