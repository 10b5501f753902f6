// expect: violation memory
// A text that is too long for the first member of a variable is copied over the second.
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
    index_ = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    strcpy(record.name, index_ ? "1234" : "123"); /* violation */
    pthread_join(t, NULL);
    return 0;
}
