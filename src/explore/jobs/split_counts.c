/* What all workers count and name together. */
#include "explore/jobs/split.h"

#include <string.h>

bool hd_split_counts(struct hd_explorer *ex)
{
    uint64_t most = ex->opt->max_executions;
    if (!most)
        return true;
    return __atomic_fetch_add(&ex->split->tree->head.counted, 1, __ATOMIC_RELAXED) < most;
}

static bool is_new(struct hd_explorer *ex, struct hd_shared_tree_set *set, const uint64_t key[2])
{
    struct hd_split *s = ex->split;
    hd_shared_tree_lock(s->tree, s->worker);
    bool added = hd_shared_tree_set_add(s->tree, set, key);
    hd_shared_tree_unlock(s->tree);
    return added;
}

bool hd_split_new_trace(struct hd_explorer *ex, const uint64_t key[2])
{
    return is_new(ex, &ex->split->tree->traces, key);
}

bool hd_split_new_observation(struct hd_explorer *ex, uint64_t key)
{
    return is_new(ex, &ex->split->tree->observations, (uint64_t[]){ key, 0 });
}

uint64_t hd_split_executions(const struct hd_explorer *ex)
{
    const struct hd_split *s = ex->split;
    uint64_t n = ex->executions_begun;
    for (uint32_t i = 0; i < HD_MAX_JOBS; i++)
        if (i != s->worker)
            n += s->tree->head.workers[i].begun;
    return n;
}

uint32_t hd_split_name(struct hd_explorer *ex, uint32_t parent, uint32_t nth)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    struct hd_worker_memory *shared = ex->shared;
    hd_shared_tree_lock(s->tree, s->worker);
    uint32_t id = 1;
    while (id < head->n_threads &&
           (head->threads[id].parent != parent || head->threads[id].nth != nth))
        id++;
    if (id == head->n_threads && id < HD_MAX_THREADS)
        head->threads[head->n_threads++] = (struct hd_thread_name){ (uint16_t)parent,
                                                                    (uint16_t)nth };
    memcpy(shared->threads, head->threads, sizeof shared->threads);
    shared->n_threads = head->n_threads;
    hd_shared_tree_unlock(s->tree);
    return id;
}
