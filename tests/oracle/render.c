#include "render_parts.h"

#include "invariant.h"
#include "render.h"

#include <stdarg.h>
#include <string.h>

void orc_put(struct text *x, const char *fmt, ...)
{
    char buf[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    for (const char *p = buf; *p; p++)
        x->line += *p == '\n';
    fputs(buf, x->out);
}

static void put_indent(struct text *x) { orc_put(x, "%*s", (int)(4 * x->indent), ""); }

struct name orc_place(const struct text *x, struct orc_ref r)
{
    static const char *const members[] = { [1] = "b", [2] = "h", [4] = "w" };
    struct name n;
    unsigned i = x->index, v = r.var;
    if (x->p->vars[v] != ORC_MIX)
        snprintf(n.s, sizeof n.s, "g%u.v%u", i, v);
    else if (r.size == 8)
        snprintf(n.s, sizeof n.s, "g%u.v%u.q", i, v);
    else if (r.size == 2 && r.at == 3)
        snprintf(n.s, sizeof n.s, "g%u.v%u.p.mid", i, v);
    else
        snprintf(n.s, sizeof n.s, "g%u.v%u.%s[%u]", i, v, members[r.size], r.at / r.size);
    return n;
}

/* An expression of locals, as a value for bytes of that size. */
struct name orc_value(const struct orc_expr *e, uint32_t size)
{
    static const char *const casts[] = {
        [1] = "(unsigned char)", [2] = "(unsigned short)", [4] = "", [8] = "TWICE"
    };
    struct name n;
    const char *c = casts[size];
    switch (e->kind) {
    case ORC_CONST:
        snprintf(n.s, sizeof n.s, "%s(%uu)", c, e->k);
        break;
    case ORC_LOCAL:
        snprintf(n.s, sizeof n.s, "%s(l%u)", c, e->a);
        break;
    case ORC_ADD:
        snprintf(n.s, sizeof n.s, "%s(l%u + %uu)", c, e->a, e->k);
        break;
    case ORC_XOR:
        snprintf(n.s, sizeof n.s, "%s(l%u ^ l%u)", c, e->a, e->b);
        break;
    default:
        snprintf(n.s, sizeof n.s, "%s(2u * l%u + %uu)", c, e->a, e->k);
        break;
    }
    return n;
}

static const char *cmp_text(uint8_t cmp)
{
    static const char *const texts[] = { "==", "!=", "<", ">=" };
    return texts[cmp];
}

static const char *read_open(struct orc_ref r) { return r.size == 8 ? "FOLD(" : "("; }

static void put_block_access(struct text *x, const struct orc_stmt *s)
{
    unsigned i = x->index, v = s->ref.var;
    const char *field = s->object ? "b" : "a";
    switch (s->kind) {
    case ORC_BITS_READ:
        orc_put(x, "l%u = g%u.v%u.%s;\n", s->local, i, v, field);
        break;
    case ORC_BITS_WRITE:
        orc_put(x, "g%u.v%u.%s = %s;\n", i, v, field, orc_value(&s->expr, 1).s);
        break;
    case ORC_COPY:
        orc_put(x, "g%u.v%u = g%u.v%u;\n", i, v, i, s->ref2.var);
        break;
    default:
        orc_put(x, "memset(&g%u.v%u, %u, sizeof g%u.v%u);\n", i, v, s->k, i, v);
    }
}

static void put_block(struct text *x, uint16_t first);

static void put_branch(struct text *x, const struct orc_stmt *s)
{
    put_block(x, s->body);
    put_indent(x);
    if (s->other != ORC_NONE) {
        orc_put(x, "} else {\n");
        put_block(x, s->other);
        put_indent(x);
    }
    orc_put(x, "}\n");
}

static void put_section(struct text *x, const struct orc_stmt *s)
{
    orc_put(x, "heddle_atomic_begin();\n");
    put_block(x, s->body);
    put_indent(x);
    orc_put(x, "heddle_atomic_end();\n");
}

static void put_control(struct text *x, const struct orc_stmt *s)
{
    switch (s->kind) {
    case ORC_IF:
        orc_put(x, "if (l%u %s %uu) {\n", s->local, cmp_text(s->cmp), s->k);
        break;
    case ORC_IF_REF:
        orc_put(x, "if (%s%s) %s %uu) {\n", read_open(s->ref), orc_place(x, s->ref).s,
                cmp_text(s->cmp), s->k);
        break;
    case ORC_TRYLOCK:
        orc_put(x, "if (pthread_mutex_trylock(&m%u_%u) == 0) {\n", x->index, s->object);
        break;
    case ORC_TIMEDLOCK:
        orc_put(x, "if (pthread_mutex_timedlock(&m%u_%u, &past) == 0) {\n", x->index, s->object);
        break;
    case ORC_TRYRDLOCK:
        orc_put(x, "if (pthread_rwlock_tryrdlock(&r%u_%u) == 0) {\n", x->index, s->object);
        break;
    case ORC_TRYWRLOCK:
        orc_put(x, "if (pthread_rwlock_trywrlock(&r%u_%u) == 0) {\n", x->index, s->object);
        break;
    case ORC_TIMEDRDLOCK:
        orc_put(x, "if (pthread_rwlock_timedrdlock(&r%u_%u, &past) == 0) {\n", x->index,
                s->object);
        break;
    case ORC_TIMEDWRLOCK:
        orc_put(x, "if (pthread_rwlock_timedwrlock(&r%u_%u, &past) == 0) {\n", x->index,
                s->object);
        break;
    case ORC_SEM_TRYWAIT:
        orc_put(x, "if (sem_trywait(&s%u_%u) == 0) {\n", x->index, s->object);
        break;
    case ORC_SEM_TIMEDWAIT:
        orc_put(x, "if (sem_timedwait(&s%u_%u, &past) == 0) {\n", x->index, s->object);
        break;
    default: {
        unsigned i = x->loops++;
        orc_put(x, "for (unsigned i%u = 0; i%u < %u; i%u++) {\n", i, i, s->k, i);
        put_branch(x, s);
        x->loops--;
        return;
    }
    }
    put_branch(x, s);
}

static void put_more(struct text *x, const struct orc_stmt *s)
{
    unsigned i = x->index, o = s->object;
    switch (s->kind) {
    case ORC_TIMEDWAIT:
        orc_put(x, "l%u = pthread_cond_timedwait(&c%u_%u, &m%u_%u, &past) == ETIMEDOUT;\n",
                s->local, i, o, i, s->object2);
        break;
    case ORC_RDLOCK:
        orc_put(x, "pthread_rwlock_rdlock(&r%u_%u);\n", i, o);
        break;
    case ORC_WRLOCK:
        orc_put(x, "pthread_rwlock_wrlock(&r%u_%u);\n", i, o);
        break;
    case ORC_RWUNLOCK:
        orc_put(x, "pthread_rwlock_unlock(&r%u_%u);\n", i, o);
        break;
    case ORC_SEM_WAIT:
        orc_put(x, "sem_wait(&s%u_%u);\n", i, o);
        break;
    case ORC_SEM_POST:
        orc_put(x, "sem_post(&s%u_%u);\n", i, o);
        break;
    case ORC_BARRIER:
        orc_put(x, "l%u = pthread_barrier_wait(&b%u) == PTHREAD_BARRIER_SERIAL_THREAD;\n",
                s->local, i);
        break;
    case ORC_CHOOSE:
        orc_put(x, "l%u = (unsigned)heddle_choose(%u);\n", s->local, s->k);
        break;
    default:
        orc_put(x, "sched_yield();\n");
    }
}

static void put_sync(struct text *x, const struct orc_stmt *s)
{
    unsigned i = x->index, o = s->object;
    switch (s->kind) {
    case ORC_LOCK:
        orc_put(x, "pthread_mutex_lock(&m%u_%u);\n", i, o);
        break;
    case ORC_LOCK_AGAIN:
        orc_put(x, "l%u = pthread_mutex_lock(&m%u_%u) == EDEADLK;\n", s->local, i, o);
        break;
    case ORC_UNLOCK:
        orc_put(x, "pthread_mutex_unlock(&m%u_%u);\n", i, o);
        break;
    case ORC_WAIT:
        orc_put(x, "pthread_cond_wait(&c%u_%u, &m%u_%u);\n", i, o, i, s->object2);
        break;
    case ORC_WAIT_LOOP:
        orc_put(x, "for (unsigned n = 0; n < %u && %s%s) %s %uu; n++)\n", s->k2,
                read_open(s->ref), orc_place(x, s->ref).s, cmp_text(s->cmp), s->k);
        put_indent(x);
        orc_put(x, "    pthread_cond_wait(&c%u_%u, &m%u_%u);\n", i, o, i, s->object2);
        break;
    case ORC_SIGNAL:
        orc_put(x, "pthread_cond_signal(&c%u_%u);\n", i, o);
        break;
    case ORC_BROADCAST:
        orc_put(x, "pthread_cond_broadcast(&c%u_%u);\n", i, o);
        break;
    case ORC_CREATE:
        orc_put(x, "pthread_create(&tid%u[%u], 0, t%u_%u, 0);\n", i, o, i, o);
        break;
    case ORC_JOIN:
        orc_put(x, "pthread_join(tid%u[%u], 0);\n", i, o);
        break;
    case ORC_DETACH:
        orc_put(x, "pthread_detach(tid%u[%u]);\n", i, o);
        break;
    default:
        put_more(x, s);
    }
}

static void put_stmt(struct text *x, struct orc_stmt *s)
{
    put_indent(x);
    s->line = x->line;
    switch (s->kind) {
    case ORC_READ:
        orc_put(x, "l%u = %s%s);\n", s->local, read_open(s->ref), orc_place(x, s->ref).s);
        break;
    case ORC_WRITE:
        orc_put(x, "%s = %s;\n", orc_place(x, s->ref).s, orc_value(&s->expr, s->ref.size).s);
        break;
    case ORC_UPDATE:
        orc_put(x, "%s = %s(%s%s) + %uu);\n", orc_place(x, s->ref).s,
                s->ref.size == 8   ? "TWICE"
                : s->ref.size == 4 ? ""
                : s->ref.size == 2 ? "(unsigned short)"
                                   : "(unsigned char)",
                read_open(s->ref2), orc_place(x, s->ref2).s, s->k);
        break;
    case ORC_BITS_READ:
    case ORC_BITS_WRITE:
    case ORC_COPY:
    case ORC_FILL:
        put_block_access(x, s);
        break;
    case ORC_ATOMIC_LOAD:
    case ORC_ATOMIC_STORE:
    case ORC_ATOMIC_RMW:
    case ORC_ATOMIC_CAS:
    case ORC_FENCE:
        orc_put_atomic(x, s);
        break;
    case ORC_SET:
        orc_put(x, "l%u = %s;\n", s->local, orc_value(&s->expr, 4).s);
        break;
    case ORC_SECTION:
        put_section(x, s);
        break;
    case ORC_ASSUME:
        orc_put(x, "heddle_assume(l%u %s %uu);\n", s->local, cmp_text(s->cmp), s->k);
        break;
    case ORC_ASSERT:
        orc_put(x, "assert(l%u %s %uu);\n", s->local, cmp_text(s->cmp), s->k);
        break;
    case ORC_IF:
    case ORC_IF_REF:
    case ORC_TRYLOCK:
    case ORC_TIMEDLOCK:
    case ORC_TRYRDLOCK:
    case ORC_TRYWRLOCK:
    case ORC_TIMEDRDLOCK:
    case ORC_TIMEDWRLOCK:
    case ORC_SEM_TRYWAIT:
    case ORC_SEM_TIMEDWAIT:
    case ORC_LOOP:
        put_control(x, s);
        break;
    default:
        put_sync(x, s);
    }
}

static void put_block(struct text *x, uint16_t first)
{
    x->indent++;
    for (uint16_t i = first; i != ORC_NONE; i = x->p->stmts[i].next)
        put_stmt(x, &x->p->stmts[i]);
    x->indent--;
}

static void put_memory(struct text *x)
{
    static const char *const types[] = {
        [ORC_INT] = "unsigned",
        [ORC_CHAR] = "unsigned char",
        [ORC_SHORT] = "unsigned short",
        [ORC_MIX] = "union mix",
        [ORC_ATOMIC_INT] = "_Atomic unsigned",
        [ORC_ATOMIC_CHAR] = "_Atomic unsigned char",
        [ORC_BITS] = "struct bits",
    };
    struct orc_layout lay;
    orc_layout(x->p, &lay);
    orc_put(x, "static struct%s {\n", x->p->packed ? " __attribute__((packed, aligned(8)))" : "");
    for (uint32_t v = 0; v < x->p->n_vars; v++)
        orc_put(x, "    %s v%u;\n", types[x->p->vars[v]], v);
    orc_put(x, "    unsigned obs;\n} g%u;\n", x->index);
    orc_put(x, "_Static_assert(sizeof g%u == %u, \"size\");\n", x->index, lay.size);
    orc_put(x, "_Static_assert(__builtin_offsetof(__typeof__(g%u), obs) == %u, \"obs\");\n",
            x->index, lay.obs);
}

static void put_objects(struct text *x)
{
    static const char *const mutexes[] = {
        [ORC_NORMAL] = "PTHREAD_MUTEX_INITIALIZER",
        [ORC_RECURSIVE] = "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
        [ORC_ERRORCHECK] = "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    };
    const struct orc_program *p = x->p;
    orc_put(x, "static pthread_t tid%u[%u];\n", x->index, ORC_MAX_THREADS);
    for (uint32_t i = 0; i < p->n_mutexes; i++)
        orc_put(x, "static pthread_mutex_t m%u_%u%s%s;\n", x->index, i, p->inits ? "" : " = ",
                p->inits ? "" : mutexes[p->mutexes[i]]);
    for (uint32_t i = 0; i < p->n_conds; i++)
        orc_put(x, "static pthread_cond_t c%u_%u%s;\n", x->index, i,
                p->inits ? "" : " = PTHREAD_COND_INITIALIZER");
    for (uint32_t i = 0; i < p->n_rwlocks; i++)
        orc_put(x, "static pthread_rwlock_t r%u_%u%s;\n", x->index, i,
                p->inits ? "" : " = PTHREAD_RWLOCK_INITIALIZER");
    for (uint32_t i = 0; i < p->n_sems; i++)
        orc_put(x, "static sem_t s%u_%u;\n", x->index, i);
    if (p->barrier)
        orc_put(x, "static pthread_barrier_t b%u;\n", x->index);
}

/* There is no other way to initialise these. */
static void put_always_inits(struct text *x)
{
    for (uint32_t i = 0; i < x->p->n_sems; i++)
        orc_put(x, "    sem_init(&s%u_%u, 0, %u);\n", x->index, i, x->p->sem_value[i]);
    if (x->p->barrier)
        orc_put(x, "    pthread_barrier_init(&b%u, 0, %u);\n", x->index, x->p->barrier);
}

static void put_inits(struct text *x)
{
    static const char *const kinds[] = { [ORC_NORMAL] = "PTHREAD_MUTEX_NORMAL",
                                         [ORC_RECURSIVE] = "PTHREAD_MUTEX_RECURSIVE",
                                         [ORC_ERRORCHECK] = "PTHREAD_MUTEX_ERRORCHECK" };
    for (uint32_t i = 0; i < x->p->n_mutexes; i++)
        orc_put(x, "    mutex_init(&m%u_%u, %s);\n", x->index, i, kinds[x->p->mutexes[i]]);
    for (uint32_t i = 0; i < x->p->n_conds; i++)
        orc_put(x, "    pthread_cond_init(&c%u_%u, 0);\n", x->index, i);
    for (uint32_t i = 0; i < x->p->n_rwlocks; i++)
        orc_put(x, "    pthread_rwlock_init(&r%u_%u, 0);\n", x->index, i);
}

static void put_destroys(struct text *x)
{
    for (uint32_t i = 0; i < x->p->n_mutexes; i++)
        orc_put(x, "    pthread_mutex_destroy(&m%u_%u);\n", x->index, i);
    for (uint32_t i = 0; i < x->p->n_conds; i++)
        orc_put(x, "    pthread_cond_destroy(&c%u_%u);\n", x->index, i);
    for (uint32_t i = 0; i < x->p->n_rwlocks; i++)
        orc_put(x, "    pthread_rwlock_destroy(&r%u_%u);\n", x->index, i);
    for (uint32_t i = 0; i < x->p->n_sems; i++)
        orc_put(x, "    sem_destroy(&s%u_%u);\n", x->index, i);
    if (x->p->barrier)
        orc_put(x, "    pthread_barrier_destroy(&b%u);\n", x->index);
}

static void put_invariants(struct text *x)
{
    char text[200];
    for (uint32_t k = 0; k < x->p->n_invariants; k++) {
        orc_invariant_text(&x->p->invariants[k], x->index, text, sizeof text);
        orc_put(x, "static int i%u_%u(void)\n{\n    %s\n}\n", x->index, k, text);
    }
}

static void put_program(struct text *x)
{
    const struct orc_program *p = x->p;
    unsigned i = x->index;
    orc_put(x, "\n/* program %u, seed %llu */\n", i, (unsigned long long)p->seed);
    put_memory(x);
    put_objects(x);
    put_invariants(x);
    for (uint32_t t = 1; t < p->n_threads; t++)
        orc_put(x, "static void *t%u_%u(void *);\n", i, t);
    for (uint32_t t = 0; t < p->n_threads; t++) {
        if (t == 0)
            orc_put(x, "static void prog_%u(void)\n{\n", i);
        else
            orc_put(x, "static void *t%u_%u(void *unused)\n{\n    (void)unused;\n", i, t);
        orc_put(x, "    unsigned l0 = 0, l1 = 0, l2 = 0;\n    (void)l0, (void)l1, (void)l2;\n");
        if (t == 0)
            put_always_inits(x);
        if (t == 0 && p->inits)
            put_inits(x);
        for (uint32_t k = 0; t == 0 && k < p->n_invariants; k++)
            orc_put(x, "    heddle_invariant(i%u_%u);\n", i, k);
        put_block(x, p->body[t]);
        if (t == 0) {
            orc_put(x, "    g%u.obs = PACK(l0, l1, l2);\n", i);
            if (p->joins_all)
                orc_put(x, "    heddle_observe(&g%u, sizeof g%u);\n", i, i);
            else
                orc_put(x, "    heddle_observe(&g%u.obs, sizeof g%u.obs);\n", i, i);
            if (p->destroys)
                put_destroys(x);
        }
        orc_put(x, "%s}\n",
                p->exits[t] ? "    pthread_exit(0);\n"
                : t == 0    ? ""
                            : "    return 0;\n");
    }
}

static const char head[] =
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n"
    "#include <sched.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n\n"
    "extern void heddle_observe(const void *, unsigned long);\n"
    "extern int heddle_choose(int);\nextern void heddle_invariant(int (*)(void));\n"
    "extern void heddle_assume(int);\n"
    "extern void heddle_atomic_begin(void);\n"
    "extern void heddle_atomic_end(void);\n\n"
    "static const struct timespec past = { 1, 0 };\n\n"
    "union mix {\n    unsigned long q;\n    unsigned w[2];\n    unsigned short h[4];\n"
    "    unsigned char b[8];\n"
    "    struct __attribute__((packed)) {\n        unsigned char low[3];\n"
    "        unsigned short mid;\n    } p;\n};\n\n"
    "struct bits {\n    unsigned char a : 3, b : 5;\n};\n\n"
    "static inline unsigned FOLD(unsigned long v)\n{\n"
    "    return (unsigned)v ^ (unsigned)(v >> 32);\n}\n"
    "static inline unsigned long TWICE(unsigned v)\n{\n"
    "    return v * 0x100000001ul;\n}\n"
    "#define USE(x) __asm__ volatile(\"\" : : \"r\"(x))\n"
    "static inline unsigned PACK(unsigned a, unsigned b, unsigned c)\n{\n"
    "    return a ^ b * 257u ^ c * 65537u;\n}\n"
    "static inline void mutex_init(pthread_mutex_t *m, int kind)\n{\n"
    "    pthread_mutexattr_t attr;\n    pthread_mutexattr_init(&attr);\n"
    "    pthread_mutexattr_settype(&attr, kind);\n    pthread_mutex_init(m, &attr);\n"
    "    pthread_mutexattr_destroy(&attr);\n}\n";

bool orc_render(struct orc_program *programs, uint32_t n, FILE *out)
{
    struct text x = { .out = out, .line = 1 };
    orc_put(&x, "%s", head);
    for (x.index = 0; x.index < n; x.index++) {
        x.p = &programs[x.index];
        put_program(&x);
    }
    orc_put(&x, "\nstatic void (*const programs[])(void) = {\n");
    for (uint32_t i = 0; i < n; i++)
        orc_put(&x, "    prog_%u,\n", i);
    orc_put(&x,
            "};\n\nint main(int argc, char **argv)\n{\n"
            "    if (argc < 2 || (unsigned)atoi(argv[1]) >= %u)\n        return 2;\n"
            "    programs[atoi(argv[1])]();\n    return 0;\n}\n",
            n);
    return fflush(out) == 0 && !ferror(out);
}
