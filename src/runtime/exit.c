/* The end of the process as in C: exit runs the handlers in reverse order, then the process
 * ends whatever other threads do; _exit ends it at once; abort is a violation.
 *
 * Handlers registered by the program are kept here, in model memory, because an exploration
 * ends many times.  Those of shared libraries stay with libc. */
#include "runtime/exception.h"
#include "runtime/fdstream.h"
#include "runtime/heap.h"

#include "core/site.h"

#undef NDEBUG
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__dso_handle;
extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
void __heddle_opaque(uint32_t site);
typedef void (*fini_fn)(void);
extern const fini_fn __fini_array_start[] __attribute__((weak));
extern const fini_fn __fini_array_end[] __attribute__((weak));

/* Is that exit status a violation? */
static bool is_wrong(int status)
{
    return (status & 0xff) != (rt->shared->options.expect_exit & 0xff);
}

/* The program is over with `status`. */
static _Noreturn void ended(int status, uint32_t site)
{
    if (rt->mode == HD_PLAIN) {
        ((void (*)(int))(uintptr_t)hd_real("exit"))(status);
    }
    rt->shared->ctl.exit_status = (uint32_t)status & 0xff;
    if (is_wrong(status))
        hd_violation(HD_KIND_ABORT, site,
                     "the program ends with exit status %d (right? --expect-exit %d)",
                     status & 0xff, status & 0xff);
    if (rt->shared->options.leaks)
        hd_heap_leaks(site);
    hd_engine_ended(NULL);
}

/* The step that ends the process. Its size tells the search over graphs, which goes on without
 * a thread whose end is wrong, and is through with the execution after a right one. */
static void announce_end(int status, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_END, NULL, NULL, is_wrong(status), site);
}

static size_t n_destructors(void)
{
    /* the first entry is the C start-up code's own */
    size_t n = (size_t)(__fini_array_end - __fini_array_start);
    return rt->mode == HD_PLAIN || n == 0 ? 0 : n - 1;
}

/* The destructor of an object of a shared library, registered by the program: its effects are
 * unknown. */
static void announce(const struct hd_exit_handler *h, uint32_t site)
{
    extern const char __executable_start[], etext[];
    uint64_t at = (uint64_t)(uintptr_t)h->fn;
    if (at < (uint64_t)(uintptr_t)__executable_start || at >= (uint64_t)(uintptr_t)etext)
        __heddle_opaque(site);
}

bool hd_exit_has_handlers(void) { return model->n_exit_handlers || n_destructors(); }

bool hd_exit_may_have_more(void)
{
    return __start_heddle_info && __start_heddle_info->adds_exit_handlers;
}

/* The step of adding a handler or looking for the next one. */
static void touch_handlers(uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_OUTSIDE, &model->exiting, NULL, 0, site);
}

/* The first thread to exit runs the handlers.  If a handler, or a second thread, exits again,
 * the process ends without the remaining handlers. */
static void run_handlers(int status, uint32_t site)
{
    if (hd_exit_has_handlers() || hd_exit_may_have_more())
        touch_handlers(site);
    if (model->exiting)
        return;
    HD_SET(model->exiting, 1ull + rt->cur);
    while (model->n_exit_handlers) {
        HD_SET(model->n_exit_handlers, model->n_exit_handlers - 1);
        struct hd_exit_handler *h = &model->exit_handlers[model->n_exit_handlers];
        announce(h, site);
        if (h->with_status)
            ((void (*)(int, void *))(uintptr_t)h->fn)(status, h->arg);
        else
            h->fn(h->arg);
        if (hd_exit_may_have_more())
            touch_handlers(site);
    }
    for (size_t n = n_destructors(); n > 0; n--)
        __fini_array_start[n]();
}

void hd_exit(int status)
{
    uint32_t site = hd_take_site();
    if (HD_UNLIKELY(hd_thread_now()->n_destructors || hd_exit_has_handlers() ||
                    hd_exit_may_have_more())) {
        hd_thread_destructors();
        run_handlers(status, site);
    }
    if (HD_UNLIKELY(hd_fdstream_any()))
        hd_fdstream_flush_all(site);
    announce_end(status, site);
    ended(status, site);
}

/* The ends of threads commute.  So without handlers the process ends together with the last
 * thread, without a step of its own, which would belong to one thread or another. */
void hd_exit_last(void)
{
    if (!hd_exit_has_handlers())
        ended(0, hd_take_site());
    if (rt->shared)
        rt->shared->cnt.last_runs_handlers = 1;
    hd_exit(0);
}

void exit(int status) { hd_exit(status); }

void _exit(int status)
{
    uint32_t site = hd_take_site();
    if (!hd_ready || rt->mode == HD_PLAIN) {
        hd_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
        __builtin_unreachable();
    }
    announce_end(status, site);
    ended(status, site);
}

void _Exit(int status) { _exit(status); }

int at_quick_exit(void (*fn)(void))
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    touch_handlers(site);
    uint64_t n = model->n_quick_handlers;
    if (n == sizeof model->quick_handlers / sizeof model->quick_handlers[0])
        return -1;
    HD_SET(model->quick_handlers[n], fn);
    HD_SET(model->n_quick_handlers, n + 1);
    return 0;
}

void quick_exit(int status)
{
    uint32_t site = __heddle_call_site; /* _exit takes it */
    if (model->n_quick_handlers || hd_exit_may_have_more())
        touch_handlers(site);
    while (model->n_quick_handlers) {
        HD_SET(model->n_quick_handlers, model->n_quick_handlers - 1);
        model->quick_handlers[model->n_quick_handlers]();
        if (hd_exit_may_have_more())
            touch_handlers(site);
    }
    _exit(status);
}

static int add_handler(struct hd_exit_handler handler, uint32_t site)
{
    touch_handlers(site);
    uint64_t n = model->n_exit_handlers;
    if (n == sizeof model->exit_handlers / sizeof model->exit_handlers[0])
        hd_fatal("the program registers more than %llu exit handlers", (unsigned long long)n);
    hd_log_range(&model->exit_handlers[n], sizeof model->exit_handlers[n]);
    model->exit_handlers[n] = handler;
    HD_SET(model->n_exit_handlers, n + 1);
    return 0;
}

int __cxa_atexit(void (*fn)(void *), void *arg, void *dso);
int __cxa_atexit(void (*fn)(void *), void *arg, void *dso)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (dso && dso != __dso_handle) {
        int (*real)(void (*)(void *), void *, void *) =
            (int (*)(void (*)(void *), void *, void *))(uintptr_t)hd_real("__cxa_atexit");
        return real(fn, arg, dso);
    }
    return add_handler((struct hd_exit_handler){ fn, arg, 0 }, site);
}

int atexit(void (*fn)(void)) { return __cxa_atexit((void (*)(void *))(uintptr_t)fn, NULL, NULL); }

int on_exit(void (*fn)(int, void *), void *arg)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return add_handler((struct hd_exit_handler){ (void (*)(void *))(uintptr_t)fn, arg, 1 }, site);
}

void abort(void)
{
    uint32_t site = hd_take_site();
    if (hd_ready && !rt->solo_fast)
        hd_act(HD_OP_SIGNAL_LOOK, &model->signals, NULL, 0, site);
    void (*handler)(int) = model->signals.dispositions[SIGABRT].handler;
    if (handler != SIG_DFL && handler != SIG_IGN)
        handler(SIGABRT);
    char text[300];
    if (hd_exception_uncaught(__builtin_return_address(0), text, sizeof text))
        hd_violation(HD_KIND_ABORT, site, "%s", text);
    hd_violation(HD_KIND_ABORT, site, "abort() called");
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    uint32_t site = hd_take_site();
    hd_violation_at(site, file, line, function, "assertion `%s' failed", condition);
}

void heddle_assert_fail(const char *condition, const char *file, int line, const char *function);
void heddle_assert_fail(const char *condition, const char *file, int line, const char *function)
{
    uint32_t site = hd_take_site();
    hd_violation_at(site, file, (uint32_t)line, function, "assertion `%s' failed", condition);
}

_Noreturn void heddle_precondition_failed(const char *condition);
void heddle_precondition_failed(const char *condition)
{
    hd_violation(HD_KIND_ASSERTION, hd_take_site(),
                 "a precondition of the C++ library does not hold: `%s'", condition);
}
