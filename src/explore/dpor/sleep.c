#include "explore/dpor/sleep.h"

#include "core/dependence.h"
#include "core/enabled.h"
#include "core/pack_parts.h"
#include "explore/jobs/shared_tree.h"

bool hd_sleep_init(struct hd_sleep *sleep, struct hd_arena *arena)
{
    sleep->asleep = hd_arena_take(arena, sizeof *sleep->asleep * (uint64_t)(HD_MAX_STEPS + 1));
    sleep->failed = hd_arena_take(arena, sizeof *sleep->failed * (uint64_t)(HD_MAX_STEPS + 1));
    sleep->wakeful = hd_arena_take(arena, sizeof *sleep->wakeful * (uint64_t)(HD_MAX_STEPS + 1));
    return sleep->asleep && sleep->failed && sleep->wakeful;
}

struct hd_tset hd_sleep_at(const struct hd_sleep *sleep, const struct hd_explorer *ex,
                           uint32_t depth)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t now = HD_STEP_THREAD(alts[node->taken]);
    struct hd_tset set = sleep->asleep[depth];
    for (uint32_t i = 0; i < node->taken; i++)
        if (HD_STEP_THREAD(alts[i]) != now &&
            !hd_tset_has(&sleep->wakeful[depth], HD_STEP_THREAD(alts[i])))
            hd_tset_add(&set, HD_STEP_THREAD(alts[i]));
    return set;
}

HD_RARE bool hd_sleep_has(const struct hd_sleep *sleep, const struct hd_explorer *ex,
                          uint32_t depth, uint32_t thread)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    if (hd_tset_has(&sleep->asleep[depth], thread))
        return true;
    if (HD_STEP_THREAD(alts[node->taken]) == thread ||
        hd_tset_has(&sleep->wakeful[depth], thread))
        return false;
    for (uint32_t i = 0; i < node->taken; i++)
        if (HD_STEP_THREAD(alts[i]) == thread)
            return true;
    return false;
}

HD_HOT bool fails(uint16_t op) { return hd_op_failed((enum hd_op)op); }

/* Does thread q, which is asleep, stay asleep after the step?  *failed: its action would
 * fail. */
static HD_RARE bool sleeps_on(const struct hd_explorer *ex, uint32_t q,
                              const struct hd_action *action, bool *failed)
{
    const struct hd_action *theirs = &ex->world.config->next[q];
    if (!hd_op_has_outcome((enum hd_op)theirs->op)) {
        *failed = false;
        return !hd_action_dependent(theirs, action);
    }
    struct hd_action turned = hd_explorer_outcome(ex, q);
    *failed = fails(turned.op);
    return !hd_action_dependent(&turned, action);
}

/* A quick test: does the action, which has one outcome, depend on the step?  `class` is the
 * class of a step that touches one object only, otherwise 0.  Returns false if the test cannot
 * tell; otherwise the answer is in *dependent. */
HD_HOT bool soon_seen(const struct hd_action *theirs, const struct hd_action *action,
                      uint32_t class, bool *dependent)
{
    uint32_t other = hd_op_class[theirs->op];
    if (!other || theirs->object2 | theirs->size2 || hd_op_has_outcome((enum hd_op)theirs->op))
        return false;
    if (!class) { /* the end of a thread, and of its stack? */
        *dependent = false;
        return action->op == HD_OP_EXIT && !action->object2 && other >> 1 == HD_SPACE_MEM &&
               hd_action_off_stacks(theirs);
    }
    if ((class ^ other) > 1 || !((class | other) & 1)) /* another space, or both read */
        *dependent = false;
    else if (class >> 1 != HD_SPACE_MEM)
        *dependent = theirs->object == action->object;
    else
        *dependent = theirs->object < action->object + action->size &&
                     action->object < theirs->object + theirs->size;
    return true;
}

/* Of the threads [64 * word, 64 * word + 64) that sleep before the step, by bit: compute which
 * stay asleep after it. */
HD_HOT void sleep_on(struct hd_sleep *sleep, const struct hd_explorer *ex, uint32_t depth,
                     uint32_t word, uint64_t set)
{
    const struct hd_action *action = &ex->path.nodes[depth].action;
    const struct hd_action *theirs = ex->world.config->next + 64ull * word;
    uint32_t class = action->object2 ? 0 : hd_op_class[action->op];
    uint64_t next = 0, failed = 0;
    for (uint64_t left = set; left; left &= left - 1) {
        uint32_t q = (uint32_t)__builtin_ctzll(left);
        bool fail, dependent;
        if (__builtin_expect(soon_seen(&theirs[q], action, class, &dependent), 1)) {
            next |= dependent ? 0 : left & -left;
        } else if (sleeps_on(ex, 64 * word + q, action, &fail)) {
            next |= left & -left;
            failed |= fail ? left & -left : 0;
        }
    }
    if (next)
        hd_sleep_note(sleep, depth + 1);
    uint64_t *failed_there = &sleep->failed[depth + 1].w[word];
    sleep->asleep[depth + 1].w[word] = next;
    *failed_there = (*failed_there & ~next) | failed;
}

static __attribute__((noinline)) void
many_sleep_on(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    struct hd_tset set = hd_sleep_at(sleep, ex, depth);
    hd_tset_del(&set, thread);
    for (uint32_t i = 0; i < hd_tset_words(ex->world.config->n_threads); i++)
        sleep_on(sleep, ex, depth, i, set.w[i]);
}

void hd_sleep_any_ran(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t depth)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint64_t bit = 1ull << (thread & 63), *failed_here = &sleep->failed[depth].w[thread >> 6];
    *failed_here &= ~bit;
    if (__builtin_expect(fails(ex->path.nodes[depth].action.op), 0)) {
        hd_sleep_note(sleep, depth);
        *failed_here |= bit;
    }
    hd_tset_clear(&sleep->asleep[depth + 1]);
    if (depth + 1 >= ex->marks.target) /* a replayed node keeps those of explored threads */
        hd_tset_clear(&sleep->failed[depth + 1]);
    if (__builtin_expect(ex->world.config->n_threads <= 64, 1))
        sleep_on(sleep, ex, depth, 0, hd_sleep_word(sleep, ex, depth, thread));
    else
        many_sleep_on(sleep, ex, depth, thread);
}

void hd_sleep_ended(struct hd_sleep *sleep, struct hd_explorer *ex,
                    const struct hd_finding *finding)
{
    uint32_t depth = ex->path.depth;
    if (!finding || finding->kind == HD_KIND_DEADLOCK || !depth)
        return;
    uint32_t first = hd_explorer_section_of(ex, depth - 1);
    hd_sleep_note(sleep, depth);
    for (uint32_t d = first; d < depth; d++)
        hd_tset_add(&sleep->wakeful[d], HD_STEP_THREAD(ex->path.steps[d]));
}

uint32_t hd_sleep_admit(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t *alts,
                        uint32_t n)
{
    hd_tset_clear(&sleep->wakeful[ex->path.depth]);
    const struct hd_tset *asleep = &sleep->asleep[ex->path.depth];
    uint32_t kept = 0;
    if (hd_tset_empty(asleep, hd_tset_words(ex->world.config->n_threads)))
        return n;
    for (uint32_t i = 0; i < n; i++) {
        if (hd_tset_has(asleep, HD_STEP_THREAD(alts[i])))
            continue;
        uint32_t moved = alts[kept];
        alts[kept++] = alts[i];
        alts[i] = moved;
    }
    return kept;
}

static void copy_bit(struct hd_tset *to, const struct hd_tset *from, uint32_t thread)
{
    if (hd_tset_has(from, thread))
        hd_tset_add(to, thread);
    else
        hd_tset_del(to, thread);
}

void hd_sleep_share(const struct hd_sleep *sleep, const struct hd_explorer *ex, uint32_t depth,
                    struct hd_shared_tree_node *node)
{
    for (uint32_t i = 0; i < HD_TSET_WORDS; i++)
        node->wakeful.w[i] |= sleep->wakeful[depth].w[i];
    for (uint32_t i = 0; i <= ex->path.nodes[depth].taken; i++)
        copy_bit(&node->failed, &sleep->failed[depth], HD_STEP_THREAD(node->alts[i].step));
}

void hd_sleep_adopt(struct hd_sleep *sleep, const struct hd_explorer *ex, uint32_t depth,
                    const struct hd_shared_tree_node *node, bool anew)
{
    hd_sleep_note(sleep, depth);
    if (anew)
        hd_tset_clear(&sleep->wakeful[depth]);
    for (uint32_t i = 0; i < HD_TSET_WORDS; i++)
        sleep->wakeful[depth].w[i] |= node->wakeful.w[i];
    for (uint32_t i = 0; i < node->n_begun; i++)
        if (i != ex->path.nodes[depth].taken)
            copy_bit(&sleep->failed[depth], &node->failed, HD_STEP_THREAD(node->alts[i].step));
}

/* Which threads sleep follows from what has been explored.  Which steps broke the program, and
 * which attempts of explored threads failed, does not. */
void hd_sleep_pack(struct hd_sleep *sleep, const struct hd_explorer *ex, struct hd_pack *p)
{
    uint32_t n = ex->path.n_nodes;
    for (uint32_t d = 0; d < n && !p->bad; d++) {
        hd_pack_set(p, &sleep->wakeful[d]);
        hd_pack_set(p, &sleep->failed[d]);
    }
    if (p->reading && n)
        hd_sleep_note(sleep, n);
}
