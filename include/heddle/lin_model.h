/* heddle/lin_model.h - a simple sequential implementation of the operations in another file.
 *
 *     #include <heddle/lin_model.h>
 *
 *     static int items[2], n;
 *
 *     HEDDLE_LIN_SETUP { n = 0; }
 *     HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2)) { … }
 *     HEDDLE_LIN_OP0(get) { if (n == 0) heddle_lin_wait(); … }
 *
 * `heddle lin --model MODEL.c FILE.c` takes the results of these operations, one after the
 * other, for the expected ones.  They have the names, arguments and types of results of those
 * in FILE.c; their domains do not count. */
#ifndef HEDDLE_LIN_MODEL_H
#define HEDDLE_LIN_MODEL_H

#define HEDDLE_LIN_MODEL 1
#include <heddle/lin.h>

struct heddle_lin_model heddle_lin_model = { &heddle_lin_ops, &heddle_lin_hooks, 0 };

__attribute__((unused)) static int heddle_lin_thread(void) { return heddle_lin_model.thread(); }

/* In an operation: here it waits for ever if no other one comes.  It must not have changed
 * anything before. */
__attribute__((unused)) static void heddle_lin_wait(void)
{
    static int come;
    while (!__atomic_load_n(&come, __ATOMIC_SEQ_CST))
        ;
}

#endif
