/* apr_queue of one element: a thread pushes two, main pops them, in that order. */
#include <apr_general.h>
#include <apr_queue.h>
#include <apr_thread_proc.h>

#include <assert.h>

static int values[] = { 1, 2 };

static void *APR_THREAD_FUNC produce(apr_thread_t *self, void *queue)
{
    for (int i = 0; i < 2; i++)
        assert(apr_queue_push(queue, &values[i]) == APR_SUCCESS);
    apr_thread_exit(self, APR_SUCCESS);
    return NULL;
}

int main(void)
{
    apr_pool_t *pool;
    apr_queue_t *queue;
    apr_thread_t *producer;
    apr_status_t status;
    assert(apr_initialize() == APR_SUCCESS);
    assert(apr_pool_create(&pool, NULL) == APR_SUCCESS);
    assert(apr_queue_create(&queue, 1, pool) == APR_SUCCESS);
    assert(apr_thread_create(&producer, NULL, produce, queue, pool) == APR_SUCCESS);
    for (int i = 0; i < 2; i++) {
        void *got = NULL;
        assert(apr_queue_pop(queue, &got) == APR_SUCCESS && got == &values[i]);
    }
    assert(apr_thread_join(&status, producer) == APR_SUCCESS && status == APR_SUCCESS);
    assert(apr_queue_size(queue) == 0);
    apr_pool_destroy(pool);
    apr_terminate();
    return 0;
}
