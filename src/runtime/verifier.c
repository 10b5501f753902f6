/* The functions of the software verification competition (SV-COMP) that have a meaning here.  A
 * value with too many possibilities is refused, not guessed: --nondet gives a range, all of
 * which is tried. */
#include "runtime/rt.h"

#include <limits.h>

#define __HEDDLE__ 1
#include "heddle.h"

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int holds);
void __VERIFIER_error(void);
void reach_error(void) __attribute__((weak));

_Bool __VERIFIER_nondet_bool(void) { return heddle_choose(2) != 0; }
void __VERIFIER_atomic_begin(void) { heddle_atomic_begin(); }
void __VERIFIER_atomic_end(void) { heddle_atomic_end(); }
void __VERIFIER_assume(int holds) { heddle_assume(holds != 0); }

void __VERIFIER_error(void)
{
    hd_violation(HD_KIND_ASSERTION, hd_take_site(), "__VERIFIER_error() reached");
}

void reach_error(void)
{
    hd_violation(HD_KIND_ASSERTION, hd_take_site(), "reach_error() reached");
}

/* A value of the range asked for that the type can hold. */
static int64_t value_of(const char *type, int64_t least, int64_t most)
{
    const struct hd_nondet *range = rt->shared ? &rt->shared->options.nondet : NULL;
    if (!range || !range->given) {
        if (rt->mode == HD_PLAIN)
            return 0;
        char place[300];
        hd_site_text(hd_take_site(), place, sizeof place);
        hd_fatal("%s: __VERIFIER_nondet_%s() has too many values to be tried: give a range with "
                 "--nondet LO..HI, or use heddle_choose(n)",
                 place, type);
    }
    int64_t low = range->low > least ? range->low : least;
    int64_t high = range->high < most ? range->high : most;
    if (low > least || high < most)
        rt->shared->cnt.nondet_cut = 1;
    if (low > high)
        heddle_assume(0); /* no value of the type is among those to be tried */
    return low + heddle_choose((int)(high - low + 1));
}

#define HD_NONDET(name, type, least, most)                                                       \
    type __VERIFIER_nondet_##name(void);                                                         \
    type __VERIFIER_nondet_##name(void) { return (type)value_of(#name, least, most); }
HD_NONDET(char, char, CHAR_MIN, CHAR_MAX)
HD_NONDET(uchar, unsigned char, 0, UCHAR_MAX)
HD_NONDET(short, short, SHRT_MIN, SHRT_MAX)
HD_NONDET(ushort, unsigned short, 0, USHRT_MAX)
HD_NONDET(int, int, INT_MIN, INT_MAX)
HD_NONDET(uint, unsigned, 0, UINT_MAX)
HD_NONDET(unsigned, unsigned, 0, UINT_MAX)
HD_NONDET(long, long, LONG_MIN, LONG_MAX)
HD_NONDET(ulong, unsigned long, 0, LONG_MAX) /* more than the range can name */
HD_NONDET(longlong, long long, LONG_MIN, LONG_MAX)
HD_NONDET(ulonglong, unsigned long long, 0, LONG_MAX)
HD_NONDET(size_t, size_t, 0, LONG_MAX)
HD_NONDET(u8, uint8_t, 0, UINT8_MAX)
HD_NONDET(u16, uint16_t, 0, UINT16_MAX)
HD_NONDET(u32, uint32_t, 0, UINT32_MAX)
HD_NONDET(u64, uint64_t, 0, LONG_MAX)
HD_NONDET(unsigned_char, unsigned char, 0, UCHAR_MAX)
HD_NONDET(loff_t, long, LONG_MIN, LONG_MAX)
HD_NONDET(sector_t, unsigned long, 0, LONG_MAX)
/* whole numbers only: never all values */
HD_NONDET(float, float, LONG_MIN, LONG_MAX)
HD_NONDET(double, double, LONG_MIN, LONG_MAX)

/* A pointer has no range of values. */
static _Noreturn void refuse(const char *function)
{
    char place[300];
    hd_site_text(hd_take_site(), place, sizeof place);
    hd_fatal("%s: %s() has no values that could be tried", place, function);
}

void *__VERIFIER_nondet_pointer(void);
char *__VERIFIER_nondet_pchar(void);
void *__VERIFIER_nondet_pointer(void) { refuse("__VERIFIER_nondet_pointer"); }
char *__VERIFIER_nondet_pchar(void) { refuse("__VERIFIER_nondet_pchar"); }
