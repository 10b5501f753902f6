#include "fake_machine.h"

#include <string.h>

uint64_t fake_hash(uint64_t h, const void *bytes, uint64_t n)
{
    const uint8_t *p = bytes;
    for (uint64_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h ^ h >> 29;
}

static const struct fake_step *step_of(const struct fake_program *p, const struct fake_state *s,
                                       uint32_t t)
{
    return &p->threads[t].steps[s->pc[t]];
}

static bool cas_fails(const struct fake_state *s, const struct fake_step *x)
{
    for (uint32_t i = 0; i < x->size; i++)
        if (s->memory[x->object + i] != x->expected)
            return true;
    return false;
}

static void settle(const struct fake_program *p, struct fake_state *s, uint32_t t)
{
    if (s->pc[t] == p->threads[t].n)
        s->standing[t] = FAKE_OVER;
}

void fake_state_init(const struct fake_program *p, struct fake_state *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t t = 0; t < p->n_threads; t++)
        s->standing[t] = FAKE_READY;
    for (uint32_t t = 0; t < p->n_threads; t++)
        for (uint32_t i = 0; i < p->threads[t].n; i++)
            if (p->threads[t].steps[i].op == HD_OP_CREATE)
                s->standing[p->threads[t].steps[i].object] = FAKE_UNBORN;
    for (uint32_t t = 0; t < p->n_threads; t++)
        settle(p, s, t);
}

bool fake_state_enabled(const struct fake_program *p, const struct fake_state *s, uint32_t t)
{
    const struct fake_step *x = step_of(p, s, t);
    switch (s->standing[t]) {
    case FAKE_READY:
        if (x->op == HD_OP_LOCK)
            return s->owner[x->object] == 0;
        return x->op != HD_OP_JOIN || s->standing[x->object] == FAKE_OVER;
    case FAKE_WOKEN:
        return s->owner[x->object2] == 0;
    default:
        return false;
    }
}

uint32_t fake_state_waiter(const struct fake_program *p, const struct fake_state *s,
                           uint32_t cond, uint32_t choice)
{
    for (uint32_t t = 0; t < p->n_threads; t++)
        if (s->standing[t] == FAKE_QUEUED && step_of(p, s, t)->object == cond && choice-- == 0)
            return t;
    return ~0u;
}

static uint16_t waiters(const struct fake_program *p, const struct fake_state *s, uint32_t cond)
{
    uint16_t n = 0;
    while (fake_state_waiter(p, s, cond, n) != ~0u)
        n++;
    return n;
}

struct hd_action fake_state_action(const struct fake_program *p, const struct fake_state *s,
                                   uint32_t t)
{
    const struct fake_step *x = step_of(p, s, t);
    struct hd_action a = { .op = (uint8_t)x->op, .choices = 1, .site = t * 1000 + s->pc[t] + 1 };
    switch (hd_op_table[x->op].space) {
    case HD_SPACE_MEM:
        a.object = FAKE_ADDRESS(x->object);
        a.size = x->size;
        if (x->op == HD_OP_CAS && cas_fails(s, x))
            a.op = HD_OP_CAS_FAIL;
        break;
    case HD_SPACE_THREAD:
        a.object = x->object;
        break;
    case HD_SPACE_SYNC: {
        bool cond = x->op == HD_OP_WAIT || x->op == HD_OP_SIGNAL || x->op == HD_OP_BROADCAST;
        a.object = cond ? FAKE_COND(x->object) : FAKE_MUTEX(x->object);
        if (x->op == HD_OP_TRYLOCK && s->owner[x->object])
            a.op = HD_OP_TRYLOCK_FAIL;
        if (x->op == HD_OP_SIGNAL && waiters(p, s, x->object) > 1)
            a.choices = waiters(p, s, x->object);
        if (x->op == HD_OP_WAIT)
            a.object2 = FAKE_MUTEX(x->object2);
        break;
    }
    default:
        break;
    }
    if (s->standing[t] == FAKE_QUEUED)
        a = (struct hd_action){ .op = HD_OP_BLOCKED, .choices = 1, .site = a.site };
    if (s->standing[t] == FAKE_WOKEN)
        a = (struct hd_action){
            .op = HD_OP_RELOCK, .choices = 1, .site = a.site, .object = FAKE_MUTEX(x->object2)
        };
    return a;
}

static enum fake_outcome step_memory(struct fake_state *s, const struct fake_step *x)
{
    uint8_t was = s->memory[x->object];
    bool writes = hd_op_table[x->op].access == HD_ACCESS_WRITE;
    if (x->op == HD_OP_CAS && cas_fails(s, x))
        writes = false;
    if (writes)
        memset(s->memory + x->object, x->op == HD_OP_RMW ? was + x->value : x->value, x->size);
    if (x->note && was == x->when)
        return x->note == FAKE_FAILS ? FAKE_FAILED : FAKE_CRASH;
    return FAKE_GOES_ON;
}

static void step_sync(const struct fake_program *p, struct fake_state *s, uint32_t t,
                      const struct fake_step *x, uint32_t choice)
{
    uint32_t woken;
    switch (x->op) {
    case HD_OP_TRYLOCK:
        if (s->owner[x->object])
            break; /* fall through */
    case HD_OP_LOCK:
        s->owner[x->object] = (uint8_t)(t + 1);
        break;
    case HD_OP_UNLOCK:
        if (s->owner[x->object] == t + 1)
            s->owner[x->object] = 0;
        break;
    case HD_OP_SIGNAL:
        woken = fake_state_waiter(p, s, x->object, choice);
        if (woken != ~0u)
            s->standing[woken] = FAKE_WOKEN;
        break;
    case HD_OP_BROADCAST:
        while ((woken = fake_state_waiter(p, s, x->object, 0)) != ~0u)
            s->standing[woken] = FAKE_WOKEN;
        break;
    case HD_OP_CREATE:
        s->standing[x->object] = FAKE_READY;
        settle(p, s, x->object);
        break;
    default:
        break;
    }
}

enum fake_outcome fake_state_step(const struct fake_program *p, struct fake_state *s, uint32_t t,
                                  uint32_t choice)
{
    const struct fake_step *x = step_of(p, s, t);
    enum fake_outcome out = FAKE_GOES_ON;
    s->last = t;
    if (s->standing[t] == FAKE_WOKEN) {
        s->owner[x->object2] = (uint8_t)(t + 1);
        s->standing[t] = FAKE_READY;
    } else if (x->op == HD_OP_WAIT) {
        s->owner[x->object2] = 0;
        s->standing[t] = FAKE_QUEUED;
        return FAKE_GOES_ON;
    } else if (hd_op_table[x->op].space == HD_SPACE_MEM) {
        out = step_memory(s, x);
    } else {
        step_sync(p, s, t, x, choice);
    }
    s->pc[t]++;
    settle(p, s, t);
    if (out != FAKE_GOES_ON)
        return out;
    for (uint32_t i = 0; i < p->n_threads; i++)
        if (s->standing[i] != FAKE_OVER && s->standing[i] != FAKE_UNBORN)
            return FAKE_GOES_ON;
    return FAKE_DONE;
}
