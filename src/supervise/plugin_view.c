#include "supervise/plugin_view.h"

#include "base/str.h"
#include "core/dependence.h"
#include "core/enabled.h"
#include "supervise/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hd_plugin_view *of(const struct heddle_view *view)
{
    return (struct hd_plugin_view *)(uintptr_t)view;
}

/* Whether the place may touch what another place touches, by the analysis. */
static bool is_shared(const struct hd_plugin_view *v, uint32_t site)
{
    const struct hd_foresight *f = v->foresight;
    if (!f || !f->conflicts || site >= f->n_sites || !f->bit[site])
        return true;
    for (uint32_t b = 0; b < f->n_bits; b++)
        if (hd_foresight_has(f, f->conflicts + f->bit[site] - 1, b))
            return true;
    return false;
}

static void describe(const struct hd_plugin_view *v, const struct hd_action *a, uint32_t thread,
                     struct heddle_action *out)
{
    static const uint32_t kinds[] = { [HD_SPACE_NONE] = HEDDLE_NOTHING,
                                      [HD_SPACE_MEM] = HEDDLE_MEMORY,
                                      [HD_SPACE_SYNC] = HEDDLE_SYNC,
                                      [HD_SPACE_THREAD] = HEDDLE_THREAD };
    struct hd_place at = hd_program_site(v->program, a->site);
    const struct hd_op_row *op = &hd_op_table[a->op < HD_OP_COUNT ? a->op : HD_OP_NONE];
    *out = (struct heddle_action){ .thread = thread,
                                   .operation = op->text,
                                   .kind = kinds[op->space],
                                   .writes = op->access >= HD_ACCESS_WRITE,
                                   .enabled = true,
                                   .object = a->object,
                                   .object2 = a->object2,
                                   .size = a->size,
                                   .site = a->site,
                                   .file = at.file,
                                   .function = at.function,
                                   .variable = at.variable,
                                   .line = at.line,
                                   .column = at.column,
                                   .shared = op->space != HD_SPACE_MEM || is_shared(v, a->site) };
}

static bool next(const struct heddle_view *view, uint32_t thread, struct heddle_action *action)
{
    const struct hd_plugin_view *v = of(view);
    const struct hd_mailbox *box = &v->shared->mailbox;
    if (thread >= view->n_threads || !hd_tset_has(&box->live, thread))
        return false;
    describe(v, &box->next[thread], thread, action);
    action->enabled = hd_tset_has(&box->enabled, thread);
    return true;
}

static bool step(const struct heddle_view *view, uint32_t number, struct heddle_action *action)
{
    const struct hd_plugin_view *v = of(view);
    if (number >= v->n_steps)
        return false;
    uint32_t packed = v->shared->steps[number];
    describe(v, &v->shared->mailbox.path[number], HD_STEP_THREAD(packed), action);
    action->choice = HD_STEP_CHOICE(packed);
    return true;
}

static uint32_t thread_of(const struct hd_plugin_view *v, uint32_t i)
{
    return HD_STEP_THREAD(v->shared->steps[i]) % HD_MAX_THREADS;
}

/* The clock of step i: for every thread, how many steps of the path from the first on contain
 * all of its steps that happen before i, or are i. */
static uint32_t *clock_of(const struct hd_plugin_view *v, uint32_t i)
{
    return v->clocks + (size_t)i * v->width;
}

static void add_clock(struct hd_plugin_view *v, uint32_t i)
{
    const struct hd_action *path = v->shared->mailbox.path;
    uint32_t *mine = clock_of(v, i), thread = thread_of(v, i);
    memset(mine, 0, v->width * sizeof *mine);
    for (uint32_t k = i; k-- > 0;) { /* what is nearer covers most of what is farther */
        uint32_t other = thread_of(v, k);
        if (mine[other] > k || (other != thread && !hd_action_dependent(&path[k], &path[i])))
            continue;
        const uint32_t *his = clock_of(v, k);
        for (uint32_t t = 0; t < v->width; t++)
            mine[t] = mine[t] > his[t] ? mine[t] : his[t];
    }
    mine[thread] = i + 1;
}

static bool before(const struct heddle_view *view, uint32_t first, uint32_t second)
{
    struct hd_plugin_view *v = of(view);
    if (first >= second || second >= v->n_steps)
        return false;
    if (v->n_clocks == 0)
        v->width = HD_MAX_THREADS < 64 ? HD_MAX_THREADS : 64;
    for (uint32_t i = v->n_clocks; i <= second; i++)
        if (thread_of(v, i) >= v->width && v->width < HD_MAX_THREADS) {
            v->width = HD_MAX_THREADS;
            v->n_clocks = v->room = 0;
            break;
        }
    if (second >= v->room) {
        v->room = 2 * second + 256;
        v->clocks = hd_realloc(v->clocks, (size_t)v->room * v->width * sizeof *v->clocks);
    }
    for (; v->n_clocks <= second; v->n_clocks++)
        add_clock(v, v->n_clocks);
    return clock_of(v, second)[thread_of(v, first)] > first;
}

/* The action that `a` was made of; its texts are ours, so the operation is known by address. */
static struct hd_action undescribe(const struct heddle_action *a)
{
    struct hd_action action = {
        .object = a->object, .object2 = a->object2, .size = a->size, .choices = 1
    };
    enum hd_op op = a->operation ? hd_op_by_text(a->operation) : HD_OP_COUNT;
    action.op = (uint8_t)(op < HD_OP_COUNT ? op : HD_OP_NONE);
    return action;
}

static bool dependent(const struct heddle_view *view, const struct heddle_action *a,
                      const struct heddle_action *b)
{
    (void)view;
    struct hd_action x = undescribe(a), y = undescribe(b);
    return a->thread == b->thread || hd_action_dependent(&x, &y);
}

static uint32_t held(const struct heddle_view *view, uint32_t thread)
{
    const struct hd_plugin_view *v = of(view);
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n_steps; i++) {
        uint8_t op = v->shared->mailbox.path[i].op;
        uint32_t traits = op < HD_OP_COUNT ? hd_op_traits[op] : 0;
        if (thread_of(v, i) != thread)
            continue;
        if (traits & HD_OPTRAIT_TAKES)
            n++;
        else if (traits & (HD_OPTRAIT_GIVES | HD_OPTRAIT_GIVES_SECOND) && n)
            n--;
    }
    return n;
}

static uint64_t random_below(const struct heddle_view *view, uint64_t n)
{
    return n ? hd_rng_next(&of(view)->rng) % n : 0;
}

static bool open_later(const struct heddle_view *view, uint32_t number, uint32_t thread)
{
    struct hd_plugin_view *v = of(view);
    struct hd_mailbox *box = &v->shared->mailbox;
    if (!v->may_open || !v->prunes || number >= v->n_steps || thread >= view->n_threads ||
        box->n_opened >= HD_MOST_OPENED)
        return false;
    box->opened[box->n_opened].depth = number;
    box->opened[box->n_opened++].thread = thread;
    return true;
}

static void fail(const struct heddle_view *view, const char *why)
{
    const struct hd_plugin_view *v = of(view);
    struct hd_mailbox *box = &v->shared->mailbox;
    const char *name = hd_plugin_name(&v->shared->options.plugin);
    bool named = hd_str_starts(why, name); /* "mine.lua:12: …" */
    if (!box->error[0])
        snprintf(box->error, sizeof box->error, "%s%s%s", named ? "" : name, named ? "" : ": ",
                 why);
}

void hd_plugin_view_init(struct hd_plugin_view *v, struct hd_worker_memory *shared,
                         const struct hd_program *program, const struct hd_foresight *foresight,
                         uint64_t seed)
{
    *v = (struct hd_plugin_view){
        .shared = shared, .program = program, .foresight = foresight, .rng = { .state = seed }
    };
    v->view.alternatives = v->alternatives;
    v->view.next = next;
    v->view.step = step;
    v->view.before = before;
    v->view.dependent = dependent;
    v->view.held = held;
    v->view.random = random_below;
    v->view.open = open_later;
    v->view.fail = fail;
}

bool hd_plugin_view_take(struct hd_plugin_view *v)
{
    const struct hd_mailbox *box = &v->shared->mailbox;
    uint32_t n = box->n, depth = box->depth, n_threads = box->n_threads;
    if (n > HD_MOST_ALTERNATIVES || depth >= HD_MAX_STEPS || n_threads > HD_MAX_THREADS ||
        box->since > depth)
        return false;
    for (uint32_t i = box->since; i < depth; i++)
        if (box->path[i].op >= HD_OP_COUNT)
            return false;
    v->view.execution = box->execution;
    v->view.depth = v->n_steps = depth;
    v->view.n_threads = n_threads;
    v->view.last = box->last;
    v->view.n_alternatives = n;
    for (uint32_t i = 0; i < n; i++)
        v->alternatives[i] = (struct heddle_alternative){ HD_STEP_THREAD(box->alternatives[i]),
                                                          HD_STEP_CHOICE(box->alternatives[i]) };
    if (box->since < v->n_clocks)
        v->n_clocks = box->since;
    return true;
}
