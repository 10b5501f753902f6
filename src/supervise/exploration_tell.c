#include "supervise/exploration_tell.h"

#include "base/err.h"

#include <string.h>

/* What the workers get besides their options. */
void hd_exploration_tell(struct hd_exploration *x)
{
    const struct hd_dice *d = x->job->dice;
    const struct hd_threads *known = x->job->known;
    for (uint32_t i = 0; i < x->crew.n; i++) {
        struct hd_worker_memory *shared = x->crew.members[i].worker.shared;
        if (d) {
            memcpy(&shared->dice, d, offsetof(struct hd_dice, slice));
            memcpy(shared->dice.slice, d->slice, d->n_sites * sizeof *d->slice);
        }
        if (known) {
            shared->n_threads = known->n;
            memcpy(shared->threads, known->names, known->n * sizeof *known->names);
        }
        if (x->n_grown) { /* otherwise they are empty, as their memory is */
            shared->readset = x->learnt->readset;
            if (shared->options.finer & HD_FINER_LOCKS)
                shared->parts = shared->parts_found = x->learnt->parts;
        }
    }
}

void hd_exploration_take_notes(struct hd_exploration *x)
{
    const struct hd_worker_memory *shared = x->crew.members[0].worker.shared;
    struct hd_dice *d = x->job->dice;
    if (x->job->options.finer & HD_FINER_LOCKS) {
        if (!x->result->parts)
            x->result->parts = hd_alloc(sizeof *x->result->parts);
        *x->result->parts = shared->parts;
    }
    for (uint32_t i = 0; d && i < d->n_sites; i++)
        d->reached[i] |= shared->dice.reached[i];
    for (uint32_t i = 0; d && i < HD_MAX_THREADS; i++)
        if (shared->dice.created[i] && shared->dice.created[i] < d->n_sites)
            d->created[i] = shared->dice.created[i];
    if (x->job->known && x->threads.n > x->job->known->n)
        *x->job->known = x->threads;
}

void hd_exploration_learn(struct hd_exploration *x, const struct hd_worker_memory *shared)
{
    if (!x->learnt)
        x->learnt = hd_alloc(sizeof *x->learnt);
    struct hd_readset *readset = &x->learnt->readset;
    struct hd_lock_parts *parts = &x->learnt->parts;
    x->n_grown++;
    *readset = shared->readset;
    readset->grown = 0;
    readset->all = readset->all || x->n_grown > HD_READSET_ROUNDS;
    if (!(shared->options.finer & HD_FINER_LOCKS))
        return;
    *parts = shared->parts_found;
    parts->grown = 0;
    parts->rounds = x->n_grown;
    parts->whole |= x->n_grown > HD_LOCK_PARTS_ROUNDS;
}
