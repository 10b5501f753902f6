#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void orc_state_init(const struct orc_lowered *m, struct orc_state *s)
{
    memset(s, 0, sizeof *s);
    memset(s->owner, ORC_NOBODY, sizeof s->owner);
    memset(s->writer, ORC_NOBODY, sizeof s->writer);
    memcpy(s->sem, m->program->sem_value, sizeof s->sem);
    s->life[0] = ORC_LIVE;
}

bool orc_cmp_holds(uint8_t cmp, uint32_t x, uint32_t k)
{
    switch (cmp) {
    case ORC_EQ:
        return x == k;
    case ORC_NE:
        return x != k;
    case ORC_LT:
        return x < k;
    default:
        return x >= k;
    }
}

uint32_t orc_evaluate(const struct orc_expr *e, const uint32_t *reg)
{
    switch (e->kind) {
    case ORC_CONST:
        return e->k;
    case ORC_LOCAL:
        return reg[e->a];
    case ORC_ADD:
        return reg[e->a] + e->k;
    case ORC_XOR:
        return reg[e->a] ^ reg[e->b];
    default:
        return 2 * reg[e->a] + e->k;
    }
}

/* Little-endian; eight bytes are folded into a word and filled with it twice. */
static uint32_t load(const struct orc_state *s, uint32_t at, uint32_t size)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < size; i++)
        v |= (uint64_t)s->memory[at + i] << 8 * i;
    return (uint32_t)v ^ (uint32_t)(v >> 32);
}

static void store(struct orc_state *s, uint32_t at, uint32_t size, uint32_t value)
{
    uint64_t v = value | (uint64_t)value << 32;
    for (uint32_t i = 0; i < size; i++)
        s->memory[at + i] = (uint8_t)(v >> 8 * i);
}

static uint32_t truncated(uint32_t v, uint32_t size)
{
    return size >= 4 ? v : v & ((1u << 8 * size) - 1);
}

bool orc_state_gives_up(const struct orc_lowered *m, const struct orc_state *s, uint32_t t)
{
    return s->life[t] == ORC_LIVE && m->code[t][s->pc[t]].op == ORC_L_ASSUME;
}

bool orc_state_moves(const struct orc_lowered *m, const struct orc_state *s)
{
    for (uint32_t t = 0; t < m->program->n_threads; t++)
        if (!orc_state_gives_up(m, s, t) && orc_state_choices(m, s, t))
            return true;
    return false;
}

uint32_t orc_state_choices(const struct orc_lowered *m, const struct orc_state *s, uint32_t t)
{
    if (s->life[t] != ORC_LIVE || (s->inside && s->inside != t + 1))
        return 0;
    const struct orc_code *c = &m->code[t][s->pc[t]];
    switch (c->op) {
    case ORC_V_LOCK:
        return s->owner[c->object] == ORC_NOBODY || s->owner[c->object] == t;
    case ORC_V_RELOCK:
        return !s->queued[t] && s->owner[c->object2] == ORC_NOBODY;
    case ORC_V_JOIN:
        return s->life[c->object] == ORC_GONE;
    case ORC_V_SIGNAL:
        return s->n_queue[c->object] > 1 ? s->n_queue[c->object] : 1;
    case ORC_V_RDLOCK:
        return s->writer[c->object] == ORC_NOBODY;
    case ORC_V_WRLOCK:
        return s->writer[c->object] == ORC_NOBODY && s->readers[c->object] == 0;
    case ORC_V_SEM_WAIT:
        return s->sem[c->object] > 0;
    case ORC_V_ARRIVE:
        return s->arrived + 1 == m->program->barrier ? m->program->barrier : 1;
    case ORC_V_LEAVE:
        return !s->queued[t];
    case ORC_V_CHOOSE:
        return c->k;
    default:
        return 1;
    }
}

/* Takes away the threads that can move, then those that wait for one which was taken away, and
 * so on: what is left waits for itself.  Threads that wait for something else than a lock or
 * the end of a thread count as able to move: somebody may come. */
bool orc_state_circle(const struct orc_lowered *m, const struct orc_state *s)
{
    bool stuck[ORC_MAX_THREADS], changed = true, any = false;
    uint8_t holder[ORC_MAX_THREADS];
    uint32_t n = m->program->n_threads;
    for (uint32_t t = 0; t < n; t++) {
        const struct orc_code *c = &m->code[t][s->pc[t]];
        bool relock = c->op == ORC_V_RELOCK && !s->queued[t];
        bool rw = (c->op == ORC_V_RDLOCK || c->op == ORC_V_WRLOCK) &&
                  s->writer[c->object] != ORC_NOBODY;
        bool join = c->op == ORC_V_JOIN;
        stuck[t] = s->life[t] == ORC_LIVE && (c->op == ORC_V_LOCK || relock || rw || join) &&
                   orc_state_choices(m, s, t) == 0;
        holder[t] = !stuck[t] ? ORC_NOBODY
                    : join    ? c->object
                    : rw      ? s->writer[c->object]
                              : s->owner[relock ? c->object2 : c->object];
    }
    while (changed) {
        changed = false;
        for (uint32_t t = 0; t < n; t++)
            if (stuck[t] && !stuck[holder[t]]) {
                stuck[t] = false;
                changed = true;
            }
    }
    for (uint32_t t = 0; t < n; t++)
        any = any || stuck[t];
    return any;
}

static void touch(struct orc_event *e, int i, enum orc_space space, uint32_t begin, uint32_t n,
                  bool writes)
{
    e->touch[i] = (struct orc_touch){ (uint8_t)space, (uint8_t)begin, (uint8_t)(begin + n),
                                      writes };
}

static void take(struct orc_state *s, uint32_t mutex, uint32_t t)
{
    s->owner[mutex] = (uint8_t)t;
    s->count[mutex]++;
}

static void give(struct orc_state *s, uint32_t mutex)
{
    if (--s->count[mutex] == 0)
        s->owner[mutex] = ORC_NOBODY;
}

static enum orc_end step_mutex(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                               const struct orc_code *c, struct orc_event *e)
{
    uint32_t x = c->object, kind = m->program->mutexes[x];
    bool own = s->owner[x] == t, held = s->owner[x] != ORC_NOBODY;
    touch(e, 0, ORC_SPACE_MUTEX, x, 1, true);
    if (c->op == ORC_V_UNLOCK) {
        if (!own)
            return ORC_MISUSED;
        give(s, x);
        return ORC_GOES_ON;
    }
    bool takes = !held || (own && kind == ORC_RECURSIVE);
    if (takes)
        take(s, x, t);
    if (c->op == ORC_V_TRYLOCK || c->op == ORC_V_TIMEDLOCK) {
        e->touch[0].writes = takes;
        s->reg[t][c->reg] = takes;
    } else {
        s->reg[t][c->reg] = !takes;
    }
    return ORC_GOES_ON;
}

static void wake(struct orc_state *s, uint32_t cond, uint32_t at)
{
    uint8_t *q = s->queue[cond];
    s->queued[q[at]] = 0;
    s->n_queue[cond]--;
    for (uint32_t i = at; i < s->n_queue[cond]; i++)
        q[i] = q[i + 1];
    q[s->n_queue[cond]] = 0;
}

static void step_cond(struct orc_state *s, uint32_t t, const struct orc_code *c, uint32_t choice,
                      struct orc_event *e)
{
    uint32_t x = c->object;
    touch(e, 0, ORC_SPACE_COND, x, 1, true);
    switch (c->op) {
    case ORC_V_WAKE:
        s->reg[t][c->reg] = s->queued[t];
        for (uint32_t i = 0; i < s->n_queue[x] && s->queued[t]; i++)
            if (s->queue[x][i] == t)
                wake(s, x, i);
        break;
    case ORC_V_WAIT:
    case ORC_V_TIMEDWAIT:
        touch(e, 1, ORC_SPACE_MUTEX, c->object2, 1, true);
        give(s, c->object2);
        s->queue[x][s->n_queue[x]++] = (uint8_t)t;
        s->queued[t] = 1;
        break;
    case ORC_V_SIGNAL:
        if (s->n_queue[x]) {
            e->waker = s->queue[x][choice];
            wake(s, x, choice);
        }
        break;
    default:
        while (s->n_queue[x])
            wake(s, x, 0);
    }
}

static void step_rwlock(struct orc_state *s, uint32_t t, const struct orc_code *c,
                        struct orc_event *e)
{
    uint32_t x = c->object;
    bool free = s->writer[x] == ORC_NOBODY;
    bool reads = c->op == ORC_V_RDLOCK || c->op == ORC_V_TRYRDLOCK;
    touch(e, 0, ORC_SPACE_RWLOCK, x, 1, true);
    if (c->op == ORC_V_RWUNLOCK) {
        s->readers[x] = (uint8_t)(s->readers[x] - s->reads[t][x]);
        s->reads[t][x] = 0;
        if (s->writer[x] == t)
            s->writer[x] = ORC_NOBODY;
        return;
    }
    bool takes = free && (reads || s->readers[x] == 0);
    if (takes && reads) {
        s->readers[x]++;
        s->reads[t][x] = 1;
    } else if (takes) {
        s->writer[x] = (uint8_t)t;
    }
    e->touch[0].writes = takes;
    if (c->op == ORC_V_TRYRDLOCK || c->op == ORC_V_TRYWRLOCK)
        s->reg[t][c->reg] = takes;
}

static void step_semaphore(struct orc_state *s, uint32_t t, const struct orc_code *c,
                           struct orc_event *e)
{
    bool takes = s->sem[c->object] > 0;
    touch(e, 0, ORC_SPACE_SEM, c->object, 1, takes || c->op == ORC_V_SEM_POST);
    if (c->op == ORC_V_SEM_POST) {
        s->sem[c->object]++;
        return;
    }
    s->sem[c->object] = (uint8_t)(s->sem[c->object] - takes);
    if (c->op == ORC_V_SEM_TRYWAIT)
        s->reg[t][c->reg] = takes;
}

/* The serial thread is by choice the last to arrive, or one of the others, by their numbers. */
static void step_barrier(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                         const struct orc_code *c, uint32_t choice, struct orc_event *e)
{
    if (c->op == ORC_V_LEAVE) {
        s->reg[t][c->reg] = s->serial[t];
        return;
    }
    touch(e, 0, ORC_SPACE_BARRIER, 0, 1, true);
    if (s->arrived + 1 < m->program->barrier) {
        s->arrived++;
        s->queued[t] = 1;
        return;
    }
    e->waker = (uint8_t)t;
    for (uint32_t u = 0; u < m->program->n_threads; u++)
        if (s->queued[u] && m->code[u][s->pc[u]].op == ORC_V_LEAVE) {
            s->queued[u] = 0;
            s->serial[u] = --choice == 0;
            e->waker = s->serial[u] ? (uint8_t)u : e->waker;
        }
    s->arrived = 0;
    s->reg[t][c->reg] = e->waker == t;
    s->pc[t]++; /* nobody to wait for */
}

static void step_memory(struct orc_state *s, uint32_t t, const struct orc_code *c,
                        struct orc_event *e)
{
    uint32_t *reg = s->reg[t], value = orc_evaluate(&c->expr, reg);
    uint32_t old = load(s, c->offset, c->size), now = value;
    bool writes = true;
    switch (c->op) {
    case ORC_V_READ:
        reg[c->reg] = c->mask ? (old & c->mask) >> c->shift : old;
        writes = false;
        break;
    case ORC_V_WRITE:
        if (c->mask)
            now = (reg[ORC_TEMP] & ~(uint32_t)c->mask) | (value << c->shift & c->mask);
        break;
    case ORC_V_WRITE_OBS:
        now = ORC_PACK(reg[0], reg[1], reg[2]);
        break;
    case ORC_V_RMW:
        now = c->rmw == ORC_RMW_ADD   ? old + value
              : c->rmw == ORC_RMW_SUB ? old - value
              : c->rmw == ORC_RMW_OR  ? (old | value)
              : c->rmw == ORC_RMW_XOR ? (old ^ value)
                                      : value;
        if (!c->blind)
            reg[c->reg] = old;
        e->commutes = c->blind ? orc_rmw_kind(c->rmw) : 0;
        break;
    default: /* ORC_V_CAS */
        writes = old == truncated(value, c->size);
        now = c->k;
        reg[c->reg] = writes;
    }
    touch(e, 0, ORC_SPACE_MEMORY, c->offset, c->size, writes);
    e->stores = c->op == ORC_V_WRITE || c->op == ORC_V_WRITE_OBS;
    if (writes)
        store(s, c->offset, c->size, now);
}

/* Whole blocks of memory: a copy reads one and writes another. */
static void step_block(struct orc_state *s, const struct orc_code *c, struct orc_event *e)
{
    touch(e, 0, ORC_SPACE_MEMORY, c->offset, c->size, true);
    e->stores = c->op == ORC_V_FILL;
    if (c->op == ORC_V_FILL) {
        memset(s->memory + c->offset, (int)c->k, c->size);
        return;
    }
    touch(e, 1, ORC_SPACE_MEMORY, c->offset2, c->size, false);
    memmove(s->memory + c->offset, s->memory + c->offset2, c->size);
}

/* Starts, ends, creations and joins of threads, and the end of the process. */
static enum orc_end step_thread(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                                const struct orc_code *c, struct orc_event *e)
{
    bool own = c->op == ORC_V_START || c->op == ORC_V_EXIT;
    if (c->op == ORC_V_END) {
        e->all = 1;
        return ORC_ENDED;
    }
    if (c->op == ORC_V_CREATE)
        s->life[c->object] = ORC_LIVE;
    touch(e, 0, ORC_SPACE_THREAD, own ? t : c->object, 1, true);
    if (c->op != ORC_V_EXIT)
        return ORC_GOES_ON;
    s->life[t] = ORC_GONE;
    for (uint32_t u = 0; u < m->program->n_threads; u++)
        if (s->life[u] == ORC_LIVE)
            return ORC_GOES_ON;
    return ORC_ENDED; /* the last thread takes the process with it */
}

static void step_choice(struct orc_state *s, uint32_t t, const struct orc_code *c,
                        uint32_t choice, struct orc_event *e)
{
    e->all = s->inside != 0;
    e->waker = (uint8_t)choice;
    s->reg[t][c->reg] = choice;
}

/* A woken thread takes the mutex of its wait again. */
static void step_relock(struct orc_state *s, uint32_t t, const struct orc_code *c,
                        struct orc_event *e)
{
    touch(e, 0, ORC_SPACE_MUTEX, c->object2, 1, true);
    take(s, c->object2, t);
}

static enum orc_end step_visible(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                                 const struct orc_code *c, uint32_t choice, struct orc_event *e)
{
    switch (c->op) {
    case ORC_V_START:
    case ORC_V_EXIT:
    case ORC_V_END:
    case ORC_V_CREATE:
    case ORC_V_JOIN:
        return step_thread(m, s, t, c, e);
    case ORC_V_SECTION:
        e->all = 1;
        s->inside = (uint8_t)(t + 1);
        break;
    case ORC_V_CLOCK:
        touch(e, 0, ORC_SPACE_CLOCK, 0, 1, true); /* fall through */
    case ORC_V_DETACH:
    case ORC_V_READ_TID:
    case ORC_V_YIELD:
        break;
    case ORC_V_CHOOSE:
        step_choice(s, t, c, choice, e);
        break;
    case ORC_V_RDLOCK:
    case ORC_V_WRLOCK:
    case ORC_V_RWUNLOCK:
    case ORC_V_TRYRDLOCK:
    case ORC_V_TRYWRLOCK:
        step_rwlock(s, t, c, e);
        break;
    case ORC_V_SEM_WAIT:
    case ORC_V_SEM_POST:
    case ORC_V_SEM_TRYWAIT:
        step_semaphore(s, t, c, e);
        break;
    case ORC_V_ARRIVE:
    case ORC_V_LEAVE:
        step_barrier(m, s, t, c, choice, e);
        break;
    case ORC_V_LOCK:
    case ORC_V_UNLOCK:
    case ORC_V_TRYLOCK:
    case ORC_V_TIMEDLOCK:
        return step_mutex(m, s, t, c, e);
    case ORC_V_RELOCK:
        step_relock(s, t, c, e);
        break;
    case ORC_V_WAIT:
    case ORC_V_TIMEDWAIT:
    case ORC_V_WAKE:
    case ORC_V_SIGNAL:
    case ORC_V_BROADCAST:
        step_cond(s, t, c, choice, e);
        break;
    case ORC_V_COPY:
    case ORC_V_FILL:
        step_block(s, c, e);
        break;
    default:
        step_memory(s, t, c, e);
        e->commutes = m->program->finer & ORC_FINER_RMW ? e->commutes : 0;
    }
    return ORC_GOES_ON;
}

static void add_fence(struct orc_event *e, uint8_t order)
{
    if (e->n_fences == ORC_MAX_FENCES) {
        fputs("oracle: more fences after one step than there is room for\n", stderr);
        abort();
    }
    e->fences[e->n_fences++] = order;
}

static enum orc_end run_local(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                              struct orc_event *e, uint16_t *stmt)
{
    for (;;) {
        const struct orc_code *c = &m->code[t][s->pc[t]];
        uint32_t *reg = s->reg[t];
        uint16_t next = (uint16_t)(s->pc[t] + 1);
        switch (c->op) {
        case ORC_L_SET:
            reg[c->reg] = orc_evaluate(&c->expr, reg);
            break;
        case ORC_L_UNLESS:
            if (!orc_cmp_holds(c->cmp, reg[c->reg], c->k))
                next = c->target;
            break;
        case ORC_L_JUMP:
            next = c->target;
            break;
        case ORC_L_ASSERT:
            if (!orc_cmp_holds(c->cmp, reg[c->reg], c->k)) {
                *stmt = c->stmt;
                return ORC_ASSERTED;
            }
            break;
        case ORC_L_ASSUME:
            if (!orc_cmp_holds(c->cmp, reg[c->reg], c->k))
                return s->inside ? ORC_ASSUMED : ORC_GOES_ON;
            break;
        case ORC_L_SECTION_END:
            s->inside = 0;
            break;
        case ORC_L_OBSERVE:
            s->observed = 1;
            break;
        case ORC_L_FENCE:
            add_fence(e, c->order);
            break;
        case ORC_V_LOCK:
            *stmt = c->stmt;
            return s->owner[c->object] == t && m->program->mutexes[c->object] == ORC_NORMAL
                       ? ORC_MISUSED
                       : ORC_GOES_ON;
        default:
            return ORC_GOES_ON;
        }
        s->pc[t] = next;
    }
}

/* Runs local code, and inside an atomic section what follows up to its next choice. */
static enum orc_end run_on(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                           struct orc_event *e, uint16_t *stmt)
{
    enum orc_end end = run_local(m, s, t, e, stmt);
    while (end == ORC_GOES_ON && s->inside && m->code[t][s->pc[t]].op != ORC_V_CHOOSE) {
        struct orc_event inner = { .thread = (uint8_t)t };
        const struct orc_code *c = &m->code[t][s->pc[t]];
        *stmt = c->stmt;
        end = step_visible(m, s, t, c, 0, &inner);
        s->pc[t]++;
        if (end == ORC_GOES_ON)
            end = run_local(m, s, t, e, stmt);
    }
    return end;
}

enum orc_end orc_state_step(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                            uint32_t choice, struct orc_event *event, uint16_t *stmt)
{
    const struct orc_code *c = &m->code[t][s->pc[t]];
    bool gives_up = orc_state_gives_up(m, s, t);
    if ((c->op >= ORC_L_SET && !gives_up) || s->life[t] != ORC_LIVE) {
        fputs("oracle: a thread was stepped that cannot move\n", stderr);
        abort();
    }
    memset(event, 0, sizeof *event);
    event->thread = (uint8_t)t;
    event->op = c->op;
    event->waker = ORC_NOBODY;
    *stmt = c->stmt;
    if (m->program->finer & ORC_FINER_OBSERVERS) {
        event->alone = 1;
        for (uint32_t u = 0; u < m->program->n_threads; u++)
            event->alone &= u == t || s->life[u] != ORC_LIVE;
    }
    if (gives_up)
        return ORC_ASSUMED;
    enum orc_end end = step_visible(m, s, t, c, choice, event);
    for (int i = 0; i < 2; i++)
        for (uint32_t at = event->touch[i].begin;
             event->touch[i].space == ORC_SPACE_MEMORY && at < event->touch[i].end; at++)
            event->watched |= event->touch[i].writes && m->program->watched[at];
    if (end != ORC_GOES_ON || s->life[t] == ORC_GONE)
        return end;
    s->pc[t]++;
    return run_on(m, s, t, event, stmt);
}

uint8_t orc_rmw_kind(uint8_t rmw)
{
    static const uint8_t kinds[] = { [ORC_RMW_ADD] = 1,
                                     [ORC_RMW_SUB] = 1,
                                     [ORC_RMW_OR] = 2,
                                     [ORC_RMW_XOR] = 3,
                                     [ORC_RMW_XCHG] = 0 };
    return kinds[rmw];
}

const char *orc_op_text(uint8_t op)
{
    static const char *const texts[] = {
        "start",         "exit",   "end",       "read",      "write",     "copy",     "fill",
        "observe-write", "rmw",    "cas",       "lock",      "unlock",    "trylock",  "wait",
        "relock",        "signal", "broadcast", "timedlock", "timedwait", "wake",     "clock",
        "rdlock",        "wrlock", "rwunlock",  "tryrdlock", "trywrlock", "sem-wait", "sem-post",
        "sem-trywait",   "arrive", "leave",     "choose",    "yield",     "create",   "read-tid",
        "join",          "detach", "section",
    };
    if (op == ORC_L_ASSUME)
        return "assume";
    return op < sizeof texts / sizeof *texts ? texts[op] : "?";
}
