/* A generated program: a small syntax tree.  It is rendered as C (render.h) and lowered for the
 * interpreter (lower.h); the two share nothing but this tree.
 *
 * Nothing in tests/oracle may include anything of src/: the oracle is the second opinion. */
#ifndef ORC_PROGRAM_H
#define ORC_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define ORC_MAX_THREADS 4 /* with main, which is thread 0 */
#define ORC_MAX_LOCALS 3
#define ORC_MAX_VARS 8
#define ORC_MAX_MUTEXES 2
#define ORC_MAX_CONDS 2
#define ORC_MAX_RWLOCKS 2
#define ORC_MAX_SEMS 2
#define ORC_MAX_STMTS 256
#define ORC_MAX_BYTES 80 /* of shared memory, with `obs` */

/* Shared variables, laid out in this order in one struct. */
enum orc_var {
    ORC_INT,
    ORC_CHAR,
    ORC_SHORT,
    ORC_MIX, /* 8 bytes seen as one long, two ints, four shorts, eight bytes, or bytes 3 and 4 */
    ORC_ATOMIC_INT,
    ORC_ATOMIC_CHAR,
    ORC_BITS, /* a byte of two bit-fields: 3 bits, 5 bits */
};

enum orc_mutex { ORC_NORMAL, ORC_RECURSIVE, ORC_ERRORCHECK };

/* Bytes [at, at + size) of a variable. */
struct orc_ref {
    uint8_t var, at, size;
};

enum orc_expr_kind { ORC_CONST, ORC_LOCAL, ORC_ADD, ORC_XOR, ORC_TWICE };

struct orc_expr { /* k; a; a + k; a ^ b; 2 * a + k: all modulo 2^32 */
    uint8_t kind, a, b;
    uint32_t k;
};

enum orc_cmp { ORC_EQ, ORC_NE, ORC_LT, ORC_GE };
enum orc_rmw { ORC_RMW_ADD, ORC_RMW_SUB, ORC_RMW_OR, ORC_RMW_XOR, ORC_RMW_XCHG };

/* Memory orders of atomic accesses and fences.  What names none is seq_cst. */
enum orc_order { ORC_SEQ_CST, ORC_RELAXED, ORC_ACQUIRE, ORC_RELEASE, ORC_ACQ_REL };

static inline bool orc_order_acquires(uint8_t order)
{
    return order == ORC_SEQ_CST || order == ORC_ACQUIRE || order == ORC_ACQ_REL;
}

static inline bool orc_order_releases(uint8_t order)
{
    return order == ORC_SEQ_CST || order == ORC_RELEASE || order == ORC_ACQ_REL;
}

enum orc_stmt_kind {
    ORC_READ,        /* local = ref */
    ORC_WRITE,       /* ref = expr */
    ORC_UPDATE,      /* ref = ref2 + k */
    ORC_BITS_READ,   /* local = bit-field `object` of ref */
    ORC_BITS_WRITE,  /* bit-field `object` of ref = expr: reads the byte, writes the byte */
    ORC_COPY,        /* ref = ref2, of ORC_MIX: a copy of a whole union, in one step */
    ORC_FILL,        /* all bytes of ref, an ORC_MIX, become k, in one step */
    ORC_ATOMIC_LOAD, /* local = atomic_load(ref) */
    ORC_ATOMIC_STORE,
    ORC_ATOMIC_RMW, /* local = the old value; blind: nobody gets it */
    ORC_ATOMIC_CAS, /* local = success; expr: expected, k: desired */
    ORC_FENCE,      /* a thread fence of that order: no step, since every run is one order */
    ORC_LOCK,       /* object: mutex */
    ORC_LOCK_AGAIN, /* local = the call returned EDEADLK */
    ORC_UNLOCK,
    ORC_TRYLOCK,   /* body when it was taken, else other */
    ORC_WAIT,      /* object: condition; object2: mutex */
    ORC_WAIT_LOOP, /* at most k2 waits, while ref cmp k */
    ORC_SIGNAL,
    ORC_BROADCAST,
    ORC_TIMEDLOCK, /* as ORC_TRYLOCK; the clock moves when it was not taken */
    ORC_TIMEDWAIT, /* as ORC_WAIT; local = the time ran out */
    ORC_RDLOCK,    /* object: read-write lock */
    ORC_WRLOCK,
    ORC_RWUNLOCK,
    ORC_TRYRDLOCK, /* the branches of these are those of ORC_TRYLOCK and ORC_TIMEDLOCK */
    ORC_TRYWRLOCK,
    ORC_TIMEDRDLOCK,
    ORC_TIMEDWRLOCK,
    ORC_SEM_WAIT, /* object: semaphore */
    ORC_SEM_POST,
    ORC_SEM_TRYWAIT,
    ORC_SEM_TIMEDWAIT,
    ORC_BARRIER, /* local = this thread was told to be the serial one */
    ORC_CHOOSE,  /* local = one of k values */
    ORC_YIELD,
    ORC_SET,     /* local = expr */
    ORC_IF,      /* a local cmp k: body, else other */
    ORC_IF_REF,  /* ref cmp k: body, else other */
    ORC_LOOP,    /* k times: body */
    ORC_ASSERT,  /* local cmp k */
    ORC_ASSUME,  /* local cmp k */
    ORC_SECTION, /* body, as one step */
    ORC_CREATE,  /* object: thread */
    ORC_JOIN,
    ORC_DETACH,
};

#define ORC_NONE 0xffffu

struct orc_stmt {
    uint8_t kind;
    uint8_t local, object, object2;
    uint8_t cmp, rmw, blind;
    uint8_t order, order2; /* enum orc_order; order2: of a compare-exchange that fails */
    struct orc_ref ref, ref2;
    struct orc_expr expr;
    uint32_t k, k2;
    uint16_t body, other, next; /* ORC_NONE: empty, last */
    uint32_t line;              /* in the C text: set by the renderer */
};

/* What is taken for independent beside what touches nothing in common. */
enum orc_finer {
    ORC_FINER_RMW = 1, /* blind read-modify-writes of one kind of the same bytes */
    /* Stores that are unseen: the next step of the run that touches one of their bytes is a store
     * of the same ones.  Those of the same bytes are independent.  The end of a run sees all, and
     * so does a thread that has joined all others. */
    ORC_FINER_OBSERVERS = 2,
};

/* A predicate over single bytes of the shared memory (invariant.h). */
enum orc_invariant_kind {
    ORC_INV_VALUE,    /* byte a is not k */
    ORC_INV_NOT_BOTH, /* a is not k, or b is not k2: b is read only if a is k */
    ORC_INV_SUM,      /* a + b < k + 2 */
    ORC_INV_ELEMENT,  /* the byte (a & mask) after b is not k: which one is read depends on a */
    ORC_INV_NOTHING,  /* holds, and reads nothing */
    ORC_INV_KINDS,
};
#define ORC_MAX_INVARIANTS 2
struct orc_invariant {
    uint8_t kind, a, b, k, k2, mask;
};

struct orc_program {
    uint64_t seed;
    uint8_t finer; /* enum orc_finer */
    uint32_t n_threads, n_vars, n_mutexes, n_conds, n_stmts;
    uint8_t vars[ORC_MAX_VARS];
    uint8_t mutexes[ORC_MAX_MUTEXES];
    uint8_t cond_mutex[ORC_MAX_CONDS]; /* every wait on a condition uses this mutex */
    uint32_t n_rwlocks, n_sems;
    uint8_t sem_value[ORC_MAX_SEMS]; /* at first */
    uint8_t barrier;                 /* threads that it waits for; 0: there is none */
    uint16_t body[ORC_MAX_THREADS];
    bool packed;    /* variables lie where they come, aligned or not; none is atomic */
    bool sections;  /* there are atomic sections */
    bool undoes;    /* … that assume something */
    bool joins_all; /* when main returns no other thread exists */
    bool inits;     /* main initialises mutexes and conditions by calls, before any thread */
    bool destroys;  /* main destroys them, after every join */
    /* The thread ends by pthread_exit instead of by returning; of main: others go on. */
    bool exits[ORC_MAX_THREADS];
    uint8_t n_invariants;
    struct orc_invariant invariants[ORC_MAX_INVARIANTS];
    /* Steps that write one of these bytes depend on each other: an invariant reads them. */
    uint8_t watched[ORC_MAX_BYTES];
    struct orc_stmt stmts[ORC_MAX_STMTS];
};

struct orc_layout {
    uint8_t offset[ORC_MAX_VARS];
    uint8_t obs;  /* offset of `unsigned obs`, where main leaves its locals */
    uint8_t size; /* of the whole struct */
};

/* Has it steps with alternatives of which one may break the program and others not?  A thread that
 * has broken it does not fall asleep, so the other alternatives are explored again. */
bool orc_program_chooses(const struct orc_program *p);

/* Has it something that orders accesses in an interleaving and not by happens-before: an access
 * weaker than seq_cst, an attempt that may fail, a signal? */
bool orc_program_weak(const struct orc_program *p);

/* "rmw", "observers", "rmw,observers"; 0: none of these. */
uint8_t orc_finer_by_name(const char *name);

uint32_t orc_var_size(enum orc_var kind);
bool orc_var_atomic(enum orc_var kind);
void orc_layout(const struct orc_program *p, struct orc_layout *out);

#define ORC_BITS_SHIFT(field) ((field) ? 3 : 0)
#define ORC_BITS_MASK(field) ((field) ? 0xf8u : 0x07u)

/* What main stores into obs: its locals in one word. */
#define ORC_PACK(l0, l1, l2) ((l0) ^ (l1) * 257u ^ (l2) * 65537u)

#endif
