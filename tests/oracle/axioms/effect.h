/* What an instruction does to a thread and to one place, whatever the memory model.  The
 * enumerator and the machines that check it share this and nothing else. */
#ifndef AX_EFFECT_H
#define AX_EFFECT_H

#include "program.h"

enum { AX_READ = 1, AX_WRITE = 2, AX_BARRIER = 0 }; /* a read-modify-write is both */

struct ax_cpu {
    uint8_t pc;
    int32_t r[AX_REGISTERS];
};

/* One event, or none. */
struct ax_effect {
    bool runs;     /* false: the thread stands still while the place has this value */
    uint8_t kind;  /* AX_READ | AX_WRITE, AX_BARRIER: a fence */
    uint8_t order; /* enum ax_order */
    bool full;     /* a full barrier of an x86 */
    int32_t writes;
    int32_t result; /* for the register */
    uint8_t choice; /* one that shows in nothing else */
};

/* Runs arithmetic and branches up to the next instruction with an event, or to the end. */
void ax_advance(const struct ax_thread *t, struct ax_cpu *cpu);

/* The next instruction with an event; NULL: the thread has ended. */
static inline const struct ax_instr *ax_next(const struct ax_thread *t, const struct ax_cpu *cpu)
{
    return cpu->pc < t->n ? &t->code[cpu->pc] : NULL;
}

/* Whether it reads: its effect then depends on the value. */
static inline bool ax_reads(const struct ax_instr *in)
{
    return in->op != AX_STORE && in->op != AX_FENCE;
}

/* How many ways it has to go on from this value: whom a signal wakes, whether a weak
 * compare-exchange fails for no reason. */
uint32_t ax_choices(const struct ax_instr *in, const struct ax_cpu *cpu, int32_t value);

/* The effect of thread number `self` (from 0) on a place with this value. */
struct ax_effect ax_effect(const struct ax_instr *in, const struct ax_cpu *cpu, uint32_t self,
                           int32_t value, uint32_t choice);

/* The thread has had it, and stands before its next event. */
void ax_step(const struct ax_thread *t, struct ax_cpu *cpu, const struct ax_effect *e);

#endif
