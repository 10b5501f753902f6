#include "runtime/reuse.h"

#include "runtime/memory.h"
#include "runtime/view.h"

static uint64_t front_of(const struct hd_block *b) { return b->at - (uint64_t)(uintptr_t)b; }

static uint64_t slot_of(const struct hd_block *b)
{
    uint64_t offset = ((uint64_t)(uintptr_t)b - HD_HEAP_BASE) % HD_HEAP_STRIDE;
    return hd_slot_bytes((uint32_t)(offset / HD_HEAP_REGION));
}

static bool fits(const struct hd_block *b, uint64_t size, uint64_t front)
{
    return hd_reuse_chunk(b->size) == hd_reuse_chunk(size) && front_of(b) == front &&
           front + HD_RED_ZONE + size <= slot_of(b);
}

/* The newest fitting block of the thread's list, and what points to it; NULL: there is none. */
static struct hd_block *newest(uint32_t thread, uint64_t size, uint64_t front, uint64_t **link)
{
    *link = &model->reuse.newest[thread][hd_reuse_class(size)];
    while (**link) {
        struct hd_block *b = (struct hd_block *)**link;
        if (fits(b, size, front))
            return b;
        *link = &b->link;
    }
    return NULL;
}

uint64_t hd_reuse_state(uint64_t object)
{
    uint64_t class = (object - (uint64_t)(uintptr_t)model->reuse.blocks) / sizeof(uint64_t);
    uint64_t state = 0;
    if (!rt->weak || class >= HD_REUSE_CLASSES)
        return 0;
    for (uint32_t i = 0; i < rt->config.n_threads && i < 64; i++)
        state |= model->reuse.newest[i][class] ? 1ull << i : 0;
    return state;
}

/* How many threads have a fitting block. */
static uint32_t candidates(uint64_t size, uint64_t front)
{
    uint32_t n = 0;
    uint64_t *link, *object = &model->reuse.blocks[hd_reuse_class(size)];
    if (!*object)
        return 0;
    if (rt->weak)
        return (uint32_t)__builtin_popcountll(hd_reuse_state((uint64_t)(uintptr_t)object));
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        n += newest(i, size, front, &link) != NULL;
    return n < HD_MAX_CHOICES - 1 ? n : HD_MAX_CHOICES - 1;
}

/* A pending allocation has as many choices as there are fitting blocks now. */
static void recount(uint32_t class)
{
    uint64_t object = (uint64_t)(uintptr_t)&model->reuse.blocks[class];
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        const struct hd_thread *t = &model->threads[i];
        if (i == rt->cur || a->op != HD_OP_ALLOC || a->object != object)
            continue;
        hd_recount(a, (uint16_t)(candidates(t->alloc_size, t->alloc_front) + 1));
    }
}

void hd_reuse_recount(void)
{
    const struct hd_thread *t = hd_thread_now();
    uint32_t choices = candidates(t->alloc_size, t->alloc_front) + 1;
    hd_note_choices(choices);
    hd_next_now()->choices = (uint16_t)choices;
}

static void count(uint32_t class, uint64_t n)
{
    HD_SET(model->reuse.blocks[class], n);
    recount(class);
}

/* In a search over graphs: the thread's newest block. */
static struct hd_block *head(uint32_t thread, uint32_t class, uint64_t **link)
{
    *link = &model->reuse.newest[thread][class];
    return (struct hd_block *)**link;
}

static void refuse_size(uint32_t site)
{
    rt->shared->ctl.error_site = site;
    hd_fatal("the graph search does not know addresses that malloc gives out again for blocks of "
             "different sizes: use --memory sc");
}

static struct hd_block *take_choice(uint32_t choice, uint64_t size, uint64_t front, uint32_t site)
{
    uint32_t class = hd_reuse_class(size);
    uint64_t *link;
    for (uint32_t i = 0; choice && i < rt->config.n_threads; i++) {
        struct hd_block *b = rt->weak ? head(i, class, &link) : newest(i, size, front, &link);
        if (!b || --choice)
            continue;
        if (!fits(b, size, front))
            refuse_size(site);
        HD_SET(*link, b->link);
        count(class, model->reuse.blocks[class] - 1);
        return b;
    }
    return NULL;
}

struct hd_block *hd_reuse_take(uint64_t size, uint64_t front, uint32_t site)
{
    if (!site || rt->in_invariant || !rt->engine_top)
        return NULL;
    uint32_t n = candidates(size, front);
    struct hd_thread *t = hd_thread_now();
    if (rt->solo_fast && n == 0)
        return NULL;
    HD_SET(t->alloc_size, size);
    HD_SET(t->alloc_front, front);
    hd_engine_root();
    if (t->atomic_depth) /* a section conflicts with everything: only the choice is a step */
        hd_section_choose(n + 1, site);
    else
        hd_act_full(HD_OP_ALLOC, &model->reuse.blocks[hd_reuse_class(size)], NULL, 0, site,
                    n + 1);
    struct hd_block *b = take_choice(rt->choice, size, front, site);
    if (b && rt->mode == HD_REPLAYING)
        hd_replay_values((uint64_t)b->thread << 32 | b->index, 0, HD_STEP_HAS_READ);
    hd_update_solo();
    return b;
}

void hd_reuse_renew(uint64_t at, uint64_t size, uint32_t site)
{
    if (!rt->weak || rt->solo_fast || !site || !size || rt->in_invariant || !rt->engine_top)
        return;
    hd_post(HD_OP_WRITE, (const void *)at, NULL, (uint32_t)size, site, 1)->order = HD_ORDER_RANGE;
    hd_point();
}

void hd_reuse_give(struct hd_block *b, uint32_t site)
{
    uint32_t class = hd_reuse_class(b->size);
    uint64_t *list = &model->reuse.newest[rt->cur][class];
    if (!rt->solo_fast)
        hd_act_full(HD_OP_GIVE, &model->reuse.blocks[class], NULL, 0, site, 1);
    HD_SET(b->link, *list);
    HD_SET(*list, (uint64_t)(uintptr_t)b);
    count(class, model->reuse.blocks[class] + 1);
    if (!rt->distinguished_by)
        rt->distinguished_by = "reused addresses (--reuse)";
}

/* The block that the value is an address of, with or without a tag in its unused bits. */
static struct hd_block *block_of(uint64_t value)
{
    struct hd_block *b = hd_block_at(value & HD_REUSE_ADDRESS);
    return b && b->state != HD_BLOCK_NONE ? b : NULL;
}

/* Restart the search with the class turned on, because earlier allocations had the choice,
 * too. */
static void turn_on(uint32_t class)
{
    if (rt->mode != HD_EXPLORING)
        return;
    if (rt->reuse.mode == HD_REUSE_OFF) {
        rt->shared->cnt.reuse_left_out = 1;
        return;
    }
    rt->shared->ctl.reuse |= 1ull << class;
    rt->shared->ctl.state = HD_STATE_REUSE;
    hd_engine_finish();
}

void hd_reuse_ends(const struct hd_block *b)
{
    if (b->compared && rt->weak && !rt->solo_fast && !hd_reuse_on(b->size))
        turn_on(hd_reuse_class(b->size));
}

/* The block lives.  Freeing it conflicts with this step, so that if another thread may free it
 * before the comparison, that is explored.  (The object is no other operation's: it lies inside
 * the block, where no synchronisation object can begin.) */
static void look_at(struct hd_block *b, uint32_t site)
{
    if (rt->weak) { /* no step: hd_reuse_ends() */
        hd_log_known(b, sizeof *b);
        b->compared = 1;
    } else if (b->size > 1)
        hd_act_full(HD_OP_COMPARE, (void *)(b->at + 1), NULL, 0, site, 1);
}

void hd_reuse_differ(uint64_t a, uint64_t b, uint32_t site)
{
    struct hd_block *x = block_of(a), *y = block_of(b);
    if (!x || !y || x == y || rt->mode == HD_PLAIN || rt->in_invariant)
        return;
    uint32_t class = hd_reuse_class(x->size);
    if (hd_reuse_chunk(x->size) != hd_reuse_chunk(y->size) || rt->reuse.classes >> class & 1)
        return;
    if (x->state == HD_BLOCK_LIVE && y->state == HD_BLOCK_LIVE && !rt->solo_fast) {
        look_at(x, site);
        look_at(y, site);
    }
    if (x->state == HD_BLOCK_FREED || y->state == HD_BLOCK_FREED)
        turn_on(class);
}

void __heddle_compared(const void *a, const void *b, uint32_t site)
{
    hd_reuse_compared((uint64_t)(uintptr_t)a, (uint64_t)(uintptr_t)b, site);
}

/* The first difference decides; later bytes do not count. */
void __heddle_compared_bytes(const void *a, const void *b, uint64_t n, uint32_t site)
{
    const char *x = a, *y = b;
    if (!hd_ready || rt->mode == HD_PLAIN)
        return;
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        uint64_t values[2];
        hd_view_load(rt->cur, x + i, &values[0], 8);
        hd_view_load(rt->cur, y + i, &values[1], 8);
        if (values[0] == values[1])
            continue;
        hd_reuse_compared(values[0], values[1], site);
        return;
    }
}
