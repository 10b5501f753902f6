#include "explore/dpor/wakeup_choices.h"

#include "core/enabled.h"
#include "core/pack_parts.h"

bool hd_wakeup_choices_init(struct hd_wakeup_choices *p, struct hd_arena *arena)
{
    p->nodes = hd_arena_take(arena, sizeof *p->nodes * (uint64_t)HD_MAX_STEPS);
    p->n = 0;
    return p->nodes;
}

/* The last step of a sequence asks for its thread with any choice. */
bool hd_wakeup_choices_asks_one(const struct hd_branch *b, uint32_t choices)
{
    bool wakes = hd_op_wakes_one((enum hd_op)b->action.op);
    return choices > 1 && (!wakes || choices <= HD_MOST_WAKEUP_CHOICES) && b->below;
}

/* The choices of explored threads do not matter: all are open, or the node is pinned. */
bool hd_wakeup_choices_may_be_common(const struct hd_wakeup_choices *p,
                                     const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i].depth == depth)
            return false;
    for (uint32_t i = node->taken + 1; i < node->n_alts; i++)
        if (HD_STEP_CHOICE(alts[i]) &&
            HD_STEP_THREAD(alts[i]) != HD_STEP_THREAD(alts[node->taken]))
            return false;
    return true;
}

void hd_wakeup_choices_add(struct hd_wakeup_choices *p, uint32_t depth)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i].depth == depth)
            return;
    p->nodes[p->n++].depth = depth;
}

void hd_wakeup_choices_replace(struct hd_wakeup_choices *p, uint32_t depth)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i].depth < depth)
            p->nodes[kept++] = p->nodes[i];
    p->n = kept;
}

uint32_t hd_wakeup_choices_would_choose(const struct hd_explorer *ex, uint32_t thread,
                                        uint32_t choice)
{
    return hd_op_wakes_one((enum hd_op)ex->world.config->next[thread].op)
               ? ex->world.chosen(ex->world.self, thread, choice)
               : choice;
}

uint32_t hd_wakeup_choices_admit(struct hd_wakeup_choices *p, struct hd_explorer *ex,
                                 const struct hd_wakeup *w, bool some_sleep, uint32_t *alts,
                                 uint32_t n)
{
    uint32_t kept = 0, depth = ex->path.depth;
    for (uint32_t at = w->trees[depth]; at; at = w->pool[at].next) {
        const struct hd_branch *b = &w->pool[at];
        bool one = (some_sleep || kept) &&
                   hd_wakeup_choices_asks_one(b, ex->world.config->next[b->thread].choices);
        for (uint32_t i = kept; i < n; i++)
            if (HD_STEP_THREAD(alts[i]) == b->thread &&
                (!one || hd_wakeup_choices_would_choose(ex, b->thread, HD_STEP_CHOICE(alts[i])) ==
                             b->chosen)) {
                uint32_t moved = alts[i];
                for (uint32_t j = i; j > kept; j--)
                    alts[j] = alts[j - 1]; /* the order of the others stays */
                alts[kept++] = moved;
            }
        if (one)
            hd_wakeup_choices_add(p, depth);
    }
    return kept;
}

void hd_wakeup_choices_ran(struct hd_wakeup_choices *p, const struct hd_explorer *ex,
                           uint32_t depth)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t n = ex->world.config->next[thread].choices;
    bool wakes = hd_op_wakes_one((enum hd_op)ex->world.config->next[thread].op);
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->nodes[i].depth != depth)
            continue;
        p->nodes[i].wakes = wakes;
        for (uint32_t c = 0; wakes && c < n && c < HD_MOST_WAKEUP_CHOICES; c++)
            p->nodes[i].chosen[c] = hd_wakeup_choices_would_choose(ex, thread, c);
    }
}

/* Does a branch of the tree ask for the alternative, or does none ask for any alternative of
 * its thread? */
static bool asked_for(const struct hd_explorer *ex, const struct hd_wakeup *w, uint32_t depth,
                      uint32_t alternative)
{
    uint32_t thread = HD_STEP_THREAD(alternative);
    uint32_t chosen = hd_wakeup_choices_would_choose(ex, thread, HD_STEP_CHOICE(alternative));
    bool any = false;
    for (uint32_t at = w->trees[depth]; at; at = w->pool[at].next) {
        const struct hd_branch *b = &w->pool[at];
        if (b->thread != thread)
            continue;
        any = true;
        if (b->chosen == chosen ||
            !hd_wakeup_choices_asks_one(b, ex->world.config->next[thread].choices))
            return true;
    }
    return !any;
}

void hd_wakeup_choices_listed(struct hd_explorer *ex, const struct hd_wakeup *w, uint32_t depth)
{
    struct hd_node *node = &ex->path.nodes[depth];
    uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = node->taken; i < node->n_open;) {
        uint32_t alternative = alts[i];
        if (asked_for(ex, w, depth, alternative)) {
            i++;
            continue;
        }
        for (uint32_t k = i; k + 1 < node->n_open; k++)
            alts[k] = alts[k + 1];
        alts[--node->n_open] = alternative;
    }
}

/* Ask about the choices of the taken thread that are not open. */
static void ask(const struct hd_wakeup_choices_node *asked, struct hd_explorer *ex, void *self,
                bool (*wants)(void *self, struct hd_explorer *ex, uint32_t depth,
                              uint32_t chosen))
{
    const struct hd_node *node = &ex->path.nodes[asked->depth];
    const uint32_t *alts = hd_path_alts(&ex->path, asked->depth);
    uint32_t thread = HD_STEP_THREAD(alts[node->taken]);
    bool others = false;
    for (uint32_t k = node->taken + 1; k < node->n_open; k++)
        others |= HD_STEP_THREAD(alts[k]) != thread;
    for (uint32_t k = node->n_open; k < node->n_allowed; k++) {
        uint32_t choice = HD_STEP_CHOICE(alts[k]);
        if (HD_STEP_THREAD(alts[k]) != thread)
            continue;
        bool many = asked->wakes && choice >= HD_MOST_WAKEUP_CHOICES;
        if (others || many ||
            wants(self, ex, asked->depth, asked->wakes ? asked->chosen[choice] : choice))
            hd_explorer_open(ex, asked->depth, alts[k]);
    }
}

void hd_wakeup_choices_ended(struct hd_wakeup_choices *p, struct hd_explorer *ex, void *self,
                             bool (*wants)(void *self, struct hd_explorer *ex, uint32_t depth,
                                           uint32_t chosen))
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i].depth < ex->path.depth)
            ask(&p->nodes[i], ex, self, wants);
}

void hd_wakeup_choices_pack(struct hd_wakeup_choices *c, const struct hd_explorer *ex,
                            struct hd_pack *p)
{
    if (!p->reading)
        hd_wakeup_choices_replace(c, ex->path.n_nodes); /* the others have left the path */
    hd_pack_count(p, &c->n, ex->path.n_nodes);
    for (uint32_t i = 0; i < c->n && !p->bad; i++) {
        struct hd_wakeup_choices_node *node = &c->nodes[i];
        hd_pack_u32(p, &node->depth, ex->path.n_nodes - 1);
        hd_pack_bool(p, &node->wakes);
        for (uint32_t k = 0; k < HD_MOST_WAKEUP_CHOICES && node->wakes; k++)
            hd_pack_u32(p, &node->chosen[k], UINT32_MAX);
    }
}
