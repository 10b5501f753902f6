/* Trace files: what is written is read back; what is wrong is refused, with its line. */
#include "fake_program.h"
#include "report/name.h"
#include "report/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                     \
    "heddle-trace 1\nprogram ./p\nbuild " FAKE_BUILD "\nthreads main T1 T2 T1.1\nsteps all\n"

static struct hd_program *open_self(void)
{
    struct hd_err err;
    struct hd_program *p;
    assert_int_equal(fake_program_info.n_sites, 2);
    assert_int_equal(hd_program_open(&p, "/proc/self/exe", NULL, &err), 0);
    return p;
}

static uint64_t address_of(const struct hd_program *p, const char *name)
{
    uint64_t address = 0;
    assert_true(hd_program_variable(p, name, &address));
    return address;
}

/* A run with a step of every shape. */
static struct hd_run sample(const struct hd_program *p, struct hd_step *log)
{
    uint64_t table = address_of(p, "fake_table");
    struct hd_step steps[] = {
        { .op = HD_OP_CREATE,
          .flags = HD_STEP_SOLO,
          .object = { HD_WHERE_THREAD, 1, 0, 0, 0, 0 } },
        { .thread = 1,
          .op = HD_OP_WRITE,
          .site = 1,
          .size = 4,
          .flags = HD_STEP_HAS_WRITTEN | HD_STEP_PREEMPTION,
          .object = { HD_WHERE_GLOBAL, 0, 0, table + 12, 0, 0 },
          .value_written = 0xfffffff6 },
        { .thread = 2,
          .op = HD_OP_WAIT,
          .object = { HD_WHERE_HEAP, 3, 7, 16, 0, 0 },
          .object2 = { HD_WHERE_STACK, 1, 0, 640, 0, 0 } },
        { .thread = 2,
          .op = HD_OP_SIGNAL,
          .choice = 3,
          .object = { HD_WHERE_TLS, 2, 0, 24, 0, 0 } },
        { .op = HD_OP_CLOCK, .object = { HD_WHERE_CLOCK, 0, 0, 0, 0, 0 } },
        { .op = HD_OP_RANDOM, .object = { HD_WHERE_RANDOM, 0, 0, 0, 0, 0 } },
        { .op = HD_OP_LOCK, .object = { HD_WHERE_OTHER, 0, 0, 0x7fff12345678, 0, 0 } },
        { .thread = 3, .op = HD_OP_YIELD },
        { .thread = 3, .op = HD_OP_NONE },
    };
    memcpy(log, steps, sizeof steps);
    struct hd_run run = { .found = true, .log = log, .n_log = sizeof steps / sizeof *steps };
    run.finding.kind = HD_KIND_DEADLOCK;
    strcpy(run.finding.message, "two \"threads\"\\ wait\nfor ever \x01");
    run.threads.n = 4;
    run.threads.names[1] = (struct hd_thread_name){ 0, 1 };
    run.threads.names[2] = (struct hd_thread_name){ 0, 2 };
    run.threads.names[3] = (struct hd_thread_name){ 1, 1 };
    return run;
}

static void fill_head(struct hd_trace_head *head)
{
    hd_trace_head_init(head);
    hd_strs_add(&head->sources, "my file.c");
    hd_strs_add(&head->cc_flags, "-DX=\"a b\"");
    head->program = hd_strdup("my file.c");
    hd_strs_add(&head->args, "");
    hd_strs_add(&head->args, "# no comment");
    head->build = hd_strdup(FAKE_BUILD);
    head->strategy = hd_strdup("scale:nsb");
    hd_strs_add(&head->invariants, "holds");
    head->seed = UINT64_MAX;
    head->expect_exit = 3;
}

static void round_trip(void **state)
{
    (void)state;
    struct hd_program *p = open_self();
    struct hd_step log[16], *script;
    struct hd_run run = sample(p, log);
    struct hd_trace_head head;
    struct hd_trace trace;
    struct hd_str text;
    struct hd_err err;
    fill_head(&head);
    hd_str_init(&text);
    hd_trace_write(&text, &head, &run, p);
    assert_int_equal(hd_trace_parse(&trace, "t", text.text, text.length, &err), 0);
    assert_string_equal(trace.head.program, "my file.c");
    assert_string_equal(trace.head.sources.items[0], "my file.c");
    assert_string_equal(trace.head.cc_flags.items[0], "-DX=\"a b\"");
    assert_int_equal(trace.head.args.n, 2);
    assert_string_equal(trace.head.args.items[0], "");
    assert_string_equal(trace.head.args.items[1], "# no comment");
    assert_string_equal(trace.head.invariants.items[0], "holds");
    assert_true(trace.head.seed == UINT64_MAX);
    assert_int_equal(trace.head.expect_exit, 3);
    assert_int_equal(trace.kind, HD_KIND_DEADLOCK);
    assert_string_equal(trace.message, run.finding.message);
    assert_memory_equal(&trace.threads, &run.threads, sizeof run.threads);
    assert_true(trace.all);
    assert_int_equal(hd_trace_bind(&trace, "t", p, &script, &err), 0);
    assert_int_equal(trace.n_steps, run.n_log);
    for (uint32_t i = 0; i < run.n_log; i++) {
        assert_int_equal(script[i].thread, log[i].thread);
        assert_int_equal(script[i].op, log[i].op);
        assert_int_equal(script[i].choice, log[i].choice);
        assert_int_equal(script[i].site, log[i].site);
        assert_memory_equal(&script[i].object, &log[i].object, sizeof log[i].object);
        assert_memory_equal(&script[i].object2, &log[i].object2, sizeof log[i].object2);
        assert_int_equal((script[i].flags & HD_STEP_CHECK_NAME) != 0,
                         log[i].object.where != HD_WHERE_NONE);
    }
    free(script);
    hd_trace_release(&trace);
    hd_trace_head_release(&head);
    hd_str_release(&text);
    hd_program_close(p);
}

static void text_is_readable(void **state)
{
    (void)state;
    struct hd_program *p = open_self();
    struct hd_step log[16];
    struct hd_run run = sample(p, log);
    struct hd_trace_head head;
    struct hd_str text;
    fill_head(&head);
    hd_str_init(&text);
    hd_trace_write(&text, &head, &run, p);
    assert_non_null(strstr(text.text, "\nthreads main T1 T2 T1.1\n"));
    assert_non_null(strstr(text.text, "\n1 main create T1\n"));
    assert_non_null(strstr(text.text, "\n2 T1 write fake_table+12 size=4 wrote=-10 site=1 "
                                      "at=a.c:12:3 in=f # preemption\n"));
    assert_non_null(strstr(text.text, "\n3 T2 wait heap:T1.1#7+16 stack:T1-640\n"));
    assert_non_null(strstr(text.text, "\n4 T2 signal tls:T2-24 choice=3\n"));
    assert_non_null(strstr(text.text, "\n9 T1.1\nend 9\n"));
    hd_trace_head_release(&head);
    hd_str_release(&text);
    hd_program_close(p);
}

static void refuses(const char *text, size_t n, const char *says)
{
    struct hd_trace trace;
    struct hd_err err = { "" };
    if (hd_trace_parse(&trace, "t", text, n, &err) == 0)
        fail_msg("accepted: %s", text);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
}

#define REFUSES(text, says) refuses(text, sizeof text - 1, says)

static void wrong_files(void **state)
{
    (void)state;
    REFUSES("", "t:1: the file has no steps");
    REFUSES("\n# nothing\n", "t:2: the file has no steps");
    REFUSES("heddle-trace 2\n", "t:1: trace format version 2");
    REFUSES("heddle-trace\n", "t:1: the version");
    REFUSES("heddle-trace 1\n", "no `program` line");
    REFUSES("heddle-trace 1\nprogram ./p\nprogram q\n", "t:3: program is there twice");
    REFUSES("heddle-trace 1\nprogrm ./p\n",
            "t:2: unknown word 'progrm' in the head (nearest: program)");
    REFUSES("heddle-trace 1\nprogram a b\n", "t:2: 'b' is too much");
    REFUSES("heddle-trace 1\nprogram \"a\n", "t:2: a quoted text has no end");
    REFUSES("heddle-trace 1\nprogram \"\\q\"\n", "t:2: an unknown escape");
    REFUSES("heddle-trace 1\nprogram \"\\x00\"\n", "t:2: an unknown escape");
    REFUSES("heddle-trace 1\nbuild 12\n", "t:2: the build id");
    REFUSES("heddle-trace 1\nthreads T1\n", "t:2: the first thread must be main");
    REFUSES("heddle-trace 1\nthreads\n", "t:2: no threads");
    REFUSES("heddle-trace 1\nthreads main T1.1\n", "t:2: thread T1.1 comes before its parent");
    REFUSES("heddle-trace 1\nthreads main T1 T1\n", "t:2: thread T1 is there twice");
    REFUSES("heddle-trace 1\nthreads main X\n", "t:2: 'X' is no thread");
    REFUSES("heddle-trace 1\nviolation bug\n", "t:2: unknown kind");
    REFUSES("heddle-trace 1\nseed x\n", "t:2: seed x: not a number");
    REFUSES("heddle-trace 1\nexpect-exit 256\n", "t:2: expect-exit 256");
    REFUSES("heddle-trace 1\nfaults malloc:0\n", "t:2: faults malloc:0");
    REFUSES("heddle-trace 1\nnondet 1\n", "t:2: nondet 1");
    REFUSES("heddle-trace 1\nleaks 2\n", "t:2: leaks 2");
    REFUSES("heddle-trace 1\nvolatile-ok 0\n", "t:2: volatile-ok 0");
    REFUSES("heddle-trace 1\nsteps some\n", "t:2: steps 'some'");
    REFUSES("hello world\n", "t:1: not a trace");
    REFUSES("heddle-trace 1\nprogram a\0b\n", "t:2: a NUL byte");
    REFUSES("heddle-trace 1\nprogram a\001b\n", "t:2: a control character");
}

static void wrong_steps(void **state)
{
    (void)state;
    REFUSES(HEAD "1 main\n", "t:6: truncated");
    REFUSES(HEAD "1 main\nend 2\n", "t:7: `end` does not say 1");
    REFUSES(HEAD "1 main\nend\n", "t:7: `end` does not say 1");
    REFUSES(HEAD "1 main\nend 1\nx\n", "t:8: trailing garbage");
    REFUSES(HEAD "1 main\nend 1 x\n", "t:7: 'x' is too much");
    REFUSES(HEAD "2 main\nend 1\n", "t:6: step number 2, expected 1");
    REFUSES(HEAD "99999999999999999999 main\nend 1\n", "t:6: step number");
    REFUSES(HEAD "1\nend 1\n", "t:6: the line ends where a thread");
    REFUSES(HEAD "1 T7 lock\nend 1\n", "t:6: unknown thread T7");
    REFUSES(HEAD "1 T01 lock\nend 1\n", "t:6: 'T01' is no thread");
    REFUSES(HEAD "1 T1. lock\nend 1\n", "t:6: 'T1.' is no thread");
    REFUSES(HEAD "1 main lok\nend 1\n", "t:6: unknown operation 'lok' (nearest: lock)");
    REFUSES(HEAD "1 main blocked\nend 1\n", "t:6: unknown operation 'blocked'");
    REFUSES(HEAD "1 main yield x\nend 1\n", "t:6: the operation yield has no object");
    REFUSES(HEAD "1 main create x\nend 1\n", "t:6: 'x' is no thread of this trace");
    REFUSES(HEAD "1 main lock heap:T9#1\nend 1\n", "t:6: 'heap:T9#1' is no object");
    REFUSES(HEAD "1 main lock heap:T1\nend 1\n", "t:6: 'heap:T1' is no object");
    REFUSES(HEAD "1 main lock stack:T1+8\nend 1\n", "t:6: 'stack:T1+8' is no object");
    REFUSES(HEAD "1 main lock a+b\nend 1\n", "t:6: 'a+b' is no object");
    REFUSES(HEAD "1 main lock +8\nend 1\n", "t:6: '+8' is no object");
    REFUSES(HEAD "1 main lock global:0x\nend 1\n", "t:6: 'global:0x' is no object");
    REFUSES(HEAD "1 main wait c m x\nend 1\n", "t:6: 'x' is too much");
    REFUSES(HEAD "1 main choice=65536\nend 1\n",
            "t:6: choice=65536: not a number from 0 to 65535");
    REFUSES(HEAD "1 main choice=1 choice=1\nend 1\n", "t:6: the field choice is there twice");
    REFUSES(HEAD "1 main chance=1\nend 1\n", "t:6: unknown field 'chance'");
    REFUSES(HEAD "1 main read=x\nend 1\n", "t:6: read=x: not a value");
    REFUSES(HEAD "1 main choice=1 lock\nend 1\n", "t:6: 'lock' is too much");
    REFUSES("0 1 x\n", "t:1: 'x': threads are all given by number");
    REFUSES("0 1\n256\n", "t:2: thread 256: not a number from 0 to 255");
    REFUSES("main 1\n", "t:1: '1': threads are all given by number");
    REFUSES("main T0\n", "t:1: 'T0' is no thread");
}

static void long_line(void **state)
{
    (void)state;
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "heddle-trace 1\nprogram ");
    for (int i = 0; i < HD_TRACE_MAX_LINE; i++)
        hd_str_append_char(&text, 'x');
    refuses(text.text, text.length, "t:2: the line is longer than");
    hd_str_release(&text);
}

static void too_many_threads(void **state)
{
    (void)state;
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "heddle-trace 1\nthreads main");
    for (int i = 1; i <= HD_MAX_THREADS; i++)
        hd_str_appendf(&text, " T%d", i);
    refuses(text.text, text.length, "t:2: more than 256 threads");
    hd_str_release(&text);
}

static void people_edit(void **state)
{
    (void)state;
    static const char text[] =
        "# by hand\n\n" HEAD "main  # a comment\r\n\n"
        "\tT1 read\nT1.1 lock m # why\n4 T2 choice=2\nend 4\n# the end\n\n";
    struct hd_trace t;
    struct hd_err err;
    assert_int_equal(hd_trace_parse(&t, "t", text, sizeof text - 1, &err), 0);
    assert_int_equal(t.n_steps, 4);
    assert_int_equal(t.steps[0].step.flags, 0);
    assert_int_equal(t.steps[1].step.flags, HD_STEP_CHECK_OP);
    assert_int_equal(t.steps[2].step.thread, 3);
    assert_int_equal(t.steps[2].step.flags, HD_STEP_CHECK_OP | HD_STEP_CHECK_NAME);
    assert_string_equal(t.steps[2].symbol, "m");
    assert_int_equal(t.steps[2].line, 11);
    assert_int_equal(t.steps[3].step.choice, 2);
    hd_trace_release(&t);
}

static void bare_schedules(void **state)
{
    (void)state;
    struct hd_trace t;
    struct hd_err err;
    assert_int_equal(hd_trace_parse(&t, "t", "0 1 1\n2", 7, &err), 0);
    assert_true(t.bare && t.numbered);
    assert_int_equal(t.n_steps, 4);
    assert_int_equal(t.steps[3].step.thread, 2);
    assert_int_equal(t.steps[3].line, 2);
    assert_int_equal(t.threads.n, 1);
    hd_trace_release(&t);
    assert_int_equal(hd_trace_parse(&t, "t", "T2.1 main T2\n", 13, &err), 0);
    assert_true(t.bare && !t.numbered);
    assert_int_equal(t.threads.n, 3);
    assert_int_equal(t.steps[0].step.thread, 2);
    assert_int_equal(t.steps[2].step.thread, 1);
    hd_trace_release(&t);
}

static void bind_fails(const struct hd_program *p, const char *text, const char *says)
{
    struct hd_trace t;
    struct hd_err err;
    struct hd_step *script;
    assert_int_equal(hd_trace_parse(&t, "t", text, strlen(text), &err), 0);
    assert_int_equal(hd_trace_bind(&t, "t", p, &script, &err), -1);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    hd_trace_release(&t);
}

static void other_program(void **state)
{
    (void)state;
    struct hd_program *p = open_self();
    bind_fails(p,
               "heddle-trace 1\nprogram ./q\nbuild 00000000000000000000000000000000\n"
               "threads main\nsteps all\nend 0\n",
               "another program: it was made with build 00000000000000000000000000000000");
    bind_fails(p, HEAD "1 main lock no_such\nend 1\n",
               "t:6: the program has no variable 'no_such'");
    bind_fails(p, HEAD "1 main lock fake_counter site=2\nend 1\n", "t:6: site 2");
    hd_program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),    cmocka_unit_test(text_is_readable),
        cmocka_unit_test(wrong_files),   cmocka_unit_test(wrong_steps),
        cmocka_unit_test(long_line),     cmocka_unit_test(too_many_threads),
        cmocka_unit_test(people_edit),   cmocka_unit_test(bare_schedules),
        cmocka_unit_test(other_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
