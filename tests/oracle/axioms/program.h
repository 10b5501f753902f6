/* A small program for the judge, and its text.
 *
 *   # a comment                       to the end of the line
 *   loc x y=2                         integers in memory; 0 unless said otherwise
 *   mutex m                           unlocked
 *   sem s=1                           its value; 0 unless said otherwise
 *   cond c
 *   barrier b=2                       for so many threads; 1 unless said otherwise
 *   thread                            the statements that follow are one thread's
 *     r0 = load x ORDER               ORDER: plain relaxed consume acquire release acq_rel
 *                                     seq_cst
 *     store x VALUE ORDER             VALUE: a number or a register
 *     r1 = add x VALUE ORDER          fetch-and-add; the register gets the old value
 *     r1 = xchg x VALUE ORDER
 *     r1 = cas x OLD NEW ORDER ORDER  strong; the register gets the value that was read, so
 *                                     r1 == OLD says it succeeded; second order: of a failure
 *     r1 = weak x OLD NEW ORDER ORDER a weak one, which may fail for no reason; 1: it succeeded
 *     fence ORDER
 *     lock m / unlock m / r2 = trylock m      1: it has the lock
 *     post s / wait s / r2 = trywait s        1: it has taken one
 *     cwait c m / signal c / broadcast c
 *     arrive b
 *     r3 = VALUE + VALUE              also - ^ & ; without a second value: a copy
 *     if r0 == VALUE                  also !=
 *     else
 *     end
 *   exists 1:r0=0 x=2                 an outcome: does some complete graph end so?  At the end
 *
 * Registers are a thread's own, r0 to r15, and begin as 0.  Main creates all threads and joins
 * them. The statements of a thread are numbered from 1 in the order of the text; if, else and
 * end have no number.  "2:3" is the third statement of the second thread. */
#ifndef AX_PROGRAM_H
#define AX_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define AX_THREADS 16
#define AX_PLACES 24 /* locations, then objects */
#define AX_REGISTERS 16
#define AX_CODE 96 /* instructions of a thread */
#define AX_NAME 16
#define AX_NO_REGISTER 0xff
#define AX_WISHES 16

enum ax_order { AX_PLAIN, AX_RELAXED, AX_ACQUIRE, AX_RELEASE, AX_ACQ_REL, AX_SEQ_CST };

enum ax_place_kind { AX_LOCATION, AX_MUTEX, AX_SEMAPHORE, AX_CONDITION, AX_ROUNDS };

enum ax_op {
    AX_LOAD,
    AX_STORE,
    AX_ADD,
    AX_XCHG,
    AX_CAS,
    AX_WEAK,
    AX_FENCE,
    AX_LOCK,
    AX_UNLOCK,
    AX_TRYLOCK,
    AX_POST,
    AX_WAIT,
    AX_TRYWAIT,
    AX_ENTER, /* the four parts of a condition wait are enter, unlock, leave and lock */
    AX_LEAVE,
    AX_SIGNAL,
    AX_BROADCAST,
    AX_ARRIVE, /* at a barrier; `a` is the number of threads.  All but the last one then pass */
    AX_PASS,
    AX_LOCAL, /* from here on no events: arithmetic, and jumps that if and else become */
    AX_BRANCH,
    AX_JUMP,
};

struct ax_value {
    bool is_register;
    int32_t number; /* the constant, or which register */
};

struct ax_instr {
    uint8_t op;             /* enum ax_op */
    uint8_t place;          /* of an access or an operation on an object */
    uint8_t order, failure; /* enum ax_order */
    uint8_t to;             /* register, or AX_NO_REGISTER */
    char sign;              /* of AX_LOCAL: + - ^ & ; of AX_BRANCH: = or ! */
    uint8_t target;         /* of a branch whose condition fails, of a jump */
    uint8_t statement;
    uint8_t depth;        /* of the text: how many ifs it stands in */
    struct ax_value a, b; /* value or operands; OLD and NEW of a compare-exchange */
};

struct ax_place {
    char name[AX_NAME];
    uint8_t kind; /* enum ax_place_kind */
    bool has_plain, has_atomic;
    int32_t initial;
};

struct ax_thread {
    uint8_t n, statements;
    uint16_t registers; /* which are assigned */
    struct ax_instr code[AX_CODE];
};

/* A part of the outcome that is asked for: a register, or the memory at a location. */
struct ax_wish {
    uint8_t thread; /* from 1; 0: memory */
    uint8_t which;  /* register or location */
    int32_t value;
};

struct ax_program {
    uint8_t n_places, n_locations, n_threads; /* the places that are locations come first */
    struct ax_place places[AX_PLACES];
    struct ax_thread threads[AX_THREADS];
    uint8_t n_wishes; /* 0: no outcome is asked for */
    struct ax_wish wishes[AX_WISHES];
};

/* Reads a program.  On failure writes one line to err and returns false. */
bool ax_parse(struct ax_program *p, const char *name, const char *text, FILE *err);

/* The whole file, to be freed; NULL with a line on err. */
char *ax_read(const char *path, FILE *err);

extern const char *const ax_order_names[]; /* relaxed, … */
extern const char *const ax_op_names[];    /* as in the text */

static inline bool ax_acquires(uint8_t order)
{
    return order == AX_ACQUIRE || order == AX_ACQ_REL || order == AX_SEQ_CST;
}
static inline bool ax_releases(uint8_t order)
{
    return order == AX_RELEASE || order == AX_ACQ_REL || order == AX_SEQ_CST;
}

#endif
