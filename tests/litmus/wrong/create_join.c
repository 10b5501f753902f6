// Main looks at what a thread writes without joining it first.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done;

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(done == 1); /* violation */
    pthread_join(t, NULL);
    return 0;
}
