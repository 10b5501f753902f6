/* Interchangeable threads in the search over graphs: which threads they are, and what tells
 * them apart (docs/design/028-graph-symmetry.md). */
#include "explore/loop/explorer_inner.h"
#include "explore/loop/like_threads.h"
#include "explore/searches/graph_inner.h"

#include <stdio.h>

/* Did the creator make a step between the two creations, the first of which may have come
 * before the root of the search (0)? */
static bool are_apart(const struct hd_explorer *ex, uint32_t first, uint32_t second)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_event *a = hd_event(&s->g, first), *b = hd_event(&s->g, second);
    if (first && a->thread != b->thread)
        return true;
    uint32_t index = first ? a->index + 1 : 0;
    if (b->index != index || b->run == ~0u || (first && a->run == ~0u))
        return true;
    uint32_t from = first ? s->run[a->run].depth + 1 : 0;
    for (uint32_t d = from; d < s->run[b->run].depth; d++)
        if (HD_STEP_THREAD(ex->path.steps[d]) == b->thread)
            return true;
    return false;
}

void hd_graph_begin_alike(struct hd_explorer *ex, uint32_t thread, uint32_t creation)
{
    struct hd_graph *g = &mine(ex)->g;
    const struct hd_world *world = &ex->world;
    uint64_t class = world->symmetry_class(world->self, thread);
    uint32_t first = thread;
    g->like[thread] = 0;
    if (!class || !creation)
        return;
    while (first > 0 && world->symmetry_class(world->self, first - 1) != class)
        first--;
    if (first && !are_apart(ex, hd_graph_creation_of(g, first - 1), creation))
        g->like[thread] = (uint16_t)first;
}

/* The operations that are known to do the same to threads that are exchanged. */
static bool is_known(enum hd_op op)
{
    switch (op) {
    case HD_OP_DETACH:
    case HD_OP_OWNER_DIED:
    case HD_OP_WAIT_CANCELLED:
    case HD_OP_SEM_CANCELLED:
    case HD_OP_SEM_NAME:
        return false;
    case HD_OP_YIELD:
    case HD_OP_SLEEP:
    case HD_OP_CLOCK:
    case HD_OP_RANDOM:
    case HD_OP_OUTSIDE:
    case HD_OP_CHOOSE:
    case HD_OP_ALLOC:
    case HD_OP_GIVE:
    case HD_OP_ASSUME:
    case HD_OP_SPIN:
        return true;
    default:
        return op <= HD_OP_KEY_USE;
    }
}

bool hd_graph_tells_apart(struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph_search *s = mine(ex);
    enum hd_op op = (enum hd_op)ex->world.config->next[thread].op;
    const char *reason = hd_like_threads_look(s->like, ex);
    char text[100];
    if (!reason && !is_known(op)) {
        snprintf(text, sizeof text, "nothing is known of the operation %s in that respect",
                 hd_op_table[op].text);
        reason = text;
    }
    if (!reason && !hd_graph_is_step(ex, thread) && hd_graph_overtakes(&s->g, thread))
        reason = "one of them can go on where another one that has done the same cannot";
    if (reason)
        hd_like_threads_give_up(ex, reason);
    return reason != NULL;
}
