// Two threads increment a counter under a mutex.
// expect: verified
// executions: 2
// (who locks first)
// also: --reduce none => verified
// also: --search dfs:5 => verified
// also: --reduce not-seen:hash => no-violation-found
// also: --strategy chess:2 => no-violation-found
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
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
