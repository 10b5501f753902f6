#include "explore/dpor/unseen_stores.h"

#include "core/dependence.h"

/* The next step that touches the bytes which turn i stores, s->n if there is none.  A thread
 * that is alone touches everything. */
static uint32_t next_touch(const struct hd_sequence *s, uint32_t i)
{
    struct hd_action store = s->turns[i].action;
    store.size2 = 0;
    for (uint32_t j = i + 1; j < s->n; j++) {
        struct hd_action other = s->turns[j].action;
        other.size2 = 0;
        if (s->turns[j].alone || hd_action_dependent(&store, &other))
            return j;
    }
    return s->n;
}

void hd_unseen_stores_sequence(struct hd_sequence *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct hd_action *a = &s->turns[i].action;
        if (!hd_unseen_stores_blind(a))
            continue;
        uint32_t next = next_touch(s, i);
        bool seen = next == s->n ? s->whole
                                 : s->turns[next].alone ||
                                       !hd_unseen_stores_blind(&s->turns[next].action) ||
                                       !hd_unseen_stores_same_bytes(a, &s->turns[next].action);
        a->size2 = seen ? HD_COMMUTES_NOT : HD_COMMUTES_UNSEEN;
    }
}

void hd_sleepers_add(struct hd_sleepers *s, uint32_t thread, const struct hd_action *action)
{
    uint32_t i = 0;
    while (i < s->n && s->all[i].thread != thread)
        i++;
    if (i == HD_MAX_THREADS)
        return; /* fewer sleep: more is explored */
    s->n = i == s->n ? i + 1 : s->n;
    s->all[i] = (struct hd_sleeper){ hd_unseen_stores_unseen(action), thread, false };
}

/* Resolve stores that must be seen: the step sees them, or overwrites them unseen.  Returns
 * false in the latter case. */
static bool look(struct hd_sleepers *s, const struct hd_action *action)
{
    struct hd_action other = *action;
    other.size2 = 0;
    for (uint32_t i = 0; i < s->n_due;) {
        if (!hd_action_dependent(&s->due[i], &other)) {
            i++;
            continue;
        }
        if (hd_unseen_stores_blind(action) && hd_unseen_stores_same_bytes(action, &s->due[i]))
            return false;
        s->due[i] = s->due[--s->n_due];
    }
    return true;
}

bool hd_sleepers_pass(struct hd_sleepers *s, uint32_t thread, const struct hd_action *action,
                      bool alone)
{
    if (alone)
        s->n_due = 0;
    if (!look(s, action))
        return false;
    bool blind = hd_unseen_stores_blind(action);
    for (uint32_t i = 0; i < s->n;) {
        struct hd_sleeper *q = &s->all[i];
        if (q->thread == thread) {
            if (!q->unless_seen)
                return false;
            struct hd_action due = q->action;
            due.size2 = 0;
            *q = s->all[--s->n];
            if (s->n_due < HD_MAX_THREADS)
                s->due[s->n_due++] = due;
            continue;
        }
        if (hd_action_dependent(action, &q->action)) {
            *q = s->all[--s->n];
            continue;
        }
        if (blind && hd_unseen_stores_blind(&q->action) &&
            hd_unseen_stores_same_bytes(action, &q->action))
            q->unless_seen = true;
        i++;
    }
    return true;
}

bool hd_sleepers_wake(struct hd_sleepers *s, const struct hd_sequence *sequence)
{
    for (uint32_t i = 0; i < sequence->n && (s->n || s->n_due); i++)
        if (!hd_sleepers_pass(s, sequence->turns[i].thread, &sequence->turns[i].action,
                              sequence->turns[i].alone))
            return false;
    if (sequence->whole)
        s->n_due = 0;
    return !s->n && !s->n_due;
}

bool hd_sequence_match(struct hd_sequence *s, uint32_t thread, uint32_t chosen,
                       const struct hd_action *action)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct hd_turn *t = &s->turns[i];
        if (t->taken)
            continue;
        if (t->thread != thread) {
            if (hd_action_dependent(&t->action, action))
                return false;
            continue;
        }
        if (t->chosen != chosen)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (!s->turns[j].taken && hd_action_dependent(&s->turns[j].action, &t->action))
                return false;
        t->taken = true;
        return true;
    }
    return true;
}
