/* libuv: an event loop whose thread pool (two workers) does three pieces of work, one of which is asked to
 * be cancelled; another thread wakes the loop through an asynchronous handle. */
#include <uv.h>

#include <assert.h>
#include <stdlib.h>

static uv_mutex_t lock;
static int worked;    /* by the pool, under the lock */
static int finished;  /* by the loop alone */
static int cancelled; /* … */
static int woken;     /* … */
static uv_async_t wake;

static void work(uv_work_t *request)
{
    uv_mutex_lock(&lock);
    worked += *(const int *)request->data;
    uv_mutex_unlock(&lock);
}

static void after(uv_work_t *request, int status)
{
    assert(status == 0 || status == UV_ECANCELED);
    if (status == UV_ECANCELED)
        cancelled += *(const int *)request->data;
    finished++;
}

static void on_wake(uv_async_t *handle)
{
    woken++;
    uv_close((uv_handle_t *)handle, NULL);
}

static void other(void *unused)
{
    (void)unused;
    uv_async_send(&wake);
}

int main(void)
{
    static int amounts[] = { 1, 10, 100 };
    uv_loop_t loop;
    uv_work_t requests[3];
    uv_thread_t thread;
    setenv("UV_THREADPOOL_SIZE", "2", 1);
    assert(uv_loop_init(&loop) == 0 && uv_mutex_init(&lock) == 0);
    assert(uv_async_init(&loop, &wake, on_wake) == 0);
    for (int i = 0; i < 3; i++) {
        requests[i].data = &amounts[i];
        assert(uv_queue_work(&loop, &requests[i], work, after) == 0);
    }
    int refused = uv_cancel((uv_req_t *)&requests[2]);
    assert(refused == 0 || refused == UV_EBUSY);
    assert(uv_thread_create(&thread, other, NULL) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(uv_thread_join(&thread) == 0);
    assert(finished == 3 && woken == 1);
    assert(cancelled == (refused == 0 ? 100 : 0) && worked == 111 - cancelled);
    assert(uv_loop_close(&loop) == 0);
    uv_library_shutdown();
    uv_mutex_destroy(&lock);
    return 0;
}
