/* zstd's thread pool: jobs from two threads, a pool of two workers that is resized and joined while
 * they run. */
#include "common/pool.h"

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void job(void *amount)
{
    pthread_mutex_lock(&lock);
    done += *(const int *)amount;
    pthread_mutex_unlock(&lock);
}

static int amounts[] = { 1, 10, 100 };

static void *submit(void *pool)
{
    POOL_add(pool, job, &amounts[1]);
    return NULL;
}

int main(void)
{
    pthread_t other;
    POOL_ctx *pool = POOL_create(2, 1);
    assert(pool != NULL);
    pthread_create(&other, NULL, submit, pool);
    POOL_add(pool, job, &amounts[0]);
    int added = POOL_tryAdd(pool, job, &amounts[2]);
    pthread_join(other, NULL);
    POOL_free(pool);
    assert(done == 11 + (added ? 100 : 0));
    return 0;
}
