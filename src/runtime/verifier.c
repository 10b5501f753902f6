/* The functions of the software verification competition (SV-COMP), as far as they have a meaning
 * here.  A value of which there are more than can be tried is refused, not guessed. */
#include "runtime/rt.h"

#define __HEDDLE__ 1
#include "heddle.h"

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

_Bool __VERIFIER_nondet_bool(void) { return heddle_choose(2) != 0; }
void __VERIFIER_atomic_begin(void) { heddle_atomic_begin(); }
void __VERIFIER_atomic_end(void) { heddle_atomic_end(); }

#define HD_NONDET(name)                                                                          \
    long __VERIFIER_nondet_##name(void);                                                         \
    long __VERIFIER_nondet_##name(void)                                                          \
    {                                                                                            \
        char place[300];                                                                         \
        hd_site_text(hd_take_site(), place, sizeof place);                                       \
        hd_fatal("%s: __VERIFIER_nondet_" #name "() has too many values to be tried: use "       \
                 "heddle_choose(n)",                                                             \
                 place);                                                                         \
    }
HD_NONDET(char)
HD_NONDET(uchar)
HD_NONDET(short)
HD_NONDET(ushort)
HD_NONDET(int)
HD_NONDET(uint)
HD_NONDET(long)
HD_NONDET(ulong)
HD_NONDET(pointer)
