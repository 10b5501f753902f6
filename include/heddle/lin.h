/* heddle/lin.h - name the operations of a data structure and let heddle do the rest.
 *
 *     #include <heddle/lin.h>
 *     #include "queue.h"
 *
 *     static struct queue *q;
 *
 *     HEDDLE_LIN_SETUP    { q = queue_new(2); }
 *     HEDDLE_LIN_TEARDOWN { queue_free(q); }
 *     HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2)) { return queue_put(q, v); }
 *     HEDDLE_LIN_OP0(get)                        { int v; return queue_get(q, &v) ? v : -1; }
 *
 * `heddle lin FILE.c` runs these operations in two and three threads, in every way, and
 * holds the results against those of the same operations one after the other.  With an
 * ordinary compiler the same file is a stress test.  docs/lin.md has the details.
 *
 * One file of a program includes this header: it defines main(). */
#ifndef HEDDLE_LIN_H
#define HEDDLE_LIN_H

#include <heddle.h>

#include <string.h>

#define HEDDLE_LIN_RESULT_BYTES 64 /* at most, of one result */

struct heddle_lin_op {
    const char *name;
    long (*number)(long a, long b);            /* runs it; NULL: the result is no number */
    void (*run)(long a, long b, void *result); /* runs it; NULL: the result is a number */
    int (*same)(const void *a, const void *b); /* NULL: the bytes are compared */
    unsigned long result_bytes;                /* 0: the operation returns nothing */
    int n_arguments;
    const long *domain[2];
    unsigned long n_domain[2];
    const char *only; /* operations of this tag are called by one thread; NULL: by all */
    int may_fail;     /* it may return `failure` and change nothing, whenever others run */
    long failure;
    struct heddle_lin_op *next;
};

struct heddle_lin_hooks {
    void (*setup)(void), (*teardown)(void);
    void (*thread_setup)(int thread), (*thread_teardown)(int thread);
};

/* What gives the expected results, if not the operations themselves (heddle/lin_model.h). */
struct heddle_lin_model {
    struct heddle_lin_op **ops;
    struct heddle_lin_hooks *hooks;
    int (*thread)(void);
};

static struct heddle_lin_op *heddle_lin_ops, **heddle_lin_last = &heddle_lin_ops;
static struct heddle_lin_hooks heddle_lin_hooks;

/* The domain of an argument. */
#define HEDDLE_IN(...) (__VA_ARGS__)
#define HEDDLE_LIN_BRACES_(...) { __VA_ARGS__ }

/* What runs before main. */
#define HEDDLE_LIN_EARLY_(id)                                                                    \
    static void heddle_lin_early_##id(void) __attribute__((constructor));                        \
    static void heddle_lin_early_##id(void)

#define HEDDLE_LIN_COUNT_(array) (sizeof(array) / sizeof *(array))

/* The table of an operation; how to run it, for numbers, other results, none; and its head.
 * `list` is the list of its parameters, `call` of the arguments. */
#define HEDDLE_LIN_TABLE_(name_, number_, run_, bytes, n, in, n_in, in2, n_in2)                  \
    static struct heddle_lin_op heddle_lin_op_##name_ = {                                        \
        #name_, number_, run_, 0, bytes, n, { in, in2 }, { n_in, n_in2 }, 0, 0, 0, 0             \
    };                                                                                           \
    HEDDLE_LIN_EARLY_(name_)                                                                     \
    {                                                                                            \
        *heddle_lin_last = &heddle_lin_op_##name_;                                               \
        heddle_lin_last = &heddle_lin_op_##name_.next;                                           \
    }

#define HEDDLE_LIN_NUMBER_(name_, list, call)                                                    \
    static long heddle_lin_do_##name_ list;                                                      \
    static long heddle_lin_number_##name_(long a, long b)                                        \
    {                                                                                            \
        (void)a, (void)b;                                                                        \
        return heddle_lin_do_##name_ call;                                                       \
    }

#define HEDDLE_LIN_OTHER_(type, name_, list, call)                                               \
    static type heddle_lin_do_##name_ list;                                                      \
    static void heddle_lin_run_##name_(long a, long b, void *result)                             \
    {                                                                                            \
        (void)a, (void)b;                                                                        \
        (void)sizeof(char[sizeof(type) <= HEDDLE_LIN_RESULT_BYTES ? 1 : -1]);                    \
        type value = heddle_lin_do_##name_ call;                                                 \
        memcpy(result, &value, sizeof value);                                                    \
    }

#define HEDDLE_LIN_NOTHING_(name_, list, call)                                                   \
    static void heddle_lin_do_##name_ list;                                                      \
    static void heddle_lin_run_##name_(long a, long b, void *result)                             \
    {                                                                                            \
        (void)a, (void)b, (void)result;                                                          \
        heddle_lin_do_##name_ call;                                                              \
    }

#define HEDDLE_LIN_TABLE0_(name_, number, run, bytes)                                            \
    HEDDLE_LIN_TABLE_(name_, number, run, bytes, 0, 0, 0, 0, 0)

#define HEDDLE_LIN_TABLE1_(name_, number, run, bytes, in)                                        \
    static const long heddle_lin_in_##name_[] = HEDDLE_LIN_BRACES_ in;                           \
    HEDDLE_LIN_TABLE_(name_, number, run, bytes, 1, heddle_lin_in_##name_,                       \
                      HEDDLE_LIN_COUNT_(heddle_lin_in_##name_), 0, 0)

#define HEDDLE_LIN_TABLE2_(name_, number, run, bytes, in, in2)                                   \
    static const long heddle_lin_in_##name_[] = HEDDLE_LIN_BRACES_ in;                           \
    static const long heddle_lin_in2_##name_[] = HEDDLE_LIN_BRACES_ in2;                         \
    HEDDLE_LIN_TABLE_(name_, number, run, bytes, 2, heddle_lin_in_##name_,                       \
                      HEDDLE_LIN_COUNT_(heddle_lin_in_##name_), heddle_lin_in2_##name_,          \
                      HEDDLE_LIN_COUNT_(heddle_lin_in2_##name_))

/* An operation.  Its body, which follows, returns a number; `parameter` is a declaration
 * such as `int v`, whose values are those of the domain. */
#define HEDDLE_LIN_OP0(name_)                                                                    \
    HEDDLE_LIN_NUMBER_(name_, (void), ())                                                        \
    HEDDLE_LIN_TABLE0_(name_, heddle_lin_number_##name_, 0, sizeof(long))                        \
    static long heddle_lin_do_##name_(void)

#define HEDDLE_LIN_OP(name_, parameter, in)                                                      \
    HEDDLE_LIN_NUMBER_(name_, (parameter), (a))                                                  \
    HEDDLE_LIN_TABLE1_(name_, heddle_lin_number_##name_, 0, sizeof(long), in)                    \
    static long heddle_lin_do_##name_(parameter)

#define HEDDLE_LIN_OP2(name_, parameter, in, parameter2, in2)                                    \
    HEDDLE_LIN_NUMBER_(name_, (parameter, parameter2), (a, b))                                   \
    HEDDLE_LIN_TABLE2_(name_, heddle_lin_number_##name_, 0, sizeof(long), in, in2)               \
    static long heddle_lin_do_##name_(parameter, parameter2)

/* The same with a result of another type of at most HEDDLE_LIN_RESULT_BYTES.  The bytes are
 * compared, padding too, unless HEDDLE_LIN_SAME says how. */
#define HEDDLE_LIN_OP0_OF(type, name_)                                                           \
    HEDDLE_LIN_OTHER_(type, name_, (void), ())                                                   \
    HEDDLE_LIN_TABLE0_(name_, 0, heddle_lin_run_##name_, sizeof(type))                           \
    static type heddle_lin_do_##name_(void)

#define HEDDLE_LIN_OP_OF(type, name_, parameter, in)                                             \
    HEDDLE_LIN_OTHER_(type, name_, (parameter), (a))                                             \
    HEDDLE_LIN_TABLE1_(name_, 0, heddle_lin_run_##name_, sizeof(type), in)                       \
    static type heddle_lin_do_##name_(parameter)

#define HEDDLE_LIN_OP2_OF(type, name_, parameter, in, parameter2, in2)                           \
    HEDDLE_LIN_OTHER_(type, name_, (parameter, parameter2), (a, b))                              \
    HEDDLE_LIN_TABLE2_(name_, 0, heddle_lin_run_##name_, sizeof(type), in, in2)                  \
    static type heddle_lin_do_##name_(parameter, parameter2)

/* The same without a result. */
#define HEDDLE_LIN_VOID0(name_)                                                                  \
    HEDDLE_LIN_NOTHING_(name_, (void), ())                                                       \
    HEDDLE_LIN_TABLE0_(name_, 0, heddle_lin_run_##name_, 0)                                      \
    static void heddle_lin_do_##name_(void)

#define HEDDLE_LIN_VOID(name_, parameter, in)                                                    \
    HEDDLE_LIN_NOTHING_(name_, (parameter), (a))                                                 \
    HEDDLE_LIN_TABLE1_(name_, 0, heddle_lin_run_##name_, 0, in)                                  \
    static void heddle_lin_do_##name_(parameter)

#define HEDDLE_LIN_VOID2(name_, parameter, in, parameter2, in2)                                  \
    HEDDLE_LIN_NOTHING_(name_, (parameter, parameter2), (a, b))                                  \
    HEDDLE_LIN_TABLE2_(name_, 0, heddle_lin_run_##name_, 0, in, in2)                             \
    static void heddle_lin_do_##name_(parameter, parameter2)

/* Are two results of the operation the same?  `a` and `b` are pointers to them:
 *     HEDDLE_LIN_SAME(take, struct item, a, b) { return a->key == b->key; } */
#define HEDDLE_LIN_SAME(name_, type, a, b)                                                       \
    static int heddle_lin_is_##name_(const type *a, const type *b);                              \
    static int heddle_lin_same_##name_(const void *p, const void *q)                             \
    {                                                                                            \
        return heddle_lin_is_##name_((const type *)p, (const type *)q);                          \
    }                                                                                            \
    HEDDLE_LIN_EARLY_(same_##name_) { heddle_lin_op_##name_.same = heddle_lin_same_##name_; }    \
    static int heddle_lin_is_##name_(const type *a, const type *b)

/* Operations with the same tag are called by one thread only: HEDDLE_LIN_ONLY(put,
 * producer). */
#define HEDDLE_LIN_ONLY(name_, tag)                                                              \
    HEDDLE_LIN_EARLY_(only_##name_) { heddle_lin_op_##name_.only = #tag; }

/* The operation may return `value`, and change nothing, whenever other threads run: it is
 * allowed to miss what they do.  HEDDLE_LIN_MAY_FAIL(get, -1) */
#define HEDDLE_LIN_MAY_FAIL(name_, value)                                                        \
    HEDDLE_LIN_EARLY_(may_fail_##name_)                                                          \
    {                                                                                            \
        heddle_lin_op_##name_.may_fail = 1;                                                      \
        heddle_lin_op_##name_.failure = value;                                                   \
    }

/* A new, empty structure; and its end.  The thread that calls operations does what
 * HEDDLE_LIN_THREAD_SETUP(thread) says before its first one, with its number from 0. */
#define HEDDLE_LIN_HOOK_(hook, parameters)                                                       \
    static void heddle_lin_##hook parameters;                                                    \
    HEDDLE_LIN_EARLY_(hook) { heddle_lin_hooks.hook = heddle_lin_##hook; }                       \
    static void heddle_lin_##hook parameters

#define HEDDLE_LIN_SETUP HEDDLE_LIN_HOOK_(setup, (void))
#define HEDDLE_LIN_TEARDOWN HEDDLE_LIN_HOOK_(teardown, (void))
#define HEDDLE_LIN_THREAD_SETUP(thread) HEDDLE_LIN_HOOK_(thread_setup, (int thread))
#define HEDDLE_LIN_THREAD_TEARDOWN(thread) HEDDLE_LIN_HOOK_(thread_teardown, (int thread))

/* The number of the thread that calls the operation: 0, 1, … in the parts that run side by
 * side, and one more than these in the parts before and after. */
static int heddle_lin_thread(void);

#ifndef HEDDLE_LIN_MODEL
#include <heddle/lin_run.h>
#endif

#endif
