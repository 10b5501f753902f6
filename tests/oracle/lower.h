/* A program as straight code for the interpreter: visible instructions, each one step of the
 * thread, and local ones, which belong to the step before them. */
#ifndef ORC_LOWER_H
#define ORC_LOWER_H

#include "program.h"

#define ORC_MAX_CODE 256
#define ORC_TEMP ORC_MAX_LOCALS          /* register of a value between two steps */
#define ORC_COUNTER (ORC_MAX_LOCALS + 1) /* registers of loop counters, by nesting */
#define ORC_MAX_LOOPS 3
#define ORC_REGS (ORC_COUNTER + ORC_MAX_LOOPS)

enum orc_code_op {
    ORC_V_START,
    ORC_V_EXIT,
    ORC_V_END,
    ORC_V_READ,  /* reg = memory; with a mask: those bits of it, moved down */
    ORC_V_WRITE, /* memory = expr; with a mask: those bits of the temporary register replaced */
    ORC_V_COPY,  /* memory = memory at offset2 */
    ORC_V_FILL,  /* every byte = k */
    ORC_V_WRITE_OBS,
    ORC_V_RMW,
    ORC_V_CAS,
    ORC_V_LOCK,
    ORC_V_UNLOCK,
    ORC_V_TRYLOCK, /* reg = taken */
    ORC_V_WAIT,
    ORC_V_RELOCK,
    ORC_V_SIGNAL,
    ORC_V_BROADCAST,
    ORC_V_TIMEDLOCK,
    ORC_V_TIMEDWAIT,
    ORC_V_WAKE,  /* after a timed wait; reg = it was not signalled */
    ORC_V_CLOCK, /* the time of a wait has run out */
    ORC_V_RDLOCK,
    ORC_V_WRLOCK,
    ORC_V_RWUNLOCK,
    ORC_V_TRYRDLOCK, /* reg = taken; timed ones too: the clock is a step of its own */
    ORC_V_TRYWRLOCK,
    ORC_V_SEM_WAIT,
    ORC_V_SEM_POST,
    ORC_V_SEM_TRYWAIT,
    ORC_V_ARRIVE, /* the last one skips the leaving */
    ORC_V_LEAVE,  /* reg = it is the serial thread */
    ORC_V_CHOOSE,
    ORC_V_YIELD,
    ORC_V_CREATE,
    ORC_V_READ_TID, /* the pthread_t that a join or detach names lies in shared memory */
    ORC_V_JOIN,
    ORC_V_DETACH,
    ORC_V_SECTION, /* up to where it ends */
    ORC_L_SET,
    ORC_L_UNLESS, /* reg cmp k does not hold: go to target */
    ORC_L_JUMP,
    ORC_L_ASSERT,
    ORC_L_ASSUME, /* local where it holds, a step where it does not */
    ORC_L_OBSERVE,
    ORC_L_SECTION_END,
    ORC_L_FENCE,
};

struct orc_code {
    uint8_t op, reg, object, object2, cmp, rmw, blind, offset, size, offset2, mask, shift;
    uint8_t order, order2, atomic; /* of an atomic access or fence */
    uint16_t target, stmt; /* stmt: where it came from, ORC_NONE for what the frame adds */
    uint32_t k;
    struct orc_expr expr;
};

struct orc_lowered {
    const struct orc_program *program;
    struct orc_layout layout;
    uint32_t n[ORC_MAX_THREADS];
    struct orc_code code[ORC_MAX_THREADS][ORC_MAX_CODE];
};

/* False when a thread's code is too long. */
bool orc_lower(const struct orc_program *p, struct orc_lowered *out);

#endif
