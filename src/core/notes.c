#include "core/notes.h"

enum { MOST_TRIES = 64 };

void hd_notes_add(struct hd_notes *notes, uint32_t kind, uint32_t site, uint64_t n)
{
    if (kind == HD_NOTE_NONE || kind >= HD_NOTE_COUNT)
        return;
    uint32_t at = (site * 0x9e3779b1u >> 16) + kind;
    for (uint32_t i = 0; i < MOST_TRIES; i++) {
        struct hd_note *note = &notes->at[(at + i) % HD_MAX_NOTES];
        if (note->kind == HD_NOTE_NONE)
            *note = (struct hd_note){ .kind = kind, .site = site };
        if (note->kind == kind && note->site == site) {
            note->n += n;
            return;
        }
    }
    notes->lost[kind] += n;
}

/* The worker's table may have been damaged by the program: a kind that there is not is
 * skipped. */
void hd_notes_merge(struct hd_notes *sum, const struct hd_notes *notes)
{
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++)
        hd_notes_add(sum, notes->at[i].kind, notes->at[i].site, notes->at[i].n);
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
