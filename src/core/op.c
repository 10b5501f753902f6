#include "core/op.h"

#include <string.h>

const struct hd_op_row hd_op_table[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space, grant, orders, traits)                                  \
    [HD_OP_##name] = { text, HD_ACCESS_##access, HD_SPACE_##space, HD_GRANT_##grant,             \
                       HD_ORDERS_##orders },
#include "core/op.def"
#undef HD_OP
};

/* The words of the last column of op.def. */
enum {
    BLOCKS = HD_OPTRAIT_BLOCKS,
    TURNS_OUT = HD_OPTRAIT_TURNS_OUT,
    EITHER_WAY = HD_OPTRAIT_EITHER_WAY,
    TIMED = HD_OPTRAIT_TIMED,
    ATOMIC = HD_OPTRAIT_ATOMIC,
    OWNED = HD_OPTRAIT_OWNED,
    MUTEX = HD_OPTRAIT_MUTEX,
    TAKES = HD_OPTRAIT_TAKES,
    GIVES = HD_OPTRAIT_GIVES,
    GIVES_SECOND = HD_OPTRAIT_GIVES_SECOND,
    SYNC_SECOND = HD_OPTRAIT_SYNC_SECOND,
    READS_SECOND = HD_OPTRAIT_READS_SECOND,
    SLEEPS = HD_OPTRAIT_SLEEPS,
    WAKES_ONE = HD_OPTRAIT_WAKES_ONE,
    WAKES_ALL = HD_OPTRAIT_WAKES_ALL,
    CANCELLED = HD_OPTRAIT_CANCELLED,
    WOKEN = HD_OPTRAIT_WOKEN,
    LEAVES = HD_OPTRAIT_LEAVES,
    FOLLOWS = HD_OPTRAIT_FOLLOWS,
    INITS = HD_OPTRAIT_INITS,
    DESTROYS = HD_OPTRAIT_DESTROYS,
    PAUSES = HD_OPTRAIT_PAUSES,
    FAULT = HD_OPTRAIT_FAULT,
    ENDS = HD_OPTRAIT_ENDS,
    LOOKS = HD_OPTRAIT_LOOKS,
    SIMPLE = HD_OPTRAIT_SIMPLE,
    CANCELS = HD_OPTRAIT_CANCELS,
    GOES_ON = HD_OPTRAIT_GOES_ON,
    FUTEX = HD_OPTRAIT_FUTEX,
};

const uint32_t hd_op_traits[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space, grant, orders, traits) [HD_OP_##name] = traits,
#include "core/op.def"
#undef HD_OP
};

#define CLASS(access, space, traits)                                                             \
    ((traits) & ENDS               ? 0                                                           \
     : (access) == HD_ACCESS_READ  ? 2 * (space)                                                 \
     : (access) == HD_ACCESS_WRITE ? 2 * (space) + 1                                             \
                                   : 0)
const uint8_t hd_op_class[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space, grant, orders, traits)                                  \
    [HD_OP_##name] = CLASS(HD_ACCESS_##access, HD_SPACE_##space, traits),
#include "core/op.def"
#undef HD_OP
};

#define SIMPLE_KIND(access, space, traits)                                                        \
    (!((traits) & SIMPLE)       ? HD_SIMPLE_NOT                                                   \
     : (space) == HD_SPACE_MEM  ? (access) == HD_ACCESS_READ ? HD_SIMPLE_READS : HD_SIMPLE_WRITES \
     : (space) == HD_SPACE_SYNC ? (traits) & BLOCKS ? HD_SIMPLE_LOCKS : HD_SIMPLE_GIVES           \
     : (traits) & ENDS          ? HD_SIMPLE_ENDS                                                  \
                                : HD_SIMPLE_THREAD)
const uint8_t hd_op_simple[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space, grant, orders, traits)                                  \
    [HD_OP_##name] = SIMPLE_KIND(HD_ACCESS_##access, HD_SPACE_##space, traits),
#include "core/op.def"
#undef HD_OP
};

/* The order of rows that code relies on: accesses of one place of memory that cannot fail come
 * first, and outcomes stand after their attempts. */
_Static_assert(HD_OP_READ == 1 && HD_OP_WRITE == 2 && HD_OP_ATOMIC_READ == 3 &&
                   HD_OP_ATOMIC_WRITE == 4 && HD_OP_RMW == 5,
               "the simple accesses of memory are the first rows");
#define AFTER(attempt, outcome)                                                                  \
    _Static_assert(HD_OP_##outcome == HD_OP_##attempt + 1, #outcome " stands after " #attempt)
AFTER(CAS, CAS_FAIL);
AFTER(TRYLOCK, TRYLOCK_FAIL);
AFTER(TIMEDLOCK, TIMEDLOCK_FAIL);
AFTER(WAIT, WAIT_CANCELLED);
AFTER(WAKE, TIMEOUT);
AFTER(TRYRDLOCK, TRYRDLOCK_FAIL);
AFTER(TIMEDRDLOCK, TIMEDRDLOCK_FAIL);
AFTER(TRYWRLOCK, TRYWRLOCK_FAIL);
AFTER(TIMEDWRLOCK, TIMEDWRLOCK_FAIL);
AFTER(SPIN_TRYLOCK, SPIN_TRYLOCK_FAIL);
AFTER(SEM_WAIT, SEM_CANCELLED);
AFTER(SEM_TRYWAIT, SEM_TRYWAIT_FAIL);
AFTER(SEM_TIMEDWAIT, SEM_TIMEDWAIT_FAIL);
AFTER(ARRIVE, ARRIVE_LAST);
AFTER(ONCE, ONCE_SEEN);
AFTER(FUTEX_WAIT, FUTEX_AGAIN);
AFTER(FUTEX_WAKE, FUTEX_WAKE_ALL);
AFTER(FUTEX_REQUEUE, FUTEX_UNEQUAL);
AFTER(JOIN_NOW, JOIN_NOW_FAIL);
AFTER(CANCEL_POINT, CANCEL_POINT_PASS);
AFTER(SIGNAL_POINT, SIGNAL_POINT_PASS);
AFTER(IO_READ, IO_READ_CANCELLED);
AFTER(IO_TRYREAD, IO_TRYREAD_FAIL);
AFTER(IO_WRITE, IO_WRITE_CANCELLED);
AFTER(IO_TRYWRITE, IO_TRYWRITE_FAIL);
AFTER(IO_TIMEDAWAIT, IO_TIMEDAWAIT_FAIL);
AFTER(FAULT_MALLOC, FAULT_IO);
AFTER(FAULT_IO, FAULT_CREATE);
AFTER(FAULT_CREATE, FAULT_CAS);

enum hd_op hd_op_by_text(const char *text)
{
    for (unsigned op = 0; op < HD_OP_COUNT; op++)
        if (strcmp(hd_op_table[op].text, text) == 0)
            return (enum hd_op)op;
    return HD_OP_COUNT;
}
