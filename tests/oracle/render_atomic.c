#include "render_parts.h"

/* A result that is not blind is used, so that the compiler does not take it for one. */
static void put_use(struct text *x, const struct orc_stmt *s)
{
    if (x->p->finer && !s->blind)
        orc_put(x, " USE(l%u);", s->local);
    orc_put(x, "\n");
}

/* An atomic access of a variable that is not: by the compiler's own functions. */
static void put_builtin(struct text *x, const struct orc_stmt *s, const char *n, const char *v,
                        const char *type)
{
    static const char *const orders[] = { [ORC_SEQ_CST] = "__ATOMIC_SEQ_CST",
                                          [ORC_RELAXED] = "__ATOMIC_RELAXED",
                                          [ORC_ACQUIRE] = "__ATOMIC_ACQUIRE",
                                          [ORC_RELEASE] = "__ATOMIC_RELEASE",
                                          [ORC_ACQ_REL] = "__ATOMIC_ACQ_REL" };
    static const char *const rmws[] = { "fetch_add", "fetch_sub", "fetch_or", "fetch_xor",
                                        "exchange_n" };
    const char *order = orders[s->order];
    switch (s->kind) {
    case ORC_ATOMIC_LOAD:
        orc_put(x, "l%u = __atomic_load_n(&%s, %s);\n", s->local, n, order);
        break;
    case ORC_ATOMIC_STORE:
        orc_put(x, "__atomic_store_n(&%s, %s, %s);\n", n, v, order);
        break;
    case ORC_ATOMIC_RMW:
        if (!s->blind)
            orc_put(x, "l%u = ", s->local);
        orc_put(x, "__atomic_%s(&%s, %s, %s);", rmws[s->rmw], n, v, order);
        put_use(x, s);
        break;
    default:
        orc_put(x, "{ %s e = %s; l%u = __atomic_compare_exchange_n(&%s, &e, %uu, 0, %s, %s); }\n",
                type, v, s->local, n, s->k, order, orders[s->order2]);
    }
}

/* seq_cst is what the functions without a memory order have. */
static void put_standard(struct text *x, const struct orc_stmt *s, const char *n, const char *v,
                         const char *type)
{
    static const char *const orders[] = { [ORC_SEQ_CST] = "",
                                          [ORC_RELAXED] = ", memory_order_relaxed",
                                          [ORC_ACQUIRE] = ", memory_order_acquire",
                                          [ORC_RELEASE] = ", memory_order_release",
                                          [ORC_ACQ_REL] = ", memory_order_acq_rel" };
    static const char *const rmws[] = { "fetch_add", "fetch_sub", "fetch_or", "fetch_xor",
                                        "exchange" };
    const char *order = orders[s->order], *named = s->order == ORC_SEQ_CST ? "" : "_explicit";
    switch (s->kind) {
    case ORC_ATOMIC_LOAD:
        orc_put(x, "l%u = atomic_load%s(&%s%s);\n", s->local, named, n, order);
        break;
    case ORC_ATOMIC_STORE:
        orc_put(x, "atomic_store%s(&%s, %s%s);\n", named, n, v, order);
        break;
    case ORC_ATOMIC_RMW:
        if (!s->blind)
            orc_put(x, "l%u = ", s->local);
        orc_put(x, "atomic_%s%s(&%s, %s%s);", rmws[s->rmw], named, n, v, order);
        put_use(x, s);
        break;
    default:
        if (s->order == ORC_SEQ_CST && s->order2 == ORC_SEQ_CST)
            orc_put(x, "{ %s e = %s; l%u = atomic_compare_exchange_strong(&%s, &e, %uu); }\n",
                    type, v, s->local, n, s->k);
        else
            orc_put(
                x,
                "{ %s e = %s; l%u = atomic_compare_exchange_strong_explicit(&%s, &e, %uu%s%s); "
                "}\n",
                type, v, s->local, n, s->k,
                s->order == ORC_SEQ_CST ? ", memory_order_seq_cst" : order,
                s->order2 == ORC_SEQ_CST ? ", memory_order_seq_cst" : orders[s->order2]);
    }
}

void orc_put_atomic(struct text *x, const struct orc_stmt *s)
{
    static const char *const fences[] = { "seq_cst", "relaxed", "acquire", "release", "acq_rel" };
    if (s->kind == ORC_FENCE) {
        orc_put(x, "atomic_thread_fence(memory_order_%s);\n", fences[s->order]);
        return;
    }
    struct name n = orc_place(x, s->ref), v = orc_value(&s->expr, s->ref.size);
    const char *type = s->ref.size == 1 ? "unsigned char" : "unsigned";
    if (orc_var_atomic(x->p->vars[s->ref.var]))
        put_standard(x, s, n.s, v.s, type);
    else
        put_builtin(x, s, n.s, v.s, type);
}
