/* Destructors of thread_local objects of C++: kept by thread, run from the newest to the oldest
 * at its end, before those of pthread keys; at exit(), those of the thread that calls it. */
#include "runtime/rt.h"

int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso);
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *dso);

int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso)
{
    (void)dso;
    hd_rt_prepare();
    struct hd_thread *t = hd_thread_now();
    if (t->n_destructors == HD_MAX_DESTRUCTORS)
        hd_fatal("a thread has more than %u thread_local objects with destructors",
                 HD_MAX_DESTRUCTORS);
    struct hd_destructor *d = &model->destructors[rt->cur][t->n_destructors];
    HD_SET(d->fn, destructor);
    HD_SET(d->object, object);
    HD_SET(t->n_destructors, t->n_destructors + 1);
    return 0;
}

int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *dso)
{
    return __cxa_thread_atexit(destructor, object, dso);
}

void hd_thread_destructors(void)
{
    struct hd_thread *t = hd_thread_now();
    while (t->n_destructors) {
        HD_SET(t->n_destructors, t->n_destructors - 1);
        const struct hd_destructor *d = &model->destructors[rt->cur][t->n_destructors];
        d->fn(d->object);
    }
}
