#include "fake_world.h"

#include "fake_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_BYTES (8ull << 30)

static void publish(struct fake_world *w)
{
    const struct fake_program *p = w->program;
    w->config.n_threads = p->n_threads;
    w->config.last = w->state.last;
    hd_tset_clear(&w->config.live);
    hd_tset_clear(&w->config.enabled);
    for (uint32_t t = 0; t < p->n_threads; t++) {
        if (w->state.standing[t] == FAKE_OVER || w->state.standing[t] == FAKE_UNBORN)
            continue;
        hd_tset_add(&w->config.live, t);
        if (fake_state_enabled(p, &w->state, t))
            hd_tset_add(&w->config.enabled, t);
        w->next[t] = fake_state_action(p, &w->state, t);
        if (w->next[t].op == HD_OP_CAS_FAIL)
            w->next[t].op = HD_OP_CAS;
        if (w->next[t].op == HD_OP_TRYLOCK_FAIL)
            w->next[t].op = HD_OP_TRYLOCK;
        if (w->changes_after && w->ends >= w->changes_after)
            w->next[t].site += 500;
    }
}

static enum hd_op outcome(void *self, uint32_t thread)
{
    struct fake_world *w = self;
    return fake_state_action(w->program, &w->state, thread).op;
}

static uint64_t sync_state(void *self, uint64_t object)
{
    struct fake_world *w = self;
    for (uint32_t i = 0; i < FAKE_MUTEXES; i++)
        if (object == FAKE_MUTEX(i))
            return w->state.owner[i];
    return 0;
}

static void expected(void *self, uint32_t thread, uint64_t out[2])
{
    struct fake_world *w = self;
    const struct fake_step *x = &w->program->threads[thread].steps[w->state.pc[thread]];
    memset(out, 0, 16);
    memset(out, x->expected, x->size);
}

static void peek(void *self, uint32_t thread, uint64_t addr, uint32_t size, uint64_t out[2])
{
    (void)thread;
    struct fake_world *w = self;
    memset(out, 0, 16);
    memcpy(out, w->state.memory + (addr - FAKE_ADDRESS(0)), size);
}

static uint32_t chosen(void *self, uint32_t thread, uint32_t choice)
{
    struct fake_world *w = self;
    const struct fake_step *x = &w->program->threads[thread].steps[w->state.pc[thread]];
    if (x->op != HD_OP_SIGNAL)
        return ~0u;
    return fake_state_waiter(w->program, &w->state, x->object, choice);
}

static void local_state(void *self, uint32_t thread, uint64_t out[2])
{
    struct fake_world *w = self;
    out[0] = w->state.pc[thread];
    out[1] = w->state.standing[thread];
}

static bool is_local(void *self, uint32_t thread, uint64_t addr)
{
    (void)self;
    (void)thread;
    (void)addr;
    return false;
}

static int32_t broken(void *self)
{
    struct fake_world *w = self;
    return w->invariant_byte == w->state.memory[0] ? 0 : -1;
}

static void describe(void *self, struct hd_finding *finding)
{
    struct fake_world *w = self;
    finding->thread = w->state.last;
    snprintf(finding->message, sizeof finding->message, "described");
    for (uint32_t t = 0; t < w->program->n_threads && finding->n_standings < 64; t++)
        if (hd_tset_has(&w->config.live, t))
            finding->standings[finding->n_standings++] =
                (struct hd_standing){ .thread = t, .op = w->next[t].op, .site = w->next[t].site };
}

void fake_world_init(struct fake_world *w, const struct fake_program *p)
{
    memset(w, 0, sizeof *w);
    w->program = p;
    w->invariant_byte = -1;
    w->config.next = w->next;
    w->world = (struct hd_world){ .self = w,
                                  .config = &w->config,
                                  .outcome = outcome,
                                  .sync_state = sync_state,
                                  .expected = expected,
                                  .peek = peek,
                                  .chosen = chosen,
                                  .local_state = local_state,
                                  .is_local = is_local,
                                  .broken = broken,
                                  .describe = describe };
    fake_state_init(p, &w->state);
    publish(w);
}

void fake_world_release(struct fake_world *w) { free(w->undo); }

struct hd_worker_memory *fake_shared_create(void)
{
    struct hd_worker_memory *s = mmap(NULL, sizeof *s + ARENA_BYTES, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED) {
        perror("fake world: cannot map");
        exit(2);
    }
    s->options.mode = HD_MODE_EXPLORE;
    s->options.depth = HD_MAX_STEPS - 1;
    s->options.keep_going = 1;
    s->options.paranoid = 1;
    return s;
}

void fake_shared_destroy(struct hd_worker_memory *shared)
{
    munmap(shared, sizeof *shared + ARENA_BYTES);
}

struct hd_explorer *fake_explorer_create(struct hd_worker_memory *shared, struct fake_world *w)
{
    w->config.invariants = w->invariant_byte >= 0;
    char *arena = (char *)shared + ((sizeof *shared + 4095) & ~4095ull);
    return hd_explorer_create(shared, arena, ARENA_BYTES - 4096, &w->world);
}

static void save(struct fake_world *w)
{
    if (w->depth == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->undo = realloc(w->undo, w->room * sizeof *w->undo);
        if (!w->undo)
            abort();
    }
    w->undo[w->depth++] = w->state;
}

static void restore(struct fake_world *w, uint32_t depth)
{
    if (depth < w->depth)
        w->state = w->undo[depth];
    w->depth = depth;
    w->rewinds++;
    publish(w);
}

static void note_end(struct fake_world *w, const struct hd_explorer *ex)
{
    uint64_t h = fake_hash(1, ex->shared->steps, ex->shared->depth * sizeof(uint32_t));
    w->ends++;
    for (uint32_t i = 0; i < w->n_schedules; i++)
        w->repeated |= w->schedules[i] == h;
    if (w->n_schedules < 4096)
        w->schedules[w->n_schedules++] = h;
}

static void note_final(struct fake_world *w)
{
    uint64_t h = fake_hash(2, w->state.memory, sizeof w->state.memory);
    for (uint32_t i = 0; i < w->n_finals; i++)
        if (w->finals[i] == h)
            return;
    if (w->n_finals < 512)
        w->finals[w->n_finals++] = h;
}

uint64_t fake_finals_hash(const struct fake_world *w)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < w->n_finals; i++)
        h ^= w->finals[i];
    return h;
}

static struct hd_finding failure(const struct fake_world *w, enum hd_kind kind, uint32_t thread)
{
    struct hd_finding f = { .kind = kind, .thread = thread };
    f.site = thread * 1000 + w->undo[w->depth - 1].pc[thread] + 1;
    return f;
}

/* What comes after the step that has just been made. */
static struct hd_decision after(struct fake_world *w, struct hd_explorer *ex, uint32_t thread,
                                enum fake_outcome out)
{
    struct hd_finding f;
    switch (out) {
    case FAKE_DONE:
        note_end(w, ex);
        note_final(w);
        return hd_explorer_ended(ex, NULL);
    case FAKE_FAILED:
        note_end(w, ex);
        f = failure(w, HD_KIND_ASSERTION, thread);
        return hd_explorer_ended(ex, &f);
    default:
        if (hd_tset_has(&w->config.enabled, thread) && hd_explorer_fast_path(ex, thread))
            return (struct hd_decision){ HD_RUN, HD_STEP_PACK(thread, 0) };
        return hd_explorer_decide(ex);
    }
}

enum fake_end fake_world_explore(struct fake_world *w, struct hd_explorer *ex)
{
    struct hd_decision d = hd_explorer_decide(ex);
    for (;;) {
        if (d.kind == HD_STOP)
            return FAKE_STOPPED;
        if (d.kind == HD_REWIND) {
            uint32_t depth = w->restarts ? 0 : d.arg;
            restore(w, depth);
            hd_explorer_rewound(ex, depth);
            d = hd_explorer_decide(ex);
            continue;
        }
        uint32_t thread = HD_STEP_THREAD(d.arg);
        if (thread >= w->program->n_threads || !hd_tset_has(&w->config.enabled, thread))
            abort(); /* the explorer ran a thread that cannot move */
        save(w);
        enum fake_outcome out = fake_state_step(w->program, &w->state, thread,
                                                HD_STEP_CHOICE(d.arg));
        publish(w);
        if (out == FAKE_CRASH) {
            note_end(w, ex);
            w->crash = failure(w, HD_KIND_CRASH, thread);
            return FAKE_CRASHED;
        }
        d = after(w, ex, thread, out);
    }
}

bool fake_world_fails(const struct fake_program *p, const uint32_t *steps, uint32_t n)
{
    struct fake_state s;
    enum fake_outcome out = FAKE_GOES_ON;
    fake_state_init(p, &s);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = HD_STEP_THREAD(steps[i]);
        if (out != FAKE_GOES_ON || t >= p->n_threads || !fake_state_enabled(p, &s, t))
            return false;
        out = fake_state_step(p, &s, t, HD_STEP_CHOICE(steps[i]));
    }
    if (out != FAKE_GOES_ON)
        return out != FAKE_DONE;
    for (uint32_t t = 0; t < p->n_threads; t++)
        if (fake_state_enabled(p, &s, t))
            return false;
    return true;
}

void fake_rig_open(struct fake_rig *rig, const struct fake_program *p)
{
    rig->shared = fake_shared_create();
    rig->ex = NULL;
    fake_world_init(&rig->world, p);
}

enum fake_end fake_rig_run(struct fake_rig *rig)
{
    rig->ex = fake_explorer_create(rig->shared, &rig->world);
    if (!rig->ex)
        abort();
    return fake_world_explore(&rig->world, rig->ex);
}

void fake_rig_close(struct fake_rig *rig)
{
    fake_world_release(&rig->world);
    fake_shared_destroy(rig->shared);
}
