#include "effect.h"

static int32_t value_of(const struct ax_cpu *cpu, struct ax_value v)
{
    return v.is_register ? cpu->r[v.number] : v.number;
}

static int32_t compute(char sign, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (sign) {
    case '+':
        return (int32_t)(x + y);
    case '-':
        return (int32_t)(x - y);
    case '^':
        return a ^ b;
    default:
        return a & b;
    }
}

void ax_advance(const struct ax_thread *t, struct ax_cpu *cpu)
{
    while (cpu->pc < t->n) {
        const struct ax_instr *in = &t->code[cpu->pc];
        int32_t a = value_of(cpu, in->a), b = value_of(cpu, in->b);
        if (in->op == AX_LOCAL) {
            cpu->r[in->to] = compute(in->sign, a, b);
            cpu->pc++;
        } else if (in->op == AX_BRANCH) {
            cpu->pc = (a == b) == (in->sign == '=') ? cpu->pc + 1 : in->target;
        } else if (in->op == AX_JUMP) {
            cpu->pc = in->target;
        } else {
            return;
        }
    }
}

uint32_t ax_choices(const struct ax_instr *in, const struct ax_cpu *cpu, int32_t value)
{
    if (in->op == AX_WEAK && value == value_of(cpu, in->a))
        return 2;
    if (in->op == AX_SIGNAL && value)
        return (uint32_t)__builtin_popcount((uint32_t)value);
    if (in->op == AX_ARRIVE && value == 1) /* which thread is told that it is the serial one */
        return (uint32_t)in->a.number;
    return 1;
}

static struct ax_effect reads(uint8_t order, int32_t result)
{
    return (struct ax_effect){ .runs = true, .kind = AX_READ, .order = order, .result = result };
}

static struct ax_effect updates(uint8_t order, int32_t writes, int32_t result)
{
    return (struct ax_effect){ true, AX_READ | AX_WRITE, order, true, writes, result, 0 };
}

/* Every operation on an object is a read-modify-write of its state; one that changes nothing is
 * a relaxed read.  All are locked instructions, and so full barriers of an x86.
 *   mutex      0, or the owner's number plus one
 *   semaphore  its value
 *   condition  the set of threads that wait
 *   barrier    arrivals that are missing */
static struct ax_effect arrive(int32_t threads, int32_t v, uint32_t choice)
{
    if (v > 1)
        return updates(AX_RELEASE, v - 1, 0);
    struct ax_effect last = updates(threads > 1 ? AX_ACQ_REL : AX_RELEASE, threads, 0);
    last.choice = (uint8_t)choice;
    return last;
}

static struct ax_effect on_object(const struct ax_instr *in, uint32_t self, int32_t v,
                                  uint32_t choice)
{
    int32_t me = (int32_t)self + 1, bit = (int32_t)(1u << self), woken = v;
    struct ax_effect fails = reads(AX_RELAXED, 0), stands = { 0 };
    fails.full = true;
    switch (in->op) {
    case AX_LOCK:
        return v ? stands : updates(AX_ACQUIRE, me, 0);
    case AX_TRYLOCK:
        return v ? fails : updates(AX_ACQUIRE, me, 1);
    case AX_UNLOCK:
        return v == me ? updates(AX_RELEASE, 0, 0) : stands;
    case AX_POST:
        return updates(AX_RELEASE, v + 1, 0);
    case AX_WAIT:
        return v ? updates(AX_ACQUIRE, v - 1, 0) : stands;
    case AX_TRYWAIT:
        return v ? updates(AX_ACQUIRE, v - 1, 1) : fails;
    case AX_ENTER:
        return updates(AX_RELAXED, v | bit, 0);
    case AX_LEAVE:
        return v & bit ? stands : fails;
    case AX_BROADCAST:
        return updates(AX_RELAXED, 0, 0);
    case AX_ARRIVE:
        return arrive(in->a.number, v, choice);
    case AX_PASS:
        fails.order = AX_ACQUIRE;
        return fails;
    default: /* AX_SIGNAL: the choice-th of those that wait, if there is one */
        for (uint32_t i = 0; i < choice; i++)
            woken &= woken - 1;
        return updates(AX_RELAXED, v & ~(woken & -woken), 0);
    }
}

struct ax_effect ax_effect(const struct ax_instr *in, const struct ax_cpu *cpu, uint32_t self,
                           int32_t v, uint32_t choice)
{
    int32_t a = value_of(cpu, in->a), b = value_of(cpu, in->b);
    bool succeeds = v == a && choice == 0, strong = in->op == AX_CAS;
    struct ax_effect fails;
    switch (in->op) {
    case AX_LOAD:
        return reads(in->order, v);
    case AX_STORE:
        return (struct ax_effect){ true, AX_WRITE, in->order, in->order == AX_SEQ_CST, a, 0, 0 };
    case AX_FENCE:
        return (
            struct ax_effect){ true, AX_BARRIER, in->order, in->order == AX_SEQ_CST, 0, 0, 0 };
    case AX_ADD:
        return updates(in->order, compute('+', v, a), v);
    case AX_XCHG:
        return updates(in->order, a, v);
    case AX_CAS:
    case AX_WEAK:
        fails = reads(in->failure, strong ? v : 0);
        fails.full = true;
        return succeeds ? updates(in->order, b, strong ? v : 1) : fails;
    default:
        return on_object(in, self, v, choice);
    }
}

void ax_step(const struct ax_thread *t, struct ax_cpu *cpu, const struct ax_effect *e)
{
    const struct ax_instr *in = &t->code[cpu->pc];
    if (in->to != AX_NO_REGISTER)
        cpu->r[in->to] = e->result;
    cpu->pc++;
    if (in->op == AX_ARRIVE &&
        e->writes == in->a.number) /* the last one has nothing to wait for */
        cpu->pc++;
    ax_advance(t, cpu);
}
