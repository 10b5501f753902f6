// expect: violation memory
// A text that is too long for its row is copied into the next one.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char names[2][4];
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
    strcpy(names[0], index_ ? "1234" : "123"); /* violation */
    pthread_join(t, NULL);
    return 0;
}
