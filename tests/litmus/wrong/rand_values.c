// The first number of rand() is odd, 1804289383, unless another thread has taken it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *unused)
{
    rand();
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, draw, NULL);
    assert(rand() % 2); /* violation */
    pthread_join(id, NULL);
    return 0;
}
