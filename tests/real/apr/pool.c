/* apr_thread_pool of one thread: it does a task that main has pushed, and the pool is destroyed after that. */
#include <apr_general.h>
#include <apr_thread_pool.h>

#include <assert.h>

static int done;

static void *APR_THREAD_FUNC task(apr_thread_t *self, void *unused)
{
    (void)self;
    done++;
    return unused;
}

int main(void)
{
    apr_pool_t *pool;
    apr_thread_pool_t *threads;
    assert(apr_initialize() == APR_SUCCESS);
    assert(apr_pool_create(&pool, NULL) == APR_SUCCESS);
    assert(apr_thread_pool_create(&threads, 1, 1, pool) == APR_SUCCESS);
    assert(apr_thread_pool_push(threads, task, NULL, APR_THREAD_TASK_PRIORITY_NORMAL, NULL) ==
           APR_SUCCESS);
    assert(apr_thread_pool_destroy(threads) == APR_SUCCESS);
    assert(done <= 1);
    apr_pool_destroy(pool);
    apr_terminate();
    return 0;
}
