#include "program.h"

#include <string.h>

uint32_t orc_var_size(enum orc_var kind)
{
    switch (kind) {
    case ORC_CHAR:
    case ORC_BITS:
    case ORC_ATOMIC_CHAR:
        return 1;
    case ORC_SHORT:
        return 2;
    case ORC_MIX:
        return 8;
    case ORC_INT:
    case ORC_ATOMIC_INT:
        break;
    }
    return 4;
}

bool orc_var_atomic(enum orc_var kind)
{
    return kind == ORC_ATOMIC_INT || kind == ORC_ATOMIC_CHAR;
}

static uint32_t align_up(uint32_t x, uint32_t to) { return (x + to - 1) & ~(to - 1); }

void orc_layout(const struct orc_program *p, struct orc_layout *out)
{
    uint32_t at = 0, align = p->packed ? 8 : 4;
    for (uint32_t v = 0; v < p->n_vars; v++) {
        uint32_t size = orc_var_size(p->vars[v]);
        if (!p->packed) {
            align = size > align ? size : align;
            at = align_up(at, size);
        }
        out->offset[v] = (uint8_t)at;
        at += size;
    }
    at = align_up(at, p->packed ? 1 : 4);
    out->obs = (uint8_t)at;
    out->size = (uint8_t)align_up(at + 4, align);
}

static bool has(const struct orc_program *p, enum orc_stmt_kind kind)
{
    for (uint32_t i = 0; i < p->n_stmts; i++)
        if (p->stmts[i].kind == kind)
            return true;
    return false;
}

bool orc_program_chooses(const struct orc_program *p)
{
    return has(p, ORC_CHOOSE) || has(p, ORC_BARRIER);
}

static bool weak(const struct orc_program *p, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_ATOMIC_CAS: /* of plain memory: a plain read may keep one from failing that it races with */
        return !orc_var_atomic(p->vars[s->ref.var]) || s->order != ORC_SEQ_CST ||
               s->order2 != ORC_SEQ_CST;
    case ORC_ATOMIC_LOAD:
    case ORC_ATOMIC_STORE:
    case ORC_ATOMIC_RMW:
        return s->order != ORC_SEQ_CST;
    case ORC_TRYLOCK:
    case ORC_TIMEDLOCK:
    case ORC_TRYRDLOCK:
    case ORC_TRYWRLOCK:
    case ORC_TIMEDRDLOCK:
    case ORC_TIMEDWRLOCK:
    case ORC_SEM_TRYWAIT:
    case ORC_SEM_TIMEDWAIT:
    case ORC_SIGNAL:
    case ORC_BROADCAST:
        return true;
    default:
        return false;
    }
}

bool orc_program_weak(const struct orc_program *p)
{
    for (uint32_t i = 0; i < p->n_stmts; i++)
        if (weak(p, &p->stmts[i]))
            return true;
    return false;
}

uint8_t orc_finer_by_name(const char *name)
{
    if (!strcmp(name, "rmw"))
        return ORC_FINER_RMW;
    if (!strcmp(name, "observers"))
        return ORC_FINER_OBSERVERS;
    return !strcmp(name, "rmw,observers") ? ORC_FINER_RMW | ORC_FINER_OBSERVERS : 0;
}
