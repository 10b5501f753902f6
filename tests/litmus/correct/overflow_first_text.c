// expect: verified
// The text fits into the first member.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    char name[4];
    int number;
} record;
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
    strcpy(record.name, index_ ? "1234" : "123");
    pthread_join(t, NULL);
    return 0;
}
