/* The vocabulary of visible operations; op.def is the table. */
#ifndef HD_CORE_OP_H
#define HD_CORE_OP_H

#include <stdint.h>

/* For functions that every step calls several times: the compiler would not inline them where
 * it expects a rare path. */
#define HD_HOT static inline __attribute__((always_inline))
/* The same for a function of another file: the runtime's explorer is one module. */
#define HD_HOT_ABROAD __attribute__((always_inline))
/* A rare part of a hot function: it preserves the registers, so that the caller need not. */
#define HD_RARE __attribute__((noinline, preserve_most))

#define HD_MAX_CHOICES 4096 /* of one step */

enum hd_op {
#define HD_OP(name, text, access, space, grant, orders, traits) HD_OP_##name,
#include "core/op.def"
#undef HD_OP
    HD_OP_COUNT
};

enum hd_access { HD_ACCESS_NONE, HD_ACCESS_READ, HD_ACCESS_WRITE, HD_ACCESS_ALL };
enum hd_space { HD_SPACE_NONE, HD_SPACE_MEM, HD_SPACE_SYNC, HD_SPACE_THREAD, HD_N_SPACES };

/* The state of its object in which an operation can be done; core/enabled.h has the
 * encoding. */
enum hd_grant {
    HD_GRANT_ALWAYS,
    HD_GRANT_FREE,        /* nobody holds the lock */
    HD_GRANT_NO_WRITER,   /* no writer holds the rwlock or has preference */
    HD_GRANT_NOBODY,      /* nobody holds the rwlock */
    HD_GRANT_POSITIVE,    /* the semaphore has a unit, the bell rang, the thread ended */
    HD_GRANT_DATA,        /* there is something to read, or nobody will write */
    HD_GRANT_ROOM,        /* there is room to write, or nobody will read */
    HD_GRANT_NOT_RUNNING, /* no thread is inside the once function */
};

/* What an operation does to happens-before; op.def says what the words mean. */
enum hd_orders {
    HD_ORDERS_NOTHING,
    HD_ORDERS_BY_ACTION,
    HD_ORDERS_ACQUIRE,
    HD_ORDERS_RELEASE,
    HD_ORDERS_BOTH,
    HD_ORDERS_ACQUIRE_ALONE,
    HD_ORDERS_RELEASE_EITHER,
    HD_ORDERS_RELEASE_ROUND,
    HD_ORDERS_BOTH_ROUND,
    HD_ORDERS_RELEASE_SECOND,
};

struct hd_op_row {
    const char *text;
    uint8_t access; /* enum hd_access */
    uint8_t space;  /* enum hd_space */
    uint8_t grant;  /* enum hd_grant */
    uint8_t orders; /* enum hd_orders */
};

extern const struct hd_op_row hd_op_table[HD_OP_COUNT];

/* Other properties of operations, or'ed; core/enabled.h has a function for each. */
enum hd_op_trait {
    HD_OPTRAIT_BLOCKS = 1 << 0,        /* may have to wait for the state of its object */
    HD_OPTRAIT_TURNS_OUT = 1 << 1,     /* may have the outcome of the row after it */
    HD_OPTRAIT_EITHER_WAY = 1 << 2,    /* conflicts with the same others either way */
    HD_OPTRAIT_TIMED = 1 << 3,         /* time alone can end it */
    HD_OPTRAIT_ATOMIC = 1 << 4,        /* an atomic access of memory */
    HD_OPTRAIT_OWNED = 1 << 5,         /* waits for the thread that holds its object */
    HD_OPTRAIT_MUTEX = 1 << 6,         /* takes a mutex */
    HD_OPTRAIT_TAKES = 1 << 7,         /* takes a lock exclusively */
    HD_OPTRAIT_GIVES = 1 << 8,         /* releases a lock */
    HD_OPTRAIT_GIVES_SECOND = 1 << 9,  /* its second object is a mutex that it releases */
    HD_OPTRAIT_SYNC_SECOND = 1 << 10,  /* its second object is a synchronisation object */
    HD_OPTRAIT_READS_SECOND = 1 << 11, /* its second object is memory that it reads */
    HD_OPTRAIT_SLEEPS = 1 << 12,       /* afterwards the thread is blocked until it is woken */
    HD_OPTRAIT_WAKES_ONE = 1 << 13,    /* its choice is the thread that it wakes */
    HD_OPTRAIT_WAKES_ALL = 1 << 14,    /* wakes all that sleep on the object */
    HD_OPTRAIT_CANCELLED = 1 << 15,    /* a wait for a state that a cancellation ended */
    HD_OPTRAIT_WOKEN = 1 << 16,        /* the operation of a thread that was woken */
    HD_OPTRAIT_LEAVES = 1 << 17,       /* leaves an object that may be destroyed meanwhile */
    HD_OPTRAIT_FOLLOWS = 1 << 18,      /* only follows from other steps of its thread */
    HD_OPTRAIT_INITS = 1 << 19,        /* makes a synchronisation object */
    HD_OPTRAIT_DESTROYS = 1 << 20,     /* destroys a synchronisation object */
    HD_OPTRAIT_PAUSES = 1 << 21,       /* the thread leaves the processor of its own accord */
    HD_OPTRAIT_FAULT = 1 << 22,        /* a call that may fail (--faults) */
    HD_OPTRAIT_ENDS = 1 << 23,         /* further memory ends with it */
    HD_OPTRAIT_LOOKS = 1 << 24,        /* steps without progress (runtime/polls.c) */
    HD_OPTRAIT_SIMPLE = 1 << 25,       /* frequent, and touches one object (enum hd_simple) */
    HD_OPTRAIT_CANCELS = 1 << 26,      /* wakes the thread that is its object from a wait */
    HD_OPTRAIT_GOES_ON = 1 << 27,      /* its thread goes on: no backtrack point is before it */
    HD_OPTRAIT_FUTEX = 1 << 28,        /* changes the set of threads that sleep at a futex */
};

extern const uint32_t hd_op_traits[HD_OP_COUNT];

/* Of an operation that touches its first object and nothing else, if it has no second: twice
 * its space, and one more if it writes.  0: of others. */
extern const uint8_t hd_op_class[HD_OP_COUNT];

/* Of a SIMPLE operation: what it does to its object, for the fast path of happens-before
 * (explore/order/hb_simple.c). */
enum hd_simple {
    HD_SIMPLE_NOT,    /* others */
    HD_SIMPLE_READS,  /* memory */
    HD_SIMPLE_WRITES, /* memory */
    HD_SIMPLE_GIVES,  /* changes a synchronisation object without waiting for it */
    HD_SIMPLE_LOCKS,  /* changes one, and may have to wait for it */
    HD_SIMPLE_THREAD, /* comes after what was done to a thread before */
    HD_SIMPLE_ENDS,   /* the same, and the stack of the thread ends */
};
extern const uint8_t hd_op_simple[HD_OP_COUNT];

/* The operation with that text, or HD_OP_COUNT. */
enum hd_op hd_op_by_text(const char *text);

#endif
