#include "explore/loop/like_threads.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

#define LEAST_PLACES 8

static struct hd_like_group *group_of(struct hd_like_threads *s, uint64_t class)
{
    uint64_t at = hd_hash_mix(class) & (s->n_places - 1);
    while (s->groups[at].class && s->groups[at].class != class)
        at = (at + 1) & (s->n_places - 1);
    return &s->groups[at];
}

static void find_classes(struct hd_like_threads *s, const struct hd_explorer *ex, uint32_t n)
{
    const struct hd_world *world = &ex->world;
    s->n_places = LEAST_PLACES;
    while (s->n_places < 2 * n)
        s->n_places *= 2;
    memset(s->groups, 0, s->n_places * sizeof *s->groups);
    for (uint32_t t = 0; t < n; t++) {
        s->class[t] = world->symmetry_class(world->self, t);
        if (!s->class[t])
            continue;
        struct hd_like_group *g = group_of(s, s->class[t]);
        g->class = s->class[t];
        g->n++;
        g->joined += world->is_joined(world->self, t);
        g->creator = ex->shared->threads[t].parent;
    }
    for (uint32_t t = 0; t < n; t++)
        if (s->class[t] && group_of(s, s->class[t])->n == 1)
            s->class[t] = 0;
}

static bool is_thread_op(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_THREAD;
}

/* Does the creator of interchangeable threads break the rules: it is about to join one of them,
 * or has begun to? */
static const char *why_creator(const struct hd_like_threads *s, const struct hd_explorer *ex,
                               const struct hd_like_group *g)
{
    const struct hd_config *config = ex->world.config;
    const struct hd_action *a = &config->next[g->creator];
    if (!g->joined || g->joined == g->n || !hd_tset_has(&config->live, g->creator))
        return NULL;
    bool joins = a->op == HD_OP_JOIN && a->object < HD_MAX_THREADS &&
                 s->class[a->object] == g->class;
    return joins ? NULL : "their creator does something else before it has joined all of them";
}

/* An operation on an interchangeable thread. */
static const char *why_action(const struct hd_like_threads *s, const struct hd_explorer *ex,
                              uint32_t thread, const struct hd_action *a)
{
    uint32_t object = (uint32_t)a->object;
    if (a->op == HD_OP_CREATE)
        return s->class[thread] ? "one of them creates threads" : NULL;
    if (!is_thread_op(a) || object == thread || object >= HD_MAX_THREADS || !s->class[object])
        return NULL;
    if (a->op != HD_OP_JOIN || ex->shared->threads[object].parent != thread)
        return "one of them is detached, cancelled, or joined by another than its creator";
    return a->object2 ? "the result of one of them is taken" : NULL;
}

/* NULL if interchangeable threads cannot be distinguished, as far as can be seen here;
 * otherwise the reason. */
static const char *why(const struct hd_like_threads *s, const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    const char *reason = ex->world.distinguished_by(ex->world.self);
    if (!reason && ex->opt->symmetric == HD_SYMMETRIC_TRIED && ex->cnt->orders_less)
        reason = "of steps that order less than sequential consistency, data races are looked "
                 "for by thread";
    for (uint32_t t = 0; t < config->n_threads && !reason; t++) {
        if (s->class[t] && ex->world.is_published(ex->world.self, t))
            reason = "their ids are where others can see them";
        if (!reason && hd_tset_has(&config->live, t))
            reason = why_action(s, ex, t, &config->next[t]);
    }
    for (uint32_t i = 0; i < s->n_places && !reason; i++)
        if (s->groups[i].n > 1)
            reason = why_creator(s, ex, &s->groups[i]);
    return reason;
}

const char *hd_like_threads_look(struct hd_like_threads *s, struct hd_explorer *ex)
{
    find_classes(s, ex, ex->world.config->n_threads);
    const char *reason = why(s, ex);
    ex->cnt->alike_looks += !reason;
    return reason;
}

void hd_like_threads_give_up(struct hd_explorer *ex, const char *reason)
{
    char text[240];
    snprintf(text, sizeof text,
             ex->opt->symmetric == HD_SYMMETRIC_TRIED
                 ? "%s"
                 : "--symmetric: threads with the same function and argument can be told apart "
                   "(%s): leave it out",
             reason);
    hd_explorer_give_up(ex, text);
}

void hd_like_threads_over(struct hd_explorer *ex)
{
    const char *reason = ex->world.distinguished_by(ex->world.self);
    if (reason)
        hd_like_threads_give_up(ex, reason);
}
