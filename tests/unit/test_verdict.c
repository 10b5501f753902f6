/* The verdict is a positive proof: without a proof of every obligation nothing is
 * `verified`. */
#include "fake_program.h"
#include "report/obligations.h"
#include "report/verdict.h"
#include "supervise/suppressions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hd_program *program;

static int open_program(void **state)
{
    (void)state;
    struct hd_err err;
    return hd_program_open(&program, "/proc/self/exe", NULL, &err) || !fake_program_info.n_sites;
}

static int close_program(void **state)
{
    (void)state;
    hd_program_close(program);
    return 0;
}

/* An exploration of which everything is known and nothing was cut.  (The fake program calls
 * functions through pointers, so `known-calls` is left out.) */
struct proof {
    struct hd_result result;
    struct hd_options options;
    struct hd_evidence evidence;
    struct hd_obligation table[64];
    uint32_t n;
    struct hd_strs why, names;
};

static void whole(struct proof *p)
{
    memset(p, 0, sizeof *p);
    p->result.counters.finished = 1;
    p->result.counters.executions = 3;
    p->result.n_threads = 2;
    p->options.depth = 9;
    p->options.races = HD_RACES_ERROR;
    p->options.filters = HD_FILTER_OPTIMAL;
    p->evidence = (struct hd_evidence){ .result = &p->result,
                                        .options = &p->options,
                                        .program = program,
                                        .filters = hd_filter_table,
                                        .n_filters = HD_N_FILTERS };
    for (uint32_t i = 0; i < hd_n_obligations; i++)
        if (strcmp(hd_obligations[i].name, "known-calls") != 0)
            p->table[p->n++] = hd_obligations[i];
    hd_strs_init(&p->why);
    hd_strs_init(&p->names);
}

static bool shown(struct proof *p)
{
    hd_strs_release(&p->why);
    hd_strs_release(&p->names);
    hd_strs_init(&p->why);
    hd_strs_init(&p->names);
    return hd_obligations_shown(p->table, p->n, &p->evidence, &p->why, &p->names);
}

static void release(struct proof *p)
{
    hd_strs_release(&p->why);
    hd_strs_release(&p->names);
}

/* Exactly this obligation is not shown, and the reason says so. */
static void expect_undischarged(struct proof *p, const char *name, const char *because)
{
    assert_false(shown(p));
    assert_int_equal(p->names.n, 1);
    assert_string_equal(p->names.items[0], name);
    assert_true(p->why.n >= 1);
    bool there = false;
    for (size_t i = 0; i < p->why.n; i++)
        there = there || strstr(p->why.items[i], because);
    if (!there)
        fail_msg("no \"%s\" in \"%s\"", because, p->why.items[0]);
}

static void all_shown(void **state)
{
    (void)state;
    struct proof p;
    whole(&p);
    assert_true(shown(&p));
    assert_int_equal(p.why.n, 0);
    assert_int_equal(p.names.n, 0);
    release(&p);
}

/* A new filter that claims nothing. */
static void new_filter(void **state)
{
    (void)state;
    struct hd_filter_row rows[HD_N_FILTERS + 1];
    struct proof p;
    memcpy(rows, hd_filter_table, sizeof hd_filter_table);
    rows[HD_N_FILTERS] = (struct hd_filter_row){ .text = "toy", .stage = 99 };
    whole(&p);
    p.evidence.filters = rows;
    p.evidence.n_filters = HD_N_FILTERS + 1;
    assert_true(shown(&p)); /* it is not in the chain */
    p.options.filters = 1u << HD_N_FILTERS;
    expect_undischarged(&p, "filters", "toy does not claim");
    /* A bound, which says when it has cut. */
    rows[HD_N_FILTERS].claim = HD_CLAIM_WITHIN;
    rows[HD_N_FILTERS].sentence = "{n} toy{s} were lost";
    rows[HD_N_FILTERS].argument.field = offsetof(struct hd_options, argument[HD_N_FILTERS]);
    rows[HD_N_FILTERS].argument.letter = "N";
    assert_true(shown(&p));
    p.options.argument[HD_N_FILTERS] = 2;
    p.result.counters.dropped[HD_N_FILTERS] = 1;
    assert_false(shown(&p));
    assert_int_equal(p.why.n, 1);
    assert_string_equal(p.why.items[0], "2 toys were lost");
    p.options.argument[HD_N_FILTERS] = 1;
    assert_false(shown(&p));
    assert_string_equal(p.why.items[0], "1 toy were lost");
    p.result.counters.dropped[HD_N_FILTERS] = 0;
    rows[HD_N_FILTERS].claim = HD_CLAIM_ALL;
    assert_true(shown(&p));
    p.options.filters |= HD_FILTER_OPTIMAL; /* right alone, not known to be right together */
    expect_undischarged(&p, "chain", "right together");
    p.options.filters = 1u << HD_N_FILTERS;
    p.evidence.n_filters = HD_N_FILTERS; /* a bit without a row */
    expect_undischarged(&p, "filters", "no row");
    release(&p);
}

static bool never(const struct hd_evidence *e, struct hd_strs *why)
{
    (void)e;
    (void)why;
    return false;
}

static bool unsure(const struct hd_evidence *e, struct hd_strs *why)
{
    (void)e;
    hd_strs_add(why, "something was cut");
    return true; /* it contradicts itself */
}

static void new_obligation(void **state)
{
    (void)state;
    struct proof p;
    whole(&p);
    struct hd_obligation *last = &p.table[p.n++];
    *last = (struct hd_obligation){ .name = "toy", .claim = "Toys are safe." };
    expect_undischarged(&p, "toy", "Toys are safe.");
    last->shown = never;
    expect_undischarged(&p, "toy", "Toys are safe.");
    last->shown = unsure;
    expect_undischarged(&p, "toy", "something was cut");
    release(&p);
}

/* Every row that claims nothing, and every bound that has cut something. */
static void every_filter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < HD_N_FILTERS; i++) {
        const struct hd_filter_row *row = &hd_filter_table[i];
        struct proof p;
        whole(&p);
        p.options.filters = 1u << i;
        if (row->claim == HD_CLAIM_WITHIN) {
            assert_true(row->sentence[0]);
            assert_true(shown(&p));
            p.result.counters.dropped[i] = 1;
        }
        assert_int_equal(shown(&p), row->claim == HD_CLAIM_ALL);
        if (row->claim == HD_CLAIM_NOTHING)
            assert_true(row->sentence[0]);
        release(&p);
    }
}

/* A fact against each of the other obligations. */
static void every_fact(void **state)
{
    (void)state;
    struct proof p;
#define FACT(name, because, ...)                                                                 \
    do {                                                                                         \
        whole(&p);                                                                               \
        __VA_ARGS__;                                                                             \
        expect_undischarged(&p, name, because);                                                  \
        release(&p);                                                                             \
    } while (0)
    FACT("finished", "came to its end", p.result.counters.finished = 0);
    FACT("finished", "(--executions)", p.result.stop = HD_STOP_EXECUTIONS);
    FACT("executed", "no execution was complete", p.result.counters.executions = 0);
    FACT("executed", "7 ended where an assumption", p.result.counters.executions = 0,
         p.result.counters.assumed = 7);
    FACT("kept", "3 more", p.result.n_lost = 3);
    FACT("search", "random walks", p.options.search = HD_SEARCH_PCT);
    FACT("search", "guided", p.options.search = HD_SEARCH_GREEDY);
    FACT("plugin", "pruned by mine.so: 0",
         p.options.plugin = (struct hd_plugin){ 1, HD_PLUGIN_PRUNES, "./mine.so", "" });
    FACT("plugin", "sampled by mine.so",
         p.options.plugin = (struct hd_plugin){ 1, HD_PLUGIN_SAMPLES, "./mine.so", "" });
    FACT("plugin", "mine.so does not declare",
         p.options.plugin = (struct hd_plugin){ 1, 0, "./mine.so", "" });
    FACT("plugin", "mine.so does not declare",
         p.options.plugin = (struct hd_plugin){ 1, HD_PLUGIN_ORDERS | 64, "./mine.so", "" });
    FACT("checker", "one order of independent steps",
         p.options.plugin = (struct hd_plugin){ 1, HD_PLUGIN_CHECKS, "./mine.so", "" },
         p.options.filters |= HD_FILTER_OPTIMAL);
    FACT("checker", "mine.so was not shown them (--analysis all)",
         p.options.plugin = (struct hd_plugin){ 1, HD_PLUGIN_CHECKS, "./mine.so", "" });
    FACT("chain", "right together", p.options.filters |= HD_FILTER_STATES);
    FACT("queue", "2 states", p.result.counters.states_dropped = 2);
    FACT("stored", "four bits", p.options.filters = HD_FILTER_STATES,
         p.options.state_store = HD_STORE_BITS);
    FACT("symmetric", "interchangeable", p.options.symmetric = 1);
    FACT("polls", "(--polls)", p.result.counters.polled[0] = 1);
    FACT("timeouts", "time out", p.options.no_timeouts = 1);
    FACT("nondet", "outside", p.result.counters.nondet_cut = 1);
    FACT("faults", "fault", p.result.counters.faults_reached = 1);
    FACT("faults", "atomic sections", p.result.counters.faults_skipped = 1);
    FACT("reuse", "--reuse off", p.result.counters.reuse_left_out = 1);
    FACT("handlers", "pthread_exit", p.result.counters.last_runs_handlers = 1);
    FACT("livelocks", "livelocks", p.result.counters.cycles_unknown = 1);
    FACT("suppressed", "1 data race was suppressed by the rule race:b.c: a.c:12 and a.c:12",
         hd_suppressions_add(&p.options.suppressions, "race:a.h", 8, 1);
         hd_suppressions_add(&p.options.suppressions, "race:b.c", 8, 2); hd_notes_take(
             &p.result.notes,
             &(struct hd_note){
                 .kind = HD_NOTE_SUPPRESSED, .site = 1, .other = 1, .rule = 2, .n = 7 }));
    FACT("suppressed", "than could be kept", p.result.notes.lost[HD_NOTE_SUPPRESSED] = 1);
    FACT("races", "--races off", p.options.races = HD_RACES_OFF);
    FACT("numbers", "x at a.c:12", hd_notes_add(&p.result.notes, HD_NOTE_MODELLED, 0, 1);
         hd_notes_add(&p.result.notes, HD_NOTE_OPENED, 1, 1);
         hd_notes_add(&p.result.notes, HD_NOTE_CLOSED, 1, 1));
    FACT("unmapped", "x at a.c:12", hd_notes_add(&p.result.notes, HD_NOTE_MAPPED, 1, 1);
         hd_notes_add(&p.result.notes, HD_NOTE_UNMAPPED, 1, 1));
    FACT("modelled", "madvise", p.result.counters.left_out = HD_LEFT_ADVISED);
    FACT("modelled", "nothing shows", p.result.counters.left_out = 1u << 31);
#undef FACT
}

static void notes(void **state)
{
    (void)state;
    static const struct {
        enum hd_note_kind kind;
        const char *name, *because;
    } kinds[] = {
        { HD_NOTE_ASSEMBLY, "assembly", "unseen: x at a.c:12 (5 times)" },
        { HD_NOTE_UNCONTROLLED, "controlled", "x at a.c:12 (5 times)" },
        { HD_NOTE_WEAK, "orders", "x at a.c:12 (5 times)" },
        { HD_NOTE_THREADS, "threads", "(--threads 256): x at a.c:12 (5 times)" },
        { HD_NOTE_INPUT, "input", "x at a.c:12 (5 times)" },
        { HD_NOTE_ERRNO_TAKEN, "errno-own", "not seen: x at a.c:12 (5 times)" },
        { HD_NOTE_MOVED, "moved", "not explored: x at a.c:12 (5 times)" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct proof p;
        whole(&p);
        hd_notes_add(&p.result.notes, kinds[i].kind, 1, 2);
        hd_notes_add(&p.result.notes, kinds[i].kind, 1, 3);
        expect_undischarged(&p, kinds[i].name, kinds[i].because);
        release(&p);
    }
}

/* More places than there is room for are counted, and never forgotten. */
static void many_notes(void **state)
{
    (void)state;
    struct hd_notes *one = calloc(1, sizeof *one), *sum = calloc(1, sizeof *sum);
    uint64_t n = 0;
    assert_non_null(one);
    assert_non_null(sum);
    for (uint32_t site = 1; site <= 3 * HD_MAX_NOTES; site++)
        hd_notes_add(one, HD_NOTE_WEAK, site, 1);
    hd_notes_add(one, HD_NOTE_COUNT, 1, 1); /* there is no such kind */
    hd_notes_merge(sum, one);
    hd_notes_merge(sum, one);
    for (uint32_t i = 0; i < HD_MAX_NOTES; i++)
        n += sum->at[i].n;
    assert_true(sum->lost[HD_NOTE_WEAK] > 0);
    assert_int_equal(n + sum->lost[HD_NOTE_WEAK], 6 * HD_MAX_NOTES);
    assert_true(hd_notes_any(sum, HD_NOTE_WEAK));
    assert_false(hd_notes_any(sum, HD_NOTE_INPUT));
    free(one);
    free(sum);
}

/* Sets that may stand together: part of one is one, so that larger ones grow from smaller. */
static uint32_t count_chains(uint32_t filters, uint32_t from)
{
    uint32_t n = 1;
    for (uint32_t i = from; i < HD_N_FILTERS; i++)
        if (hd_chain_allowed(filters | 1u << i))
            n += count_chains(filters | 1u << i, i + 1);
    return n;
}

/* What stands together is listed; all else is refused. */
static void chains(void **state)
{
    (void)state;
    assert_true(hd_chain_allowed(0));
    for (uint32_t i = 0; i < HD_N_FILTERS; i++)
        assert_true(hd_chain_allowed(1u << i));
    assert_true(hd_chain_allowed(HD_FILTER_OPTIMAL | HD_FILTER_PREEMPTIONS | HD_FILTER_DEPTH));
    assert_false(hd_chain_allowed(HD_FILTER_OPTIMAL | HD_FILTER_SLEEP));
    assert_false(hd_chain_allowed(HD_FILTER_STATES | HD_FILTER_OPTIMAL));
    assert_false(hd_chain_allowed(HD_FILTER_OPTIMAL | 1u << HD_N_FILTERS)); /* a new one */
    assert_int_equal(count_chains(0, 0),
                     352); /* another number: the oracle has other chains to try */
}

/* The program created no thread; random numbers and times are named with their places. */
static void assumptions(void **state)
{
    (void)state;
    struct hd_result result = { .n_threads = 1 };
    struct hd_options options = { 0 };
    struct hd_summary s;
    hd_notes_add(&result.notes, HD_NOTE_RANDOM, 1, 3);
    hd_notes_add(&result.notes, HD_NOTE_TIME, 1, 1);
    hd_summary_init(&s, &result, &options, NULL, 0, program);
    assert_int_equal(s.assumptions.n, 3);
    assert_non_null(strstr(s.assumptions.items[0], "sequence: x at a.c:12 (3 times)"));
    assert_non_null(strstr(s.assumptions.items[1], "looks: x at a.c:12"));
    assert_string_equal(s.assumptions.items[2], "the program created no thread");
    assert_int_equal(s.verdict, HD_NONE_FOUND);
    hd_summary_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shown),      cmocka_unit_test(new_filter),
        cmocka_unit_test(new_obligation), cmocka_unit_test(every_filter),
        cmocka_unit_test(every_fact),     cmocka_unit_test(notes),
        cmocka_unit_test(many_notes),     cmocka_unit_test(chains),
        cmocka_unit_test(assumptions),
    };
    return cmocka_run_group_tests(tests, open_program, close_program);
}
