#include "explore/jobs/shared_tree.h"

#include "core/futex.h"
#include "explore/dpor/wakeup.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define SPINS 200
#define WAIT_SPINS 500
#define WAIT_NS 5000000l

static void pause_briefly(void) { __builtin_ia32_pause(); }

bool hd_shared_tree_init(struct hd_shared_tree *tree, uint64_t bytes)
{
    if (tree->head.n_threads == 0)
        tree->head.n_threads = 1; /* main */
    if (bytes < tree->head.reserved)
        return false;
    tree->arena = (struct hd_arena){ (char *)tree, sizeof *tree, bytes - tree->head.reserved };
    tree->wakeup = hd_arena_take(&tree->arena, sizeof *tree->wakeup);
    return tree->wakeup && hd_wakeup_init(tree->wakeup, &tree->arena);
}

static bool try_lock(struct hd_shared_tree *tree, uint32_t value)
{
    uint32_t nobody = 0;
    return __atomic_compare_exchange_n(&tree->head.lock, &nobody, value, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

void hd_shared_tree_lock(struct hd_shared_tree *tree, uint32_t worker)
{
    static const struct timespec limit = { 0, WAIT_NS };
    uint32_t me = worker + 1;
    for (uint32_t i = 0; i < SPINS; i++) {
        if (try_lock(tree, me))
            return;
        pause_briefly();
    }
    while (!try_lock(tree, me | HD_TREE_WANTED)) {
        uint32_t held = __atomic_load_n(&tree->head.lock, __ATOMIC_RELAXED);
        uint32_t wanted = held | HD_TREE_WANTED;
        if (held &&
            (held == wanted || __atomic_compare_exchange_n(&tree->head.lock, &held, wanted, false,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)))
            hd_futex(&tree->head.lock, FUTEX_WAIT, wanted, &limit);
    }
}

void hd_shared_tree_unlock(struct hd_shared_tree *tree)
{
    uint32_t held = __atomic_exchange_n(&tree->head.lock, 0, __ATOMIC_RELEASE);
    if (held & HD_TREE_WANTED)
        hd_futex(&tree->head.lock, FUTEX_WAKE, 1, NULL);
}

void hd_shared_tree_wake_all(struct hd_shared_tree *tree)
{
    __atomic_fetch_add(&tree->head.changed, 1, __ATOMIC_RELEASE);
    hd_futex(&tree->head.changed, FUTEX_WAKE, HD_MAX_JOBS, NULL);
}

void hd_shared_tree_wake(struct hd_shared_tree *tree)
{
    __atomic_fetch_add(&tree->head.changed, 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&tree->head.hungry, __ATOMIC_RELAXED))
        hd_futex(&tree->head.changed, FUTEX_WAKE, HD_MAX_JOBS, NULL);
}

void hd_shared_tree_wait(struct hd_shared_tree *tree, uint32_t seen)
{
    static const struct timespec limit = { 0, WAIT_NS };
    for (uint32_t i = 0; i < WAIT_SPINS; i++) {
        if (__atomic_load_n(&tree->head.changed, __ATOMIC_ACQUIRE) != seen)
            return;
        pause_briefly();
    }
    hd_futex(&tree->head.changed, FUTEX_WAIT, seen, &limit);
}

/* ---- memory ---- */

/* Room for 2^class alternatives. */
static uint32_t class_of(uint32_t n)
{
    uint32_t class = 0;
    while (1u << class < n)
        class ++;
    return class;
}

static struct hd_shared_tree_alt *take_alts(struct hd_shared_tree *tree, uint32_t class)
{
    struct hd_shared_tree_alts *alts = tree->free_alts[class];
    if (!alts)
        return hd_arena_take(&tree->arena, sizeof(struct hd_shared_tree_alt) << class);
    tree->free_alts[class] = alts->next;
    return (struct hd_shared_tree_alt *)(void *)alts;
}

static void give_alts(struct hd_shared_tree *tree, struct hd_shared_tree_alt *memory,
                      uint32_t class)
{
    struct hd_shared_tree_alts *alts = (struct hd_shared_tree_alts *)(void *)memory;
    alts->next = tree->free_alts[class];
    tree->free_alts[class] = alts;
}

struct hd_shared_tree_node *hd_shared_tree_node(struct hd_shared_tree *tree, uint32_t n_alts)
{
    struct hd_shared_tree_node *node = tree->free;
    if (node)
        tree->free = node->next;
    else if (!(node = hd_arena_take(&tree->arena, sizeof *node)))
        return NULL;
    uint32_t class = class_of(n_alts);
    *node = (struct hd_shared_tree_node){ .serial = ++tree->serial,
                                          .n_alts = n_alts,
                                          .alts_class = class,
                                          .alts = take_alts(tree, class) };
    tree->n_nodes += node->alts != NULL;
    if (node->alts)
        return node;
    node->next = tree->free;
    tree->free = node;
    return NULL;
}

/* ---- nodes ---- */

static void unlist(struct hd_shared_tree *tree, struct hd_shared_tree_node *node)
{
    if (node->before)
        node->before->next = node->next;
    else
        tree->open = node->next;
    if (node->next)
        node->next->before = node->before;
    node->next = node->before = NULL;
}

static void list(struct hd_shared_tree *tree, struct hd_shared_tree_node *node)
{
    node->next = tree->open;
    if (node->next)
        node->next->before = node;
    tree->open = node;
}

uint32_t hd_shared_tree_take(struct hd_shared_tree *tree, struct hd_shared_tree_node *node)
{
    uint32_t taken = node->n_begun++;
    node->alts[taken].over = 0;
    node->n_running++;
    node->starting = true;
    if (node->n_begun == node->n_open)
        unlist(tree, node);
    return taken;
}

/* T6: does the first step of the next alternative wake the threads of all alternatives that are
 * not over? */
static bool is_its_turn(const struct hd_shared_tree *tree, const struct hd_shared_tree_node *node)
{
    uint32_t thread = HD_STEP_THREAD(node->alts[node->n_begun].step);
    for (uint32_t i = 0; i < node->n_begun && node->n_running; i++) {
        const struct hd_shared_tree_alt *other = &node->alts[i];
        if (!other->over && HD_STEP_THREAD(other->step) != thread &&
            !hd_wakeup_wakes(tree->wakeup, node->branches, thread, &other->action))
            return false;
    }
    return true;
}

static bool can_be_taken_from(const struct hd_shared_tree *tree,
                              const struct hd_shared_tree_node *node)
{
    return node->n_begun < node->n_open && !node->starting &&
           (!tree->in_order || is_its_turn(tree, node));
}

struct hd_shared_tree_node *hd_shared_tree_pick(const struct hd_shared_tree *tree,
                                                struct hd_shared_tree_node *from)
{
    struct hd_shared_tree_node *best = NULL;
    for (struct hd_shared_tree_node *n = from; n; n = n->parent)
        if (can_be_taken_from(tree, n))
            return n;
    for (struct hd_shared_tree_node *n = tree->open; n; n = n->next)
        if (can_be_taken_from(tree, n) && (!best || n->depth < best->depth))
            best = n;
    return best;
}

void hd_shared_tree_offer(struct hd_shared_tree *tree, const struct hd_shared_tree_node *node)
{
    if (!__atomic_load_n(&tree->head.hungry, __ATOMIC_RELAXED) ||
        (node ? !can_be_taken_from(tree, node) : !hd_shared_tree_pick(tree, NULL)))
        return;
    __atomic_store_n(&tree->head.offered, 1, __ATOMIC_RELAXED);
    hd_shared_tree_wake(tree);
}

void hd_shared_tree_opened(struct hd_shared_tree *tree, struct hd_shared_tree_node *node,
                           uint32_t n)
{
    if (n == 0)
        return;
    if (node->n_open - node->n_begun == n)
        list(tree, node);
    hd_shared_tree_offer(tree, node);
}

/* One alternative fewer is running: does that end the node? */
static bool ends(struct hd_shared_tree_node *node, uint32_t at)
{
    node->alts[at].over = 1;
    return --node->n_running == 0 && node->n_begun == node->n_open;
}

static void free_node(struct hd_shared_tree *tree, struct hd_shared_tree_node *node)
{
    tree->n_nodes--;
    hd_wakeup_drop(tree->wakeup, node->branches);
    give_alts(tree, node->alts, node->alts_class);
    node->next = tree->free;
    tree->free = node;
}

struct hd_shared_tree_node *hd_shared_tree_over(struct hd_shared_tree *tree,
                                                struct hd_shared_tree_node *node, uint32_t at)
{
    while (node && ends(node, at)) {
        struct hd_shared_tree_node *parent = node->parent;
        at = node->at;
        free_node(tree, node);
        node = parent;
    }
    return node;
}

void hd_shared_tree_reclaim(struct hd_shared_tree *tree, struct hd_shared_tree_node *node)
{
    if (node->n_begun < node->n_open)
        unlist(tree, node);
    free_node(tree, node);
}

/* ---- sets ---- */

static uint64_t slot_of(const struct hd_shared_tree_set *set, const uint64_t key[2])
{
    uint64_t i = key[0] & (set->size - 1);
    while (set->table[i][0] && (set->table[i][0] != key[0] || set->table[i][1] != key[1]))
        i = (i + 1) & (set->size - 1);
    return i;
}

static bool grow(struct hd_shared_tree *tree, struct hd_shared_tree_set *set)
{
    struct hd_shared_tree_set larger = { .size = set->size ? 2 * set->size : 1024, .n = set->n };
    larger.table = hd_arena_take(&tree->arena, 16 * larger.size);
    if (!larger.table)
        return false;
    for (uint64_t i = 0; i < set->size; i++)
        if (set->table[i][0])
            memcpy(larger.table[slot_of(&larger, set->table[i])], set->table[i], 16);
    if (set->table)
        hd_arena_give_back(set->table, 16 * set->size);
    *set = larger;
    return true;
}

bool hd_shared_tree_set_add(struct hd_shared_tree *tree, struct hd_shared_tree_set *set,
                            const uint64_t key[2])
{
    if (2 * set->n >= set->size && !grow(tree, set))
        return false;
    uint64_t at = slot_of(set, key);
    if (set->table[at][0])
        return false;
    memcpy(set->table[at], key, 16);
    set->n++;
    return true;
}
