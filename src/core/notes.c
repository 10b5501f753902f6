#include "core/notes.h"

enum { MOST_TRIES = 64 };

static bool same(const struct hd_note *a, const struct hd_note *b)
{
    return a->kind == b->kind && a->site == b->site && a->other == b->other && a->rule == b->rule;
}

/* Where the search for a note in the table begins. */
static uint32_t begin(uint32_t kind, uint32_t site, uint32_t other)
{
    return ((site + 31 * other) * 0x9e3779b1u >> 16) + kind;
}

void hd_notes_take(struct hd_notes *notes, const struct hd_note *note)
{
    if (note->kind == HD_NOTE_NONE || note->kind >= HD_NOTE_COUNT)
        return;
    uint32_t at = begin(note->kind, note->site, note->other);
    for (uint32_t i = 0; i < MOST_TRIES; i++) {
        struct hd_note *mine = &notes->at[(at + i) % HD_MAX_NOTES];
        if (mine->kind == HD_NOTE_NONE) {
            *mine = *note;
            mine->n = 0;
        }
        if (same(mine, note)) {
            mine->n += note->n;
            return;
        }
    }
    notes->lost[note->kind] += note->n;
}

void hd_notes_add(struct hd_notes *notes, uint32_t kind, uint32_t site, uint64_t n)
{
    struct hd_note *first = &notes->at[begin(kind, site, 0) % HD_MAX_NOTES];
    if (first->kind == kind && first->site == site && kind != HD_NOTE_NONE &&
        !(first->other | first->rule))
        first->n += n; /* most often: each weak access of an execution is noted */
    else
        hd_notes_take(notes, &(struct hd_note){ .kind = kind, .site = site, .n = n });
}

/* The worker's table may have been damaged by the program: a kind that there is not is
 * skipped. */
void hd_notes_merge(struct hd_notes *sum, const struct hd_notes *notes)
{
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++)
        hd_notes_take(sum, &notes->at[i]);
    for (uint32_t kind = 0; kind < HD_NOTE_COUNT; kind++)
        sum->lost[kind] += notes->lost[kind];
}

bool hd_notes_any(const struct hd_notes *notes, enum hd_note_kind kind)
{
    bool any = notes->lost[kind] > 0;
    for (uint32_t i = 0; i < HD_MAX_NOTES && !any; i++)
        any = notes->at[i].kind == kind;
    return any;
}
