/* What people and scripts read: interleavings in columns, replays, deadlocks, verdicts, JSON. */
#include "base/json.h"
#include "fake_program.h"
#include "report/json.h"
#include "report/name.h"
#include "report/step.h"
#include "report/text.h"
#include "report/verdict.h"

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

struct sink {
    FILE *file;
    char *text;
    size_t n;
};

static struct hd_terminal to(struct sink *sink, unsigned width)
{
    *sink = (struct sink){ 0 };
    sink->file = open_memstream(&sink->text, &sink->n);
    return (struct hd_terminal){ .out = sink->file, .width = width };
}

static void expect(struct sink *sink, const char *text)
{
    fclose(sink->file);
    assert_string_equal(sink->text, text);
    free(sink->text);
}

static struct hd_run two_threads(struct hd_step *log, uint32_t n)
{
    struct hd_run run = { .log = log, .n_log = n, .output = "one\ntwo" };
    run.threads.n = 3;
    run.threads.names[1] = (struct hd_thread_name){ 0, 1 };
    run.threads.names[2] = (struct hd_thread_name){ 1, 1 };
    return run;
}

static struct hd_name counter(void)
{
    struct hd_name name = { .where = HD_WHERE_GLOBAL };
    assert_true(hd_program_variable(program, "fake_counter", &name.offset));
    return name;
}

static void columns(void **state)
{
    (void)state;
    struct hd_step log[] = {
        { .thread = 1,
          .op = HD_OP_READ,
          .size = 4,
          .site = 1,
          .object = counter(),
          .flags = HD_STEP_HAS_READ },
        { .thread = 2,
          .op = HD_OP_START,
          .object = { HD_WHERE_THREAD, 2, 0, 0, 0, 0 },
          .flags = HD_STEP_PREEMPTION },
        { .thread = 2,
          .op = HD_OP_RMW,
          .size = 4,
          .object = counter(),
          .value_read = 0xffffffff,
          .value_written = 1,
          .flags = HD_STEP_HAS_READ | HD_STEP_HAS_WRITTEN },
    };
    struct hd_run run = two_threads(log, 3);
    struct sink sink;
    struct hd_terminal text = to(&sink, 80);
    hd_text_columns(&text, &run, program);
    expect(&sink, "        all in a.c\n"
                  " step   T1                                  T1.1\n"
                  "        :12\n"
                  "    1     read fake_counter = 0\n"
                  "\n"
                  "    2 >                                       start\n"
                  "    3                                         rmw fake_counter: -1 -> 1\n"
                  "    > the thread before could have gone on\n\n");
}

/* Too narrow for two columns: one, with names. */
static void one_column(void **state)
{
    (void)state;
    struct hd_step log[] = { { .thread = 1, .op = HD_OP_YIELD, .site = 1 },
                             { .thread = 2, .op = HD_OP_YIELD, .site = 1 } };
    struct hd_run run = two_threads(log, 2);
    struct sink sink;
    struct hd_terminal text = to(&sink, 40);
    hd_text_columns(&text, &run, program);
    expect(&sink, "        all in a.c\n"
                  "        T1  :12\n    1     yield\n        T1.1  :12\n    2     yield\n\n");
}

/* Who waits for ever stands at the end; what they wait for is shown however long the run is. */
static void ends(void **state)
{
    (void)state;
    struct hd_step log[30] = { 0 };
    for (int i = 0; i < 30; i++)
        log[i] = (struct hd_step){ .thread = 1, .op = HD_OP_YIELD, .site = 1 };
    log[14].op = HD_OP_LOCK;
    log[14].object = counter();
    struct hd_run run = two_threads(log, 30);
    run.found = true;
    run.finding.kind = HD_KIND_DEADLOCK;
    run.finding.n_standings = 1;
    run.finding.standings[0] =
        (struct hd_standing){ .thread = 2, .op = HD_OP_LOCK, .site = 1, .object = counter() };
    struct sink sink;
    struct hd_terminal text = to(&sink, 80);
    hd_text_columns(&text, &run, program);
    fclose(sink.file);
    assert_non_null(strstr(sink.text, "   15     lock fake_counter\n"));
    assert_null(strstr(sink.text, "   14  "));
    assert_non_null(strstr(sink.text, "\n    !  "));
    assert_non_null(strstr(sink.text, "  waits for ever\n"));
    free(sink.text);
    run.finding.kind = HD_KIND_MISUSE;
    run.finding.thread = 1;
    strcpy(run.finding.message, "use of a destroyed mutex");
    text = to(&sink, 80);
    hd_text_columns(&text, &run, program);
    fclose(sink.file);
    assert_non_null(strstr(sink.text, "    !     use of a destroyed mutex\n"));
    free(sink.text);
}

static void folding(void **state)
{
    (void)state;
    struct hd_step log[40] = { 0 };
    for (int i = 0; i < 40; i++)
        log[i] = (struct hd_step){ .thread = i >= 10,
                                   .op = HD_OP_SEM_POST,
                                   .object = counter(),
                                   .flags = i < 10 ? HD_STEP_SOLO : 0 };
    struct hd_run run = two_threads(log, 40);
    struct sink sink;
    struct hd_terminal text = to(&sink, 80);
    hd_text_columns(&text, &run, program);
    expect(&sink, " step   T1\n"
                  "        ... 10 steps of main, alone\n"
                  "   11     sem-post fake_counter\n"
                  "   12     sem-post fake_counter\n"
                  "   13     sem-post fake_counter\n"
                  "   14     sem-post fake_counter\n"
                  "        ... 22 more steps of T1\n"
                  "   37     sem-post fake_counter\n"
                  "   38     sem-post fake_counter\n"
                  "   39     sem-post fake_counter\n"
                  "   40     sem-post fake_counter\n\n");
    text = to(&sink, 80);
    text.whole = true;
    hd_text_columns(&text, &run, program);
    fclose(sink.file);
    assert_null(strstr(sink.text, "more steps"));
    assert_non_null(strstr(sink.text, "   25  "));
    free(sink.text);
    for (int i = 11; i < 16; i++) /* what concerns no other thread */
        log[i] = (struct hd_step){ .thread = 1, .op = HD_OP_YIELD };
    run.n_log = 18;
    log[17].thread = 0;
    text = to(&sink, 80);
    hd_text_columns(&text, &run, program);
    fclose(sink.file);
    assert_non_null(strstr(sink.text, "   11   "));
    assert_non_null(strstr(sink.text, "... 5 more steps of T1\n"));
    assert_non_null(strstr(sink.text, "   17   "));
    free(sink.text);
}

static void replay_listing(void **state)
{
    (void)state;
    struct hd_step log[] = {
        { .op = HD_OP_CREATE, .object = { HD_WHERE_THREAD, 1, 0, 0, 0, 0 }, .output_end = 4 },
        { .thread = 1,
          .op = HD_OP_WAIT,
          .site = 1,
          .object = { HD_WHERE_HEAP, 0, 2, 8, 0, 0 },
          .object2 = counter(),
          .output_end = 4 },
    };
    struct hd_run run = two_threads(log, 2);
    run.output_bytes = 7;
    struct sink sink;
    struct hd_terminal text = to(&sink, 80);
    hd_text_steps(&text, &run, program);
    expect(&sink,
           "    1   main                                     create T1\n"
           "      | one\n"
           "    2   T1     a.c:12 f                          wait x, releases fake_counter\n"
           "      | two\n");
}

static void deadlock(void **state)
{
    (void)state;
    struct hd_run run = two_threads(NULL, 0);
    struct hd_finding *f = &run.finding;
    f->kind = HD_KIND_DEADLOCK;
    strcpy(f->message, "2 threads wait for ever");
    f->n_standings = 3;
    f->standings[0] = (struct hd_standing){
        .thread = 0, .op = HD_OP_JOIN, .owner = 1, .object = { HD_WHERE_THREAD, 1, 0, 0, 0, 0 }
    };
    f->standings[1] = (struct hd_standing){
        .thread = 1, .op = HD_OP_LOCK, .site = 1, .owner = 2, .owner_site = 1, .object = counter()
    };
    f->standings[2] = (struct hd_standing){
        .thread = 2, .op = HD_OP_BLOCKED, .owner = ~0u, .object = counter()
    };
    struct sink sink;
    struct hd_terminal text = to(&sink, 80);
    hd_text_violation(&text, &run, program);
    expect(&sink, "deadlock: 2 threads wait for ever\n  in T1 at a.c:12 (f)\n\n"
                  "  main waits to join T1\n"
                  "  T1 waits at a.c:12 (f) to lock fake_counter, which T1.1 holds since a.c:12\n"
                  "  T1.1 waits for a signal of fake_counter\n\n");
}

static void values(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        uint32_t size;
        const char *text;
    } cases[] = {
        { 0, 4, "0" },
        { 0xffffffff, 4, "-1" },
        { 0xffffffff, 8, "0xffffffff" },
        { UINT64_MAX, 8, "-1" },
        { 255, 1, "255" },
        { 999999999, 8, "999999999" },
        { 0xfff6, 2, "65526" },
        { 0x7ffff7fa7760, 8, "0x7ffff7fa7760" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hd_str out;
        hd_str_init(&out);
        hd_name_value(&out, cases[i].value, cases[i].size);
        assert_string_equal(out.text, cases[i].text);
        hd_str_release(&out);
    }
}

static void json_strings(void **state)
{
    (void)state;
    struct hd_str out;
    hd_str_init(&out);
    hd_json_string(&out, "a\"\\\n\x01\xc3\xa4\xff\xe2\x82\xed\xa0\x80z");
    assert_string_equal(out.text, "\"a\\\"\\\\\\u000a\\u0001\xc3\xa4\\ufffd\\ufffd\\ufffd"
                                  "\\ufffd\\ufffd\\ufffdz\"");
    hd_str_release(&out);
}

static void judge(struct hd_result *result, struct hd_options *options, enum hd_verdict verdict,
                  const char *because)
{
    struct hd_summary s;
    hd_summary_init(&s, result, options, NULL, 2, program);
    assert_int_equal(s.verdict, verdict);
    assert_false(s.exhaustive);
    bool there = false;
    for (size_t i = 0; i < s.downgrades.n; i++)
        there = there || strstr(s.downgrades.items[i], because);
    assert_true(there);
    hd_summary_release(&s);
}

/* The fake program calls a function of unknown effect: it is never verified. */
static void verdicts(void **state)
{
    (void)state;
    struct hd_result result = { .counters.finished = 1 };
    struct hd_options options = { .depth = 9, .preemptions = 2 };
    judge(&result, &options, HD_NONE_FOUND, "know: extrn");
    result.counters.dropped[HD_FILTER_INDEX_DEPTH] = 1;
    judge(&result, &options, HD_NONE_FOUND, "cut after 9 steps");
    result.counters.dropped[HD_FILTER_INDEX_PREEMPTIONS] = 1;
    judge(&result, &options, HD_NONE_FOUND, "more than 2 preemptions");
    options.filters = HD_FILTER_SOURCE;
    judge(&result, &options, HD_NONE_FOUND, "what the bound cut off");
    options.filters = HD_FILTER_DPOR;
    judge(&result, &options, HD_NONE_FOUND, "what the bound cut off");
    options.filters = HD_FILTER_OPTIMAL;
    result.counters.dropped[HD_FILTER_INDEX_DEPTH] = 0;
    judge(&result, &options, HD_NONE_FOUND, "dpor misses none");
    options.filters = HD_FILTER_NOT_SEEN_HASH;
    judge(&result, &options, HD_NONE_FOUND, "hash alone");
    options.search = HD_SEARCH_RANDOM;
    judge(&result, &options, HD_NONE_FOUND, "random walks");
    result.stop = HD_STOP_TIME;
    judge(&result, &options, HD_NONE_FOUND, "after 2 seconds");
    result.stop = HD_STOP_INTERRUPTED;
    judge(&result, &options, HD_NONE_FOUND, "interrupted");
    result.n_lost = 3;
    judge(&result, &options, HD_NONE_FOUND, "3 more distinct violations");
    struct hd_run run = { 0 };
    result.runs = &run;
    result.n_runs = 1;
    result.stop = HD_STOP_VIOLATION;
    judge(&result, &options, HD_VIOLATION, "first violation");
}

static void json_object(void **state)
{
    (void)state;
    struct hd_run run = two_threads(NULL, 0);
    run.finding = (struct hd_finding){ .kind = HD_KIND_CRASH,
                                       .thread = 2,
                                       .site = 1,
                                       .execution = 4,
                                       .n_steps = 7,
                                       .preemptions = 1 };
    strcpy(run.finding.message, "boom");
    struct hd_result result = { .n_runs = 1, .runs = &run };
    result.counters.executions = 11;
    result.counters.observations = 2;
    result.counters.observations_hash = 0xab;
    struct hd_options options = { 0 };
    struct hd_summary summary;
    hd_summary_init(&summary, &result, &options, NULL, 0, program);
    char *traces[] = { "t/x.trace" };
    struct hd_report in = { .version = "1",
                            .program = "p \"q\"",
                            .strategy = "brute",
                            .compile_seconds = 0.5,
                            .summary = &summary,
                            .result = &result,
                            .traces = traces,
                            .file = program };
    struct hd_str out;
    hd_str_init(&out);
    hd_json_result(&out, &in);
    static const char *const parts[] = {
        "{\n  \"heddle\": \"1\",\n  \"program\": \"p \\\"q\\\"\",\n  \"verdict\": \"violation\"",
        "\"exhaustive\": false",
        "\"executions\": 11",
        "\"observations\": 2",
        "\"observations_hash\": \"00000000000000ab\"",
        "\"compile_seconds\": 0.500000",
        "\"kind\": \"crash\", \"message\": \"boom\"",
        "\"location\": {\"file\": \"a.c\", \"line\": 12, \"function\": \"f\"}",
        "\"thread\": \"T1.1\", \"execution\": 4, \"steps\": 7, \"preemptions\": 1",
        "\"trace\": \"t/x.trace\"}]",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(out.text, parts[i]))
            fail_msg("%s is not in %s", parts[i], out.text);
    hd_str_release(&out);
    hd_summary_release(&summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),        cmocka_unit_test(one_column),
        cmocka_unit_test(ends),           cmocka_unit_test(folding),
        cmocka_unit_test(replay_listing), cmocka_unit_test(deadlock),
        cmocka_unit_test(values),         cmocka_unit_test(json_strings),
        cmocka_unit_test(verdicts),       cmocka_unit_test(json_object),
    };
    return cmocka_run_group_tests(tests, open_program, close_program);
}
