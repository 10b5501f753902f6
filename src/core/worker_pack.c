#include "core/worker_pack.h"

#define C(member) HD_FIELD(struct hd_counters, member)
static const struct hd_field counters[] = {
    C(executions),
    C(blocked),
    C(pruned),
    C(bounded),
    C(assumed),
    C(begun),
    C(begun_before),
    C(explored),
    C(events),
    C(replayed),
    C(states),
    C(states_dropped),
    C(states_forgotten),
    C(choices),
    C(choices_before),
    C(passes),
    C(max_depth),
    C(restarts),
    C(opaque),
    C(digest),
    C(traces),
    C(observations),
    C(observations_hash),
    HD_FIELDS(struct hd_counters, dropped),
    HD_FIELDS(struct hd_counters, repeated),
    C(faults_reached),
    C(last_runs_handlers),
    C(faults_skipped),
    HD_FIELDS(struct hd_counters, polled),
    C(reuse_left_out),
    C(nondet_cut),
    C(left_out),
    C(orders_less),
    HD_FIELDS(struct hd_counters, site_orders_used),
    C(accesses_ordered),
    HD_FIELDS(struct hd_counters, accesses_apart),
    C(bound_now),
    C(cycles_unknown),
    C(alike),
    C(alike_looks),
    C(invariants),
    C(invariants_unsure),
    C(left_out_by_plugin),
    C(plugin_stopped),
    C(finished),
};
#undef C

#define F(member) HD_FIELD(struct hd_finding, member)
static const struct hd_field finding[] = {
    F(kind),
    F(thread),
    F(site),
    F(line),
    F(pc),
    F(execution),
    F(schedule),
    F(n_steps),
    F(preemptions),
    F(fingerprint),
    HD_FIELDS(struct hd_finding, message),
    HD_FIELDS(struct hd_finding, file),
    HD_FIELDS(struct hd_finding, function),
    F(n_standings),
    F(n_origins),
    F(partial),
    F(stack),
    F(cycle),
    F(race_step),
};
#undef F

#define S(member) HD_FIELD(struct hd_standing, member)
static const struct hd_field standing[] = {
    S(thread),        S(op),           S(enabled),       S(site),
    S(owner),         S(owner_site),   S(stack),         S(object.where),
    S(object.thread), S(object.index), S(object.offset),
};
#undef S

#define O(member) HD_FIELD(struct hd_origin, member)
static const struct hd_field origin[] = { O(what), O(thread), O(site) };
#undef O

#define I(member) HD_FIELD(struct hd_inverted, member)
static const struct hd_field inverted[] = {
    I(thread),      I(site),       I(held_site),   I(held.where),
    I(held.thread), I(held.index), I(held.offset),
};
#undef I

static void pack_finding(struct hd_finding *f, struct hd_pack *p)
{
    uint32_t most_standings = sizeof f->standings / sizeof *f->standings;
    HD_PACK_FIELDS(p, f, finding);
    hd_pack_want(p, f->n_standings <= most_standings && f->n_origins <= HD_MAX_ORIGINS);
    for (uint32_t i = 0; i < f->n_standings && !p->bad; i++)
        HD_PACK_FIELDS(p, &f->standings[i], standing);
    for (uint32_t i = 0; i < f->n_origins && !p->bad; i++)
        HD_PACK_FIELDS(p, &f->origins[i], origin);
}

static void pack_findings(struct hd_worker_memory *s, struct hd_pack *p)
{
    hd_pack_count(p, &s->n_findings, HD_MAX_FINDINGS);
    hd_pack_u32(p, &s->n_lost, UINT32_MAX);
    for (uint32_t i = 0; i < s->n_findings && !p->bad; i++)
        pack_finding(&s->findings[i], p);
    hd_pack_count64(p, &s->n_schedule, HD_SCHEDULE_POOL);
    for (uint64_t i = 0; i < s->n_schedule && !p->bad; i++)
        hd_pack_u32(p, &s->schedule[i], UINT32_MAX);
    hd_pack_count(p, &s->n_inversions, HD_MAX_INVERSIONS);
    for (uint32_t i = 0; i < s->n_inversions && !p->bad; i++) {
        struct hd_inversion *v = &s->inversions[i];
        hd_pack_u32(p, &v->n, HD_MAX_INVERSION);
        hd_pack_u64(p, &v->sites);
        hd_pack_u64(p, &v->locks);
        for (uint32_t k = 0; k < v->n; k++)
            HD_PACK_FIELDS(p, &v->order[k], inverted);
    }
}

static void pack_notes(struct hd_notes *notes, struct hd_pack *p)
{
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < HD_MAX_NOTES && !p->reading; i++)
        n += notes->at[i].kind != HD_NOTE_NONE;
    hd_pack_count(p, &n, HD_MAX_NOTES);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        struct hd_note note = { 0 };
        while (!p->reading && notes->at[at].kind == HD_NOTE_NONE)
            at++;
        if (!p->reading)
            note = notes->at[at++];
        hd_pack_u32(p, &note.kind, HD_NOTE_COUNT - 1);
        hd_pack_u32(p, &note.site, UINT32_MAX);
        hd_pack_u32(p, &note.other, UINT32_MAX);
        hd_pack_u32(p, &note.rule, HD_MAX_RULES);
        hd_pack_u64(p, &note.n);
        if (p->reading && note.kind != HD_NOTE_NONE)
            hd_notes_take(notes, &note);
    }
    for (uint32_t i = 0; i < HD_NOTE_COUNT; i++)
        hd_pack_u64(p, &notes->lost[i]);
}

static void pack_readset(struct hd_readset *set, struct hd_pack *p)
{
    hd_pack_u32(p, &set->n, HD_READSET_RANGES);
    hd_pack_u32(p, &set->all, 1);
    hd_pack_u32(p, &set->grown, 1);
    for (uint32_t i = 0; i < set->n && !p->bad; i++) {
        hd_pack_u64(p, &set->ranges[i].begin);
        hd_pack_u64(p, &set->ranges[i].end);
    }
}

static void pack_parts(struct hd_lock_parts *parts, struct hd_pack *p)
{
    hd_pack_u32(p, &parts->n, HD_LOCK_PARTS / 2);
    hd_pack_u32(p, &parts->whole, 1);
    hd_pack_u32(p, &parts->grown, 1);
    hd_pack_u32(p, &parts->rounds, UINT32_MAX);
    for (uint32_t i = 0; i < HD_LOCK_PARTS && parts->n && !p->bad; i++) {
        hd_pack_u64(p, &parts->rows[i].object);
        hd_pack_u64(p, &parts->rows[i].with);
    }
}

void hd_worker_pack(struct hd_worker_memory *s, struct hd_pack *p)
{
    HD_PACK_FIELDS(p, &s->cnt, counters);
    hd_pack_u64(p, &s->options.reuse.classes);
    hd_pack_u32(p, &s->options.n_parked, HD_MAX_THREADS);
    hd_pack_u64(p, &s->ctl.load_base);
    hd_pack_u32(p, &s->n_threads, HD_MAX_THREADS);
    for (uint32_t i = 1; i < s->n_threads && !p->bad; i++) {
        uint32_t parent = s->threads[i].parent, nth = s->threads[i].nth;
        hd_pack_u32(p, &parent, i - 1);
        hd_pack_u32(p, &nth, UINT16_MAX);
        s->threads[i] = (struct hd_thread_name){ (uint16_t)parent, (uint16_t)nth };
    }
    pack_findings(s, p);
    pack_notes(&s->notes, p);
    pack_readset(&s->readset, p);
    pack_parts(&s->parts, p);
    if (p->reading)
        s->parts_found = s->parts;
}

uint64_t hd_worker_pack_room(const struct hd_worker_memory *s)
{
    return (4u << 20) + 2 * sizeof s->findings + 8 * s->n_schedule;
}
