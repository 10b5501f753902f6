#include "rel.h"

#include <string.h>

void ax_empty(struct ax_rel *to) { memset(to, 0, sizeof *to); }

void ax_union(struct ax_rel *to, const struct ax_rel *more, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        to->row[a] |= more->row[a];
}

void ax_compose(struct ax_rel *to, const struct ax_rel *a, const struct ax_rel *b, uint32_t n)
{
    struct ax_rel out;
    ax_empty(&out);
    for (uint32_t i = 0; i < n; i++)
        for (ax_set s = a->row[i]; s; s &= s - 1)
            out.row[i] |= b->row[__builtin_ctzll(s)];
    *to = out;
}

void ax_inverse(struct ax_rel *to, const struct ax_rel *a, uint32_t n)
{
    struct ax_rel out;
    ax_empty(&out);
    for (uint32_t i = 0; i < n; i++)
        for (ax_set s = a->row[i]; s; s &= s - 1)
            ax_add(&out, (uint32_t)__builtin_ctzll(s), i);
    *to = out;
}

void ax_reflexive(struct ax_rel *to, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        ax_add(to, a, a);
}

void ax_closure(struct ax_rel *to, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t a = 0; a < n; a++)
            if (ax_has(to, a, k))
                to->row[a] |= to->row[k];
}

void ax_restrict(struct ax_rel *to, ax_set from, ax_set into, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        to->row[a] = ax_in(from, a) ? to->row[a] & into : 0;
}

bool ax_irreflexive(const struct ax_rel *r, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        if (ax_has(r, a, a))
            return false;
    return true;
}

bool ax_acyclic(const struct ax_rel *r, uint32_t n)
{
    struct ax_rel all = *r;
    ax_closure(&all, n);
    return ax_irreflexive(&all, n);
}
