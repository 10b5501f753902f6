/* What the programs of this directory share.  The orders of accesses and fences come from the
 * case: -DW=memory_order_release; `none` is a fence that is not there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define none (-1)

/* A macro, so that every fence has a place of its own. */
#define fence(order) atomic_thread_fence((order) == none ? memory_order_relaxed : (order))

/* With -DCOUNT=1 the outcome is allowed, and all executions are counted. */
#ifdef COUNT
#define never(outcome) ((void)(outcome))
#else
#define never(outcome) assert(!(outcome))
#endif

#define load(object, order) atomic_load_explicit(&(object), order)
#define store(object, value, order) atomic_store_explicit(&(object), value, order)

/* Start all threads, and wait for them. */
#define run(...) run_all((void *(*const[])(void *)){ __VA_ARGS__, NULL })

static inline void run_all(void *(*const *start)(void *))
{
    pthread_t threads[8];
    int n = 0;
    for (; start[n]; n++)
        pthread_create(&threads[n], NULL, start[n], NULL);
    while (n-- > 0)
        pthread_join(threads[n], NULL);
}
