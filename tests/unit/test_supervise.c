/* The supervisor against a fake worker: this very executable, started again with the shared
 * descriptor in its environment, plays the worker that argv[1] names. */
#define _GNU_SOURCE
#include "base/str.h"
#include "fake_program.h"
#include "supervise/exploration_check.h"
#include "supervise/supervise.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct hd_worker_memory *attach(void)
{
    int fd = atoi(getenv(HD_ENV_WORKER));
    void *at = mmap(NULL, sizeof(struct hd_worker_memory), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    0);
    return at == MAP_FAILED ? NULL : at;
}

/* Two steps of a run, as a worker would have left them. */
static void run_a_little(struct hd_worker_memory *s)
{
    s->n_threads = 2;
    s->threads[1] = (struct hd_thread_name){ 0, 1 };
    s->steps[0] = 0;
    s->steps[1] = HD_STEP_PACK(1, 2);
    s->depth = 2;
    s->ctl.state = HD_STATE_PROGRAM;
    if (s->options.mode != HD_MODE_REPLAY)
        return;
    for (uint32_t i = 0; i < 2; i++)
        s->log[i] = (struct hd_step){ .thread = i, .op = HD_OP_READ, .site = 1, .output_end = 3 };
    memcpy(s->output, "hi\n", 3);
    s->ctl.output_bytes = 3;
    s->ctl.n_log = 2;
}

static _Noreturn void leave_finding(struct hd_worker_memory *s, uint32_t line)
{
    struct hd_finding *f = &s->findings[0];
    *f = (struct hd_finding){ .kind = HD_KIND_ASSERTION, .thread = 1, .site = 1, .line = line };
    f->n_steps = 2;
    memcpy(s->schedule, s->steps, 2 * sizeof *s->steps);
    s->n_schedule = 2;
    s->n_findings = 1;
    s->cnt.executions = 1;
    s->ctl.state = s->options.mode == HD_MODE_REPLAY ? HD_STATE_DONE : HD_STATE_STOPPED;
    s->ctl.replay_status = HD_REPLAY_END;
    _exit(0);
}

/* Dies twice, then is done: every death has to be recorded by the one that follows. */
static _Noreturn void play_twice(struct hd_worker_memory *s)
{
    if (s->takeover == HD_TAKEOVER_RECORD) {
        s->cnt.executions++;
        s->ctl.deaths++;
        s->findings[0] = s->died;
        s->findings[0].n_steps = 0;
        s->n_findings = 1;
    }
    if (s->options.mode == HD_MODE_EXPLORE && s->cnt.executions == 2) {
        s->cnt.executions = 5;
        s->cnt.finished = 1;
        s->ctl.state = HD_STATE_DONE;
        _exit(0);
    }
    syscall(231 /* exit_group */, 7);
    abort();
}

/* The first dies; the one after it does not record that.  "forgets" says that all is explored,
 * "late" is at work until it is killed. */
static _Noreturn void play_forgetful(const char *role, struct hd_worker_memory *s)
{
    if (s->options.mode == HD_MODE_REPLAY || s->takeover != HD_TAKEOVER_RECORD)
        syscall(231 /* exit_group */, 7);
    s->depth = 1; /* on the way to where the other died */
    while (strcmp(role, "late") == 0) {
        s->ctl.heartbeat++;
        usleep(1000);
    }
    s->cnt.finished = 1;
    s->ctl.state = HD_STATE_DONE;
    _exit(0);
}

static _Noreturn void play_parked(struct hd_worker_memory *s)
{
    if (s->options.n_parked < 128) {
        s->ctl.state = HD_STATE_MORE_PARKED;
        _exit(0);
    }
    s->cnt.finished = 1;
    s->cnt.executions = s->options.n_parked;
    s->ctl.state = HD_STATE_DONE;
    _exit(0);
}

static _Noreturn void play(const char *role, struct hd_worker_memory *s)
{
    bool replays = s->options.mode == HD_MODE_REPLAY;
    run_a_little(s);
    if (strcmp(role, "done") == 0) {
        s->cnt.executions = 6;
        s->cnt.finished = 1;
        s->ctl.state = HD_STATE_DONE;
        _exit(0);
    }
    if (strcmp(role, "finding") == 0)
        leave_finding(s, 3);
    if (strcmp(role, "fickle") == 0)
        leave_finding(s, replays ? 4 : 3);
    if (strcmp(role, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(role, "twice") == 0)
        play_twice(s);
    if (strcmp(role, "forgets") == 0 || strcmp(role, "late") == 0)
        play_forgetful(role, s);
    if (strcmp(role, "parked") == 0)
        play_parked(s);
    if (strcmp(role, "loop") == 0)
        for (volatile int i = 0;; i++)
            ;
    if (strcmp(role, "sleep") == 0)
        for (;;)
            pause();
    if (strcmp(role, "engine") == 0) {
        s->ctl.state = HD_STATE_ENGINE;
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(role, "early") == 0) {
        s->ctl.state = HD_STATE_STARTING;
        _exit(127);
    }
    if (strcmp(role, "error") == 0 || strcmp(role, "internal") == 0) {
        snprintf(s->ctl.error, sizeof s->ctl.error, "%s",
                 *role == 'e' ? "sem_open is not supported" : "internal error: R2");
        s->ctl.state = HD_STATE_ERROR;
        _exit(0);
    }
    if (strcmp(role, "garbage") == 0) {
        memset(&s->options.mode, 0xff, 3);
        memset(&s->cnt, 0xff, sizeof s->cnt + 40);
        _exit(0);
    }
    if (strcmp(role, "slow") == 0)
        for (;; s->ctl.heartbeat++)
            usleep(1000);
    fprintf(stderr, "no role %s\n", role);
    abort();
}

struct checked {
    struct hd_program *program;
    struct hd_result result;
    struct hd_err err;
    int status;
};

static struct checked check(const char *role, bool keep_going, double seconds)
{
    struct checked c = { 0 };
    char *args[] = { "fake", (char *)role, NULL };
    assert_int_equal(hd_program_open(&c.program, "/proc/self/exe", NULL, &c.err), 0);
    struct hd_job job = { .program = c.program, .args = args, .seconds = seconds };
    job.options.keep_going = keep_going;
    job.watch.hang_seconds = 0.2;
    c.status = hd_supervise_explore(&job, &c.result, &c.err);
    return c;
}

static void release(struct checked *c)
{
    hd_result_release(&c->result);
    hd_program_close(c->program);
}

static void done(void **state)
{
    (void)state;
    struct checked c = check("done", false, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_FINISHED);
    assert_int_equal(c.result.counters.executions, 6);
    assert_int_equal(c.result.n_runs, 0);
    release(&c);
}

static void finding_is_confirmed(void **state)
{
    (void)state;
    struct checked c = check("finding", false, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_VIOLATION);
    assert_int_equal(c.result.n_runs, 1);
    const struct hd_run *run = &c.result.runs[0];
    assert_int_equal(run->finding.kind, HD_KIND_ASSERTION);
    assert_int_equal(run->n_log, 2);
    assert_int_equal(run->threads.n, 2);
    assert_memory_equal(run->output, "hi\n", 3);
    release(&c);
}

static void fickle_finding_is_a_bug(void **state)
{
    (void)state;
    struct checked c = check("fickle", false, 0);
    assert_int_equal(c.status, HD_EXIT_INTERNAL);
    assert_non_null(strstr(c.err.text, "did not replay"));
    release(&c);
}

static void crash_is_a_finding(void **state)
{
    (void)state;
    struct checked c = check("crash", false, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.n_runs, 1);
    assert_int_equal(c.result.counters.executions, 1);
    assert_int_equal(c.result.runs[0].finding.kind, HD_KIND_CRASH);
    assert_int_equal(c.result.runs[0].finding.thread, 1);
    assert_int_equal(c.result.runs[0].finding.n_steps, 2);
    assert_non_null(strstr(c.result.runs[0].finding.message, "SIGSEGV"));
    release(&c);
}

static void goes_on_after_deaths(void **state)
{
    (void)state;
    struct checked c = check("twice", true, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_FINISHED);
    assert_int_equal(c.result.counters.executions, 5);
    assert_int_equal(c.result.n_starts, 3);
    assert_int_equal(c.result.n_runs, 1);
    assert_int_equal(c.result.runs[0].finding.kind, HD_KIND_ABORT);
    assert_non_null(strstr(c.result.runs[0].finding.message, "status 7"));
    release(&c);
}

/* "crash" with keep_going never records what it took over: the supervisor must not loop. */
static void standstill_is_a_bug(void **state)
{
    (void)state;
    struct checked c = check("crash", true, 0);
    assert_int_equal(c.status, HD_EXIT_INTERNAL);
    assert_non_null(strstr(c.err.text, "does not go on"));
    release(&c);
}

/* What a child says on stderr before it ends with the status of heddle's own bugs. */
static void expect_bug(void (*run)(void), const char *says)
{
    int out[2];
    char text[4096] = "";
    int status;
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(out[1], 2);
        run();
        _exit(0);
    }
    close(out[1]);
    for (ssize_t n = 0, used = 0; used < (ssize_t)sizeof text - 1; used += n) {
        n = read(out[0], text + used, sizeof text - 1 - (size_t)used);
        if (n <= 0)
            break;
    }
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_INTERNAL);
    assert_non_null(strstr(text, says));
}

static void run_forgetful(void) { check("forgets", true, 0); }

static struct hd_worker_memory memory;

static void start_died(void)
{
    memory.ctl.state = HD_STATE_STARTING;
    memory.died_valid = 1;
    hd_exploration_check_start(&memory);
}

static void start_without_death(void)
{
    memory.ctl.state = HD_STATE_STARTING;
    memory.takeover = HD_TAKEOVER_RECORD;
    hd_exploration_check_start(&memory);
}

/* The invariants S1 and S2 of exploration.c, when they do not hold. */
static void lost_deaths_are_bugs(void **state)
{
    (void)state;
    expect_bug(run_forgetful, "S2 of the exploration does not hold: ");
    expect_bug(start_died, "S1 of the exploration does not hold: ");
    expect_bug(start_without_death, "S2 of the exploration does not hold: there is no death");
}

/* The worker is killed at the time limit before it has recorded the death: the supervisor
 * does. */
static void death_before_the_time_limit(void **state)
{
    (void)state;
    struct checked c = check("late", true, 0.3);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_TIME);
    assert_int_equal(c.result.counters.executions, 1);
    assert_int_equal(c.result.n_runs, 1);
    assert_int_equal(c.result.runs[0].finding.kind, HD_KIND_ABORT);
    assert_int_equal(c.result.runs[0].finding.n_steps, 2);
    release(&c);
}

static void more_parked(void **state)
{
    (void)state;
    struct checked c = check("parked", false, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.counters.executions, 128);
    assert_int_equal(c.result.n_starts, 3);
    release(&c);
}

static void no_progress(const char *role, const char *says)
{
    struct checked c = check(role, false, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.n_runs, 1);
    assert_int_equal(c.result.runs[0].finding.kind, HD_KIND_NO_PROGRESS);
    assert_non_null(strstr(c.result.runs[0].finding.message, says));
    release(&c);
}

static void endless_loop(void **state)
{
    (void)state;
    no_progress("loop", "s of processor time (--hang): an endless loop");
}

static void blocked_forever(void **state)
{
    (void)state;
    no_progress("sleep", "s (6 times --hang): blocked in a system call");
}

static void own_crash(void **state)
{
    (void)state;
    struct checked c = check("engine", true, 0);
    assert_int_equal(c.status, HD_EXIT_INTERNAL);
    assert_non_null(strstr(c.err.text, "heddle's own code crashed"));
    assert_non_null(strstr(c.err.text, "threads 0 1"));
    release(&c);
}

static void fails(const char *role, int status, const char *says)
{
    struct checked c = check(role, false, 0);
    assert_int_equal(c.status, status);
    assert_non_null(strstr(c.err.text, says));
    release(&c);
}

static void errors(void **state)
{
    (void)state;
    fails("early", HD_EXIT_INPUT, "before its main");
    fails("error", HD_EXIT_INPUT, "sem_open");
    fails("internal", HD_EXIT_INTERNAL, "R2");
}

static void damage(void **state)
{
    (void)state;
    struct checked c = check("garbage", true, 0);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_DAMAGED);
    assert_int_equal(c.result.n_runs, 1);
    assert_int_equal(c.result.runs[0].finding.kind, HD_KIND_MEMORY);
    assert_true(c.result.runs[0].scheduled_only);
    release(&c);
}

static void time_is_up(void **state)
{
    (void)state;
    struct checked c = check("slow", false, 0.3);
    assert_int_equal(c.status, HD_EXIT_OK);
    assert_int_equal(c.result.stop, HD_STOP_TIME);
    assert_true(c.result.seconds < 20);
    release(&c);
}

static void program_tables(void **state)
{
    (void)state;
    struct hd_err err;
    struct hd_program *p;
    assert_int_equal(hd_program_open(&p, "/proc/self/exe", NULL, &err), 0);
    struct hd_place place = hd_program_site(p, 1);
    assert_string_equal(place.file, "a.c");
    assert_string_equal(place.function, "f");
    assert_string_equal(place.variable, "x");
    assert_int_equal(place.line, 12);
    assert_string_equal(hd_program_site(p, fake_program_info.n_sites).file, "");
    assert_string_equal(hd_program_unseen(p, 0), "extrn");
    assert_string_equal(hd_program_unseen(p, 9), "");
    char build[33];
    hd_program_build(p, build);
    assert_string_equal(build, FAKE_BUILD);
    uint64_t address, offset;
    bool unique;
    assert_true(hd_program_variable(p, "fake_table", &address));
    const char *name = hd_program_object(p, address + 5, &offset, &unique);
    assert_string_equal(name, "fake_table");
    assert_int_equal(offset, 5);
    assert_true(unique);
    assert_int_equal(hd_program_function(p, "program_tables", &address, &err), 0);
    assert_int_equal(hd_program_entry(p, address + 1), address);
    assert_true(hd_program_pc(p, address, &place));
    assert_string_equal(place.function, "program_tables");
    assert_true(hd_str_ends(place.file, "test_supervise.c"));
    assert_int_equal(hd_program_function(p, "programtables", &address, &err), -1);
    assert_null(strstr(err.text, "nearest")); /* it has no site: it is not the program's */
    hd_program_close(p);
}

static void not_ours(void **state)
{
    (void)state;
    struct hd_err err;
    struct hd_program *p;
    assert_int_equal(hd_program_open(&p, "/bin/sh", NULL, &err), -1);
    assert_non_null(strstr(err.text, "was not built by heddle"));
    assert_int_equal(hd_program_open(&p, "/no/such", NULL, &err), -1);
    assert_non_null(strstr(err.text, "/no/such"));
    assert_int_equal(hd_program_open(&p, "/", NULL, &err), -1);
    assert_non_null(strstr(err.text, "directory"));
    assert_int_equal(hd_program_open(&p, "/etc/passwd", NULL, &err), -1);
    assert_non_null(strstr(err.text, "not a program"));
}

int main(int argc, char **argv)
{
    if (getenv(HD_ENV_WORKER))
        play(argc > 1 ? argv[1] : "", attach());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_tables),
        cmocka_unit_test(not_ours),
        cmocka_unit_test(done),
        cmocka_unit_test(finding_is_confirmed),
        cmocka_unit_test(fickle_finding_is_a_bug),
        cmocka_unit_test(crash_is_a_finding),
        cmocka_unit_test(goes_on_after_deaths),
        cmocka_unit_test(standstill_is_a_bug),
        cmocka_unit_test(lost_deaths_are_bugs),
        cmocka_unit_test(death_before_the_time_limit),
        cmocka_unit_test(more_parked),
        cmocka_unit_test(endless_loop),
        cmocka_unit_test(blocked_forever),
        cmocka_unit_test(own_crash),
        cmocka_unit_test(errors),
        cmocka_unit_test(damage),
        cmocka_unit_test(time_is_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
