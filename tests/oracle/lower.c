#include "lower.h"

#include <string.h>

struct lowering {
    struct orc_lowered *out;
    uint32_t thread;
    uint16_t stmt;
    uint32_t loops;
    bool full;
};

static uint16_t here(const struct lowering *lo) { return (uint16_t)lo->out->n[lo->thread]; }

static struct orc_code *emit(struct lowering *lo, enum orc_code_op op)
{
    if (lo->out->n[lo->thread] == ORC_MAX_CODE) {
        lo->full = true;
        lo->out->n[lo->thread]--;
    }
    struct orc_code *c = &lo->out->code[lo->thread][lo->out->n[lo->thread]++];
    memset(c, 0, sizeof *c);
    c->op = (uint8_t)op;
    c->stmt = lo->stmt;
    return c;
}

static struct orc_code *emit_memory(struct lowering *lo, enum orc_code_op op, struct orc_ref ref,
                                    uint8_t reg)
{
    struct orc_code *c = emit(lo, op);
    c->offset = (uint8_t)(lo->out->layout.offset[ref.var] + ref.at);
    c->size = ref.size;
    c->reg = reg;
    return c;
}

static struct orc_code *emit_object(struct lowering *lo, enum orc_code_op op,
                                    const struct orc_stmt *s)
{
    struct orc_code *c = emit(lo, op);
    c->object = s->object;
    c->object2 = s->object2;
    c->reg = s->local;
    return c;
}

static uint16_t emit_unless(struct lowering *lo, uint32_t reg, uint8_t cmp, uint32_t k)
{
    uint16_t at = here(lo);
    struct orc_code *c = emit(lo, ORC_L_UNLESS);
    c->reg = (uint8_t)reg;
    c->cmp = cmp;
    c->k = k;
    return at;
}

static void emit_set(struct lowering *lo, uint32_t reg, struct orc_expr e)
{
    struct orc_code *c = emit(lo, ORC_L_SET);
    c->reg = (uint8_t)reg;
    c->expr = e;
}

static void emit_jump(struct lowering *lo, uint16_t target)
{
    emit(lo, ORC_L_JUMP)->target = target;
}

static void patch(struct lowering *lo, uint16_t at)
{
    lo->out->code[lo->thread][at].target = here(lo);
}

static void lower_block(struct lowering *lo, uint16_t first);

static bool is_timed(uint8_t kind)
{
    return kind == ORC_TIMEDLOCK || kind == ORC_TIMEDRDLOCK || kind == ORC_TIMEDWRLOCK ||
           kind == ORC_SEM_TIMEDWAIT;
}

static void lower_branch(struct lowering *lo, const struct orc_stmt *s, uint16_t unless)
{
    uint16_t stmt = lo->stmt;
    lower_block(lo, s->body);
    uint16_t over = here(lo);
    emit_jump(lo, 0);
    patch(lo, unless);
    lo->stmt = stmt;
    if (is_timed(s->kind))
        emit(lo, ORC_V_CLOCK);
    lower_block(lo, s->other);
    patch(lo, over);
}

static void lower_wait(struct lowering *lo, const struct orc_stmt *s)
{
    emit_object(lo, ORC_V_WAIT, s);
    emit_object(lo, ORC_V_RELOCK, s);
}

/* The clock moves before the mutex is taken again. */
static void lower_timedwait(struct lowering *lo, const struct orc_stmt *s)
{
    emit_object(lo, ORC_V_TIMEDWAIT, s);
    emit_object(lo, ORC_V_WAKE, s);
    uint16_t woken = emit_unless(lo, s->local, ORC_EQ, 1);
    emit(lo, ORC_V_CLOCK);
    patch(lo, woken);
    emit_object(lo, ORC_V_RELOCK, s);
}

static void lower_attempt(struct lowering *lo, const struct orc_stmt *s, enum orc_code_op op)
{
    emit_object(lo, op, s)->reg = ORC_TEMP;
    lower_branch(lo, s, emit_unless(lo, ORC_TEMP, ORC_EQ, 1));
}

/* Read-write locks, semaphores, the barrier, choices. */
static void lower_more(struct lowering *lo, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_RDLOCK:
        emit_object(lo, ORC_V_RDLOCK, s);
        break;
    case ORC_WRLOCK:
        emit_object(lo, ORC_V_WRLOCK, s);
        break;
    case ORC_RWUNLOCK:
        emit_object(lo, ORC_V_RWUNLOCK, s);
        break;
    case ORC_TRYRDLOCK:
    case ORC_TIMEDRDLOCK:
        lower_attempt(lo, s, ORC_V_TRYRDLOCK);
        break;
    case ORC_TRYWRLOCK:
    case ORC_TIMEDWRLOCK:
        lower_attempt(lo, s, ORC_V_TRYWRLOCK);
        break;
    case ORC_SEM_WAIT:
        emit_object(lo, ORC_V_SEM_WAIT, s);
        break;
    case ORC_SEM_POST:
        emit_object(lo, ORC_V_SEM_POST, s);
        break;
    case ORC_SEM_TRYWAIT:
    case ORC_SEM_TIMEDWAIT:
        lower_attempt(lo, s, ORC_V_SEM_TRYWAIT);
        break;
    case ORC_BARRIER:
        emit_object(lo, ORC_V_ARRIVE, s);
        emit_object(lo, ORC_V_LEAVE, s);
        break;
    case ORC_CHOOSE:
        emit_object(lo, ORC_V_CHOOSE, s)->k = s->k;
        break;
    default:
        break;
    }
}

static void lower_loop(struct lowering *lo, const struct orc_stmt *s)
{
    uint32_t counter = ORC_COUNTER + lo->loops++;
    bool waits = s->kind == ORC_WAIT_LOOP;
    emit_set(lo, counter, (struct orc_expr){ .kind = ORC_CONST });
    uint16_t top = here(lo), done2 = ORC_NONE;
    uint16_t done = emit_unless(lo, counter, ORC_LT, waits ? s->k2 : s->k);
    if (waits) {
        emit_memory(lo, ORC_V_READ, s->ref, ORC_TEMP);
        done2 = emit_unless(lo, ORC_TEMP, s->cmp, s->k);
        lower_wait(lo, s);
    } else {
        lower_block(lo, s->body);
    }
    emit_set(lo, counter, (struct orc_expr){ .kind = ORC_ADD, .a = (uint8_t)counter, .k = 1 });
    emit_jump(lo, top);
    patch(lo, done);
    if (done2 != ORC_NONE)
        patch(lo, done2);
    lo->loops--;
}

static void lower_bits(struct lowering *lo, const struct orc_stmt *s)
{
    bool reads = s->kind == ORC_BITS_READ;
    struct orc_code *c = emit_memory(lo, ORC_V_READ, s->ref, reads ? s->local : ORC_TEMP);
    if (!reads) {
        c = emit_memory(lo, ORC_V_WRITE, s->ref, ORC_TEMP);
        c->expr = s->expr;
    }
    c->mask = ORC_BITS_MASK(s->object);
    c->shift = ORC_BITS_SHIFT(s->object);
}

static void lower_atomic(struct lowering *lo, const struct orc_stmt *s)
{
    static const uint8_t ops[] = { [ORC_ATOMIC_LOAD] = ORC_V_READ,
                                   [ORC_ATOMIC_STORE] = ORC_V_WRITE,
                                   [ORC_ATOMIC_RMW] = ORC_V_RMW,
                                   [ORC_ATOMIC_CAS] = ORC_V_CAS };
    struct orc_code *c = s->kind == ORC_FENCE ? emit(lo, ORC_L_FENCE)
                                              : emit_memory(lo, ops[s->kind], s->ref, s->local);
    c->atomic = 1;
    c->order = s->order;
    c->order2 = s->order2;
    c->expr = s->expr;
    c->rmw = s->rmw;
    c->blind = s->blind;
    if (s->kind == ORC_ATOMIC_CAS)
        c->k = s->k;
}

static void lower_access(struct lowering *lo, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_READ:
        emit_memory(lo, ORC_V_READ, s->ref, s->local);
        break;
    case ORC_WRITE:
        emit_memory(lo, ORC_V_WRITE, s->ref, 0)->expr = s->expr;
        break;
    case ORC_UPDATE:
        emit_memory(lo, ORC_V_READ, s->ref2, ORC_TEMP);
        emit_memory(lo, ORC_V_WRITE, s->ref, 0)->expr =
            (struct orc_expr){ .kind = ORC_ADD, .a = ORC_TEMP, .k = s->k };
        break;
    case ORC_BITS_READ:
    case ORC_BITS_WRITE:
        lower_bits(lo, s);
        break;
    case ORC_COPY:
        emit_memory(lo, ORC_V_COPY, s->ref, 0)->offset2 = lo->out->layout.offset[s->ref2.var];
        break;
    case ORC_FILL:
        emit_memory(lo, ORC_V_FILL, s->ref, 0)->k = s->k;
        break;
    default:
        lower_atomic(lo, s);
        break;
    }
}

static void lower_sync(struct lowering *lo, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_LOCK:
        emit_object(lo, ORC_V_LOCK, s)->reg = ORC_TEMP;
        break;
    case ORC_LOCK_AGAIN:
        emit_object(lo, ORC_V_LOCK, s);
        break;
    case ORC_UNLOCK:
        emit_object(lo, ORC_V_UNLOCK, s);
        break;
    case ORC_TRYLOCK:
        lower_attempt(lo, s, ORC_V_TRYLOCK);
        break;
    case ORC_TIMEDLOCK:
        lower_attempt(lo, s, ORC_V_TIMEDLOCK);
        break;
    case ORC_WAIT:
        lower_wait(lo, s);
        break;
    case ORC_TIMEDWAIT:
        lower_timedwait(lo, s);
        break;
    case ORC_SIGNAL:
        emit_object(lo, ORC_V_SIGNAL, s);
        break;
    case ORC_BROADCAST:
        emit_object(lo, ORC_V_BROADCAST, s);
        break;
    case ORC_YIELD:
        emit(lo, ORC_V_YIELD);
        break;
    case ORC_CREATE:
        emit_object(lo, ORC_V_CREATE, s);
        break;
    case ORC_JOIN:
        emit_object(lo, ORC_V_READ_TID, s);
        emit_object(lo, ORC_V_JOIN, s);
        break;
    case ORC_DETACH:
        emit_object(lo, ORC_V_READ_TID, s);
        emit_object(lo, ORC_V_DETACH, s);
        break;
    default:
        lower_more(lo, s);
        break;
    }
}

static void lower_stmt(struct lowering *lo, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_READ:
    case ORC_WRITE:
    case ORC_UPDATE:
    case ORC_BITS_READ:
    case ORC_BITS_WRITE:
    case ORC_COPY:
    case ORC_FILL:
    case ORC_ATOMIC_LOAD:
    case ORC_ATOMIC_STORE:
    case ORC_ATOMIC_RMW:
    case ORC_ATOMIC_CAS:
    case ORC_FENCE:
        lower_access(lo, s);
        break;
    case ORC_SET:
        emit_set(lo, s->local, s->expr);
        break;
    case ORC_IF:
        lower_branch(lo, s, emit_unless(lo, s->local, s->cmp, s->k));
        break;
    case ORC_IF_REF:
        emit_memory(lo, ORC_V_READ, s->ref, ORC_TEMP);
        lower_branch(lo, s, emit_unless(lo, ORC_TEMP, s->cmp, s->k));
        break;
    case ORC_LOOP:
    case ORC_WAIT_LOOP:
        lower_loop(lo, s);
        break;
    case ORC_SECTION:
        emit(lo, ORC_V_SECTION);
        lower_block(lo, s->body);
        emit(lo, ORC_L_SECTION_END);
        break;
    case ORC_ASSERT:
    case ORC_ASSUME: {
        struct orc_code *c = emit(lo, s->kind == ORC_ASSERT ? ORC_L_ASSERT : ORC_L_ASSUME);
        c->reg = s->local;
        c->cmp = s->cmp;
        c->k = s->k;
        break;
    }
    default:
        lower_sync(lo, s);
        break;
    }
}

static void lower_block(struct lowering *lo, uint16_t first)
{
    const struct orc_program *p = lo->out->program;
    for (uint16_t i = first; i != ORC_NONE; i = p->stmts[i].next) {
        lo->stmt = i;
        lower_stmt(lo, &p->stmts[i]);
    }
}

bool orc_lower(const struct orc_program *p, struct orc_lowered *out)
{
    memset(out, 0, sizeof *out);
    out->program = p;
    orc_layout(p, &out->layout);
    struct lowering lo = { .out = out };
    for (lo.thread = 0; lo.thread < p->n_threads; lo.thread++) {
        lo.stmt = ORC_NONE;
        emit(&lo, ORC_V_START);
        lower_block(&lo, p->body[lo.thread]);
        lo.stmt = ORC_NONE;
        if (lo.thread > 0) {
            emit(&lo, ORC_V_EXIT);
            continue;
        }
        struct orc_code *c = emit(&lo, ORC_V_WRITE_OBS);
        c->offset = out->layout.obs;
        c->size = 4;
        emit(&lo, ORC_L_OBSERVE);
        emit(&lo, p->exits[0] ? ORC_V_EXIT : ORC_V_END);
    }
    return !lo.full;
}
