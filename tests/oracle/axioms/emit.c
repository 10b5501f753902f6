#include "emit.h"

struct writer {
    FILE *out;
    const struct ax_program *p;
    const struct ax_thread *t;
    uint32_t number, thread;
};

void ax_emit_head(FILE *out)
{
    fprintf(out, "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
                 "#include <stdatomic.h>\n#include <stdlib.h>\n\n"
                 "extern void heddle_observe(const void *, unsigned long);\n"
                 "#define UNUSED __attribute__((unused))\n");
}

static void value(const struct writer *w, struct ax_value v)
{
    fprintf(w->out, v.is_register ? "r%d" : "%d", v.number);
}

static void name(const struct writer *w, uint8_t place)
{
    fprintf(w->out, "p%u_%s", w->number, w->p->places[place].name);
}

static void order(const struct writer *w, uint8_t place, uint8_t o)
{
    static const char *const upper[] = {
        "", "RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"
    };
    if (w->p->places[place].has_plain)
        fprintf(w->out, ", __ATOMIC_%s", upper[o]);
    else
        fprintf(w->out, ", memory_order_%s", ax_order_names[o]);
}

static void plain(const struct writer *w, const struct ax_instr *in)
{
    if (in->op == AX_STORE) {
        name(w, in->place);
        fprintf(w->out, " = ");
        value(w, in->a);
        fprintf(w->out, ";");
    } else {
        fprintf(w->out, "r%u = ", in->to);
        name(w, in->place);
        fprintf(w->out, ";");
    }
}

/* load, store, fetch-add, exchange */
static void simple(const struct writer *w, const struct ax_instr *in)
{
    static const char *const c11[] = { "atomic_load_explicit", "atomic_store_explicit",
                                       "atomic_fetch_add_explicit", "atomic_exchange_explicit" };
    static const char *const gnu[] = { "__atomic_load_n", "__atomic_store_n",
                                       "__atomic_fetch_add", "__atomic_exchange_n" };
    if (in->to != AX_NO_REGISTER)
        fprintf(w->out, "r%u = ", in->to);
    fprintf(w->out, "%s(&", (w->p->places[in->place].has_plain ? gnu : c11)[in->op]);
    name(w, in->place);
    if (in->op != AX_LOAD) {
        fprintf(w->out, ", ");
        value(w, in->a);
    }
    order(w, in->place, in->order);
    fprintf(w->out, ");");
}

static void compare_exchange(const struct writer *w, const struct ax_instr *in)
{
    bool gnu = w->p->places[in->place].has_plain, weak = in->op == AX_WEAK;
    fprintf(w->out, "{ int e = ");
    value(w, in->a);
    fprintf(w->out, "; ");
    if (weak && in->to != AX_NO_REGISTER)
        fprintf(w->out, "r%u = ", in->to);
    if (gnu)
        fprintf(w->out, "__atomic_compare_exchange_n(&");
    else
        fprintf(w->out, "atomic_compare_exchange_%s_explicit(&", weak ? "weak" : "strong");
    name(w, in->place);
    fprintf(w->out, ", &e, ");
    value(w, in->b);
    if (gnu)
        fprintf(w->out, ", %d", weak);
    order(w, in->place, in->order);
    order(w, in->place, in->failure);
    fprintf(w->out, ");");
    if (!weak && in->to != AX_NO_REGISTER)
        fprintf(w->out, " r%u = e;", in->to);
    fprintf(w->out, " }");
}

static void object(const struct writer *w, const struct ax_instr *in)
{
    static const char *const calls[] = { [AX_LOCK] = "pthread_mutex_lock",
                                         [AX_UNLOCK] = "pthread_mutex_unlock",
                                         [AX_TRYLOCK] = "pthread_mutex_trylock",
                                         [AX_POST] = "sem_post",
                                         [AX_WAIT] = "sem_wait",
                                         [AX_TRYWAIT] = "sem_trywait",
                                         [AX_ENTER] = "pthread_cond_wait",
                                         [AX_SIGNAL] = "pthread_cond_signal",
                                         [AX_BROADCAST] = "pthread_cond_broadcast",
                                         [AX_ARRIVE] = "pthread_barrier_wait" };
    if (in->to != AX_NO_REGISTER)
        fprintf(w->out, "r%u = ", in->to);
    fprintf(w->out, "%s(&", calls[in->op]);
    name(w, in->place);
    if (in->op == AX_ENTER) {
        fprintf(w->out, ", &");
        name(w, (uint8_t)in->a.number);
    }
    fprintf(w->out, in->to == AX_NO_REGISTER ? ");" : ") == 0;");
}

static void statement(const struct writer *w, const struct ax_instr *in)
{
    fprintf(w->out, "%*s", 4 + 4 * in->depth, "");
    if (in->op == AX_LOCAL) {
        fprintf(w->out, "r%u = (int)((unsigned)", in->to);
        value(w, in->a);
        fprintf(w->out, " %c (unsigned)", in->sign);
        value(w, in->b);
        fprintf(w->out, ");");
    } else if (in->op == AX_FENCE) {
        fprintf(w->out, "atomic_thread_fence(memory_order_%s);", ax_order_names[in->order]);
    } else if (in->op == AX_CAS || in->op == AX_WEAK) {
        compare_exchange(w, in);
    } else if (in->op > AX_WEAK) {
        object(w, in);
    } else if (in->order == AX_PLAIN) {
        plain(w, in);
    } else {
        simple(w, in);
    }
    fprintf(w->out, " /* %u:%u */\n", w->thread + 1, in->statement);
}

/* The instructions from `from` to before `to`.  An if ends before its target; where the
 * instruction before that is a jump of its own depth, an else follows, up to where that jumps.
 */
static void block(const struct writer *w, uint32_t from, uint32_t to)
{
    const struct ax_instr *code = w->t->code;
    for (uint32_t i = from; i < to; i++) {
        const struct ax_instr *in = &code[i];
        uint32_t end = in->target;
        if (in->op != AX_BRANCH) {
            statement(w, in);
            i += in->op == AX_ENTER ? 3 : in->op == AX_ARRIVE; /* the other parts */
            continue;
        }
        bool has_else = end > i + 1 && code[end - 1].op == AX_JUMP &&
                        code[end - 1].depth == in->depth;
        fprintf(w->out, "%*sif (", 4 + 4 * in->depth, "");
        value(w, in->a);
        fprintf(w->out, " %c= ", in->sign);
        value(w, in->b);
        fprintf(w->out, ") {\n");
        block(w, i + 1, has_else ? end - 1 : end);
        if (has_else) {
            fprintf(w->out, "%*s} else {\n", 4 + 4 * in->depth, "");
            block(w, end, code[end - 1].target);
            end = code[end - 1].target;
        }
        fprintf(w->out, "%*s}\n", 4 + 4 * in->depth, "");
        i = end - 1;
    }
}

static void places(const struct writer *w)
{
    static const char *const types[] = { [AX_MUTEX] = "pthread_mutex_t",
                                         [AX_SEMAPHORE] = "sem_t",
                                         [AX_CONDITION] = "pthread_cond_t",
                                         [AX_ROUNDS] = "pthread_barrier_t" };
    static const char *const initial[] = { [AX_MUTEX] = " = PTHREAD_MUTEX_INITIALIZER",
                                           [AX_SEMAPHORE] = "",
                                           [AX_CONDITION] = " = PTHREAD_COND_INITIALIZER",
                                           [AX_ROUNDS] = "" };
    for (uint8_t i = 0; i < w->p->n_places; i++) {
        const struct ax_place *at = &w->p->places[i];
        if (at->kind == AX_LOCATION)
            fprintf(w->out, "static UNUSED %sint p%u_%s = %d;\n", at->has_plain ? "" : "_Atomic ",
                    w->number, at->name, at->initial);
        else
            fprintf(w->out, "static UNUSED %s p%u_%s%s;\n", types[at->kind], w->number, at->name,
                    initial[at->kind]);
    }
}

/* Every thread writes its registers into the part of the array that is its own. */
static uint32_t threads(struct writer *w)
{
    uint32_t k = 0;
    for (w->thread = 0; w->thread < w->p->n_threads; w->thread++) {
        w->t = &w->p->threads[w->thread];
        fprintf(w->out, "static void *p%u_t%u(void *u)\n{\n", w->number, w->thread + 1);
        for (uint32_t r = 0; r < AX_REGISTERS; r++)
            fprintf(w->out, "%sint r%u = 0;%s", r % 8 ? " " : "    ", r, r % 8 == 7 ? "\n" : "");
        for (uint32_t r = 0; r < AX_REGISTERS; r++)
            fprintf(w->out, "%s(void)r%u;%s", r % 8 ? " " : "    ", r, r % 8 == 7 ? "\n" : "");
        block(w, 0, w->t->n);
        for (uint32_t r = 0; r < AX_REGISTERS; r++)
            if (w->t->registers >> r & 1)
                fprintf(w->out, "    p%u_out[%u] = r%u;\n", w->number, k++, r);
        fprintf(w->out, "    return u;\n}\n");
    }
    return k;
}

static uint32_t out_index(const struct ax_program *p, const struct ax_wish *w)
{
    uint32_t k = 0;
    for (uint32_t t = 0; t < p->n_threads; t++)
        for (uint32_t r = 0; r < AX_REGISTERS; r++) {
            if (w->thread == t + 1 && w->which == r)
                return k;
            k += p->threads[t].registers >> r & 1;
        }
    return k + w->which;
}

static void joined(const struct writer *w, uint32_t k)
{
    for (uint8_t i = 0; i < w->p->n_locations; i++) {
        fprintf(w->out, "    p%u_out[%u] = ", w->number, k + i);
        if (!w->p->places[i].has_plain)
            fprintf(w->out, "atomic_load_explicit(&");
        name(w, i);
        fprintf(w->out, w->p->places[i].has_plain ? ";\n" : ", memory_order_relaxed);\n");
    }
    fprintf(w->out, "    heddle_observe(p%u_out, sizeof p%u_out);\n", w->number, w->number);
    for (uint32_t i = 0; i < w->p->n_wishes; i++)
        fprintf(w->out, "%sp%u_out[%u] == %d%s", i ? " && " : "    assert(!(", w->number,
                out_index(w->p, &w->p->wishes[i]), w->p->wishes[i].value,
                i + 1 == w->p->n_wishes ? "));\n" : "");
}

void ax_emit_program(FILE *out, const struct ax_program *p, uint32_t number, const char *title,
                     const char *note)
{
    struct writer w = { .out = out, .p = p, .number = number };
    uint32_t size = p->n_locations;
    for (uint32_t t = 0; t < p->n_threads; t++)
        size += (uint32_t)__builtin_popcount(p->threads[t].registers);
    fprintf(out, "\n/* program %u: %s%s%s */\n", number, title, note ? "; " : "",
            note ? note : "");
    places(&w);
    fprintf(out, "static int p%u_out[%u];\n", number, size ? size : 1);
    uint32_t k = threads(&w);
    fprintf(out, "static void p%u(void)\n{\n    pthread_t t[%u];\n", number, p->n_threads);
    for (uint8_t i = 0; i < p->n_places; i++)
        if (p->places[i].kind == AX_SEMAPHORE)
            fprintf(out, "    sem_init(&p%u_%s, 0, %d);\n", number, p->places[i].name,
                    p->places[i].initial);
        else if (p->places[i].kind == AX_ROUNDS)
            fprintf(out, "    pthread_barrier_init(&p%u_%s, 0, %d);\n", number, p->places[i].name,
                    p->places[i].initial);
    for (uint32_t t = 0; t < p->n_threads; t++)
        fprintf(out, "    pthread_create(&t[%u], 0, p%u_t%u, 0);\n", t, number, t + 1);
    for (uint32_t t = 0; t < p->n_threads; t++)
        fprintf(out, "    pthread_join(t[%u], 0);\n", t);
    joined(&w, k);
    fprintf(out, "}\n");
}

void ax_emit_main(FILE *out, uint32_t programs)
{
    fprintf(out, "\nstatic void (*const programs[])(void) = {\n");
    for (uint32_t i = 0; i < programs; i++)
        fprintf(out, "    p%u,\n", i);
    fprintf(out,
            "};\n\nint main(int argc, char **argv)\n{\n"
            "    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;\n"
            "    if (n >= %u)\n        return 2;\n    programs[n]();\n    return 0;\n}\n",
            programs);
}
