// The program reads the baton and takes it in two steps, so two threads may both take it.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int baton = 1;
static atomic_int holders;

static void *work(void *unused)
{
    if (baton) {
        baton = 0;
        assert(++holders == 1); /* violation */
        holders--;
        baton = 1;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
