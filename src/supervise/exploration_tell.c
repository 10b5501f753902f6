#include "supervise/exploration_tell.h"

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
            shared->readset = x->readset;
            shared->parts = shared->parts_found = x->parts;
        }
    }
}

void hd_exploration_take_notes(struct hd_exploration *x)
{
    const struct hd_worker_memory *shared = x->crew.members[0].worker.shared;
    struct hd_dice *d = x->job->dice;
    x->result->parts = shared->parts;
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
    x->n_grown++;
    x->readset = shared->readset;
    x->readset.grown = 0;
    x->readset.all = x->readset.all || x->n_grown > HD_READSET_ROUNDS;
    x->parts = shared->parts_found;
    x->parts.grown = 0;
    x->parts.rounds = x->n_grown;
    x->parts.whole |= x->n_grown > HD_LOCK_PARTS_ROUNDS;
}
