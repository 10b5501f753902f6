/* heddle.h - what a program under test may say to heddle.
 *
 * Without heddle (an ordinary compiler) everything here is a no-op or its obvious meaning, so a
 * program may include it unconditionally. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __HEDDLE__

/* Fails the run when `condition` is false, whether NDEBUG is defined or not. */
#define heddle_assert(condition)                                                                 \
    ((condition) ? (void)0 : heddle_assert_fail(#condition, __FILE__, __LINE__, __func__))
void heddle_assert_fail(const char *condition, const char *file, int line, const char *function);

/* `holds` must return non-zero in every state from now on.  It runs between two steps, may read
 * everything and must change nothing: anything but reading, and writing its own local
 * variables, is a misuse.  Thread-local variables are main's. */
void heddle_invariant(int (*holds)(void));

/* A value from 0 to n - 1: heddle tries all of them. */
int heddle_choose(int n);

/* A run in which `condition` is false is not considered from here on, which is no violation.
 * What goes wrong before that counts, also in other threads that run between this thread's last
 * step and the assumption. */
void heddle_assume(int condition);

/* What stands between the two is one step: no other thread runs in between. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* A place that must not be reached: coming here is a violation of kind `target`. */
void heddle_target(void);

/* What an execution has come to: the distinct values of these bytes, over all executions, are
 * counted (`observations` in the JSON result), so that two searches can be compared. */
void heddle_observe(const void *bytes, unsigned long n);

/* When no thread can move, `allowed` is called.  If it returns non-zero, the run is over, and
 * the deadlock is no violation.  It may look at everything, and must not wait. */
void heddle_allow_deadlock(int (*allowed)(void));

/* Calls call(argument), and returns 0 when the call has returned.  If it would wait for ever
 * because there is no other thread, it is taken back and the result is 1; only local variables
 * of the callers that it has changed keep what it wrote. */
int heddle_blocks(void (*call)(void *argument), void *argument);

#else

#include <stdio.h>
#include <stdlib.h>
#define heddle_assert(condition)                                                                 \
    ((condition)                                                                                 \
         ? (void)0                                                                               \
         : (fprintf(stderr, "%s:%d: assertion `%s' failed\n", __FILE__, __LINE__, #condition),   \
            abort()))
#define heddle_invariant(holds) ((void)(holds))
#define heddle_choose(n) ((void)(n), 0)
#define heddle_assume(condition) ((void)(condition))
#define heddle_atomic_begin() ((void)0)
#define heddle_atomic_end() ((void)0)
#define heddle_target() ((void)0)
#define heddle_allow_deadlock(allowed) ((void)(allowed))
#define heddle_blocks(call, argument) ((call)(argument), 0)
#define heddle_observe(bytes, n) ((void)(bytes), (void)(n))

#endif

#ifdef __cplusplus
}
#endif

#endif
