#include "explore/order/access_summary.h"

#include "core/pack_parts.h"

bool hd_access_summary_init(struct hd_access_summary *t, struct hd_arena *arena)
{
    return hd_cell_lists_init(&t->lists, arena, sizeof(struct hd_accessor));
}

void hd_access_summary_forget(struct hd_access_summary *t) { hd_cell_lists_forget(&t->lists); }

/* Returns whether that is new for the cell. */
static bool add(struct hd_access_summary *t, uint32_t cell, const struct hd_accessor *who)
{
    struct hd_accessor *known = hd_cell_lists_record(&t->lists, t->lists.heads[cell]);
    for (; known; known = hd_cell_lists_record(&t->lists, known->record.next)) {
        if (known->thread != who->thread || known->bit != who->bit ||
            known->writes != who->writes)
            continue;
        uint64_t before = known->locks;
        known->locks &= who->locks;
        return known->locks != before;
    }
    hd_cell_lists_push(&t->lists, cell, who);
    return true;
}

void hd_access_summary_add(struct hd_access_summary *t, const struct hd_touch *range,
                           const struct hd_accessor *who,
                           void (*grown)(void *self, const struct hd_touch *cell,
                                         const struct hd_accessor *who),
                           void *self)
{
    for (uint64_t at = range->begin; at < range->end && !t->lists.full;) {
        uint32_t cell = hd_cell_lists_at(&t->lists, at, range->end);
        if (cell == ~0u)
            return;
        struct hd_touch here = { at, at + t->lists.cells.cells[cell].len, who->writes };
        if (add(t, cell, who) && grown)
            grown(self, &here, who);
        at = here.end;
    }
}

bool hd_access_summary_by(struct hd_access_summary *t, const struct hd_touch *range,
                          uint32_t thread, uint64_t held,
                          bool (*counts)(const void *self, const struct hd_accessor *who),
                          const void *self)
{
    for (uint64_t at = range->begin; at < range->end && !t->lists.full;) {
        uint32_t cell = hd_cell_lists_at(&t->lists, at, range->end);
        if (cell == ~0u)
            break;
        const struct hd_accessor *who = hd_cell_lists_record(&t->lists, t->lists.heads[cell]);
        for (; who; who = hd_cell_lists_record(&t->lists, who->record.next)) {
            if (who->thread != thread && (who->writes || range->writes) && !(who->locks & held) &&
                (!counts || counts(self, who)))
                return true;
        }
        at += t->lists.cells.cells[cell].len;
    }
    return t->lists.full;
}

static void pack_accessor(void *record, struct hd_pack *p)
{
    static const struct hd_field fields[] = { HD_FIELD(struct hd_accessor, locks),
                                              HD_FIELD(struct hd_accessor, bit),
                                              HD_FLAG(struct hd_accessor, writes) };
    struct hd_accessor *who = record;
    HD_PACK_FIELDS(p, who, fields);
    hd_pack_thread(p, &who->thread);
}

void hd_access_summary_pack(struct hd_access_summary *t, struct hd_pack *p)
{
    hd_cell_lists_pack(&t->lists, p, pack_accessor);
}
