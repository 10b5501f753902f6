// The environment is read by one thread while another changes it.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    setenv("HEDDLE_A", "one", 1); /* race */
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    assert(getenv("HEDDLE_A") == NULL); /* race */ /* violation */
    pthread_join(a, NULL);
    return 0;
}
