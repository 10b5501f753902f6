// heddle_atomic_begin and _end make two accesses one step.
// expect: verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *work(void *unused)
{
    heddle_atomic_begin();
    counter++;
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
