// A hundred threads one after the other: never more than two at a time.
// expect: verified
// executions: 1
// (each is joined before the next is created: everything is ordered)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int count;

static void *work(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_t t;
        assert(pthread_create(&t, NULL, work, NULL) == 0);
        assert(pthread_join(t, NULL) == 0);
    }
    assert(count == 100);
    return 0;
}
