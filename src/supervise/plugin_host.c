#define _GNU_SOURCE
#include "supervise/plugin_host.h"

#include "base/hash.h"
#include "base/str.h"
#include "supervise/plugin.h"
#include "supervise/plugin_view.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Waits for a second at most. */
static void futex(uint32_t *word, int op, uint32_t value)
{
    static const struct timespec limit = { 1, 0 };
    syscall(SYS_futex, word, op, value, op == FUTEX_WAIT ? &limit : NULL, NULL, 0);
}

static void pass_turn(struct hd_mailbox *box, enum hd_whose turn)
{
    __atomic_store_n(&box->turn, turn, __ATOMIC_RELEASE);
    futex(&box->turn, FUTEX_WAKE, 1);
}

/* ---- the strategy's process ---- */

/* What the process that watches knows of the strategy's: it survives that one. */
struct noted {
    uint64_t asked;
    const char *calling; /* the strategy's function that was called last; NULL: none */
};

/* The strategy's function, which is about to be called. */
#define CALLING(h, function) ((h)->noted->calling = #function, (h)->strategy->function)

struct host {
    struct hd_plugin_view *view;
    const struct heddle_strategy *strategy;
    struct hd_mailbox *box;
    uint32_t first; /* the number of the first alternative, as the strategy counts */
    uint32_t told;  /* steps that `ran` was called for */
    struct noted *noted;
    double *scores;
};

static bool fail(struct host *h, const char *format, uint32_t a, uint32_t b)
{
    char why[100];
    snprintf(why, sizeof why, format, a, b);
    h->view->view.fail(&h->view->view, why);
    return false;
}

/* Take over the question, and tell the strategy of the steps that are new. */
static bool tell(struct host *h)
{
    const struct heddle_strategy *s = h->strategy;
    const struct heddle_view *view = &h->view->view;
    uint32_t since = h->box->since;
    if (!hd_plugin_view_take(h->view))
        return fail(h, "the program wrote into heddle's memory", 0, 0);
    if (since < h->told && s->back)
        CALLING(h, back)(s->self, view, since);
    h->told = since < h->told ? since : h->told;
    for (; h->told < view->depth; h->told++)
        if (s->ran)
            CALLING(h, ran)(s->self, view, h->told);
    return true;
}

/* Bring the best of the kept alternatives to the front, by score all of them into order. */
static bool put_in_order(struct host *h)
{
    const struct heddle_strategy *s = h->strategy;
    const struct heddle_view *view = &h->view->view;
    uint32_t *order = h->box->order, n = h->box->kept;
    for (uint32_t i = 0; i < n && !s->choose && s->score; i++) {
        double score = CALLING(h, score)(s->self, view, order[i]);
        if (score != score)
            return fail(h, "the score of alternative %u is no number", order[i] + h->first, 0);
        h->scores[order[i]] = score;
        for (uint32_t k = i; k > 0 && h->scores[order[k - 1]] < score; k--) {
            uint32_t moved = order[k];
            order[k] = order[k - 1];
            order[k - 1] = moved;
        }
    }
    if (!s->choose || n == 0 || h->box->error[0])
        return true;
    uint32_t chosen = CALLING(h, choose)(s->self, view), at = 0;
    if (chosen >= view->n_alternatives)
        return fail(h, "it chose alternative %u of %u, counted from 0", chosen, /* not in Lua */
                    view->n_alternatives);
    while (at < n && order[at] != chosen)
        at++;
    if (at == n)
        return fail(h, "it chose alternative %u, which it had left out", chosen + h->first, 0);
    memmove(order + 1, order, at * sizeof *order);
    order[0] = chosen;
    return true;
}

static bool answer_node(struct host *h)
{
    const struct heddle_strategy *s = h->strategy;
    const struct heddle_view *view = &h->view->view;
    struct hd_mailbox *box = h->box;
    box->kept = 0;
    for (uint32_t i = 0; i < view->n_alternatives; i++)
        if (!s->prune || !CALLING(h, prune)(s->self, view, i))
            box->order[box->kept++] = i;
    return put_in_order(h);
}

static void answer_ended(struct host *h)
{
    static const uint32_t how[] = { [HD_ENDING_COMPLETE] = HEDDLE_ENDED,
                                    [HD_ENDING_VIOLATION] = HEDDLE_VIOLATION,
                                    [HD_ENDING_CUT] = HEDDLE_CUT };
    const struct heddle_strategy *s = h->strategy;
    const struct heddle_view *view = &h->view->view;
    uint32_t ending = h->box->ending <= HD_ENDING_CUT ? h->box->ending : HD_ENDING_CUT;
    h->view->may_open = true;
    if (s->ended)
        CALLING(h, ended)(s->self, view, how[ending]);
    h->view->may_open = false;
    h->box->stop = s->stop && CALLING(h, stop)(s->self, view);
}

/* Numbers in the order of the ranks, the highest rank first, as whole numbers that the explorer
 * compares: the bits of a float grow with it, those of a negative one shrink. */
static uint32_t in_order(float rank)
{
    uint32_t bits;
    memcpy(&bits, &rank, sizeof bits);
    return bits >> 31 ? bits : 0x7fffffffu & ~bits;
}

static bool answer_state(struct host *h)
{
    const struct heddle_strategy *s = h->strategy;
    double rank = CALLING(h, rank)(s->self, &h->view->view);
    if (rank != rank)
        return fail(h, "the rank of a state is no number", 0, 0);
    h->box->rank = in_order((float)rank + 0.0f); /* one zero */
    return true;
}

static void answer_judge(struct host *h)
{
    const struct heddle_strategy *s = h->strategy;
    const struct heddle_view *view = &h->view->view;
    h->box->objects = 0;
    for (uint32_t n = 0; n <= view->depth && !h->box->error[0] && !h->box->objects; n++) {
        const char *text = CALLING(h, judge)(s->self, view, n);
        if (!text)
            continue;
        h->box->objects = 1;
        h->box->judged = n;
        snprintf(h->box->objection, sizeof h->box->objection, "%s", text);
    }
}

static void limit_time(double seconds)
{
    double rest = seconds - (double)(time_t)seconds;
    struct itimerval limit = { .it_value = { (time_t)seconds, (suseconds_t)(rest * 1e6) } };
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

static _Noreturn void serve(struct host *h, double seconds)
{
    struct hd_mailbox *box = h->box;
    for (;;) {
        uint32_t turn;
        while ((turn = __atomic_load_n(&box->turn, __ATOMIC_ACQUIRE)) != HD_TURN_HOST)
            futex(&box->turn, FUTEX_WAIT, turn);
        __atomic_store_n(&h->noted->asked, h->noted->asked + 1, __ATOMIC_RELAXED);
        limit_time(seconds);
        if (tell(h)) {
            if (box->question == HD_QUESTION_STATE)
                answer_state(h);
            else if (box->question == HD_QUESTION_NODE)
                answer_node(h);
            else if (box->question == HD_QUESTION_JUDGE)
                answer_judge(h);
            else
                answer_ended(h);
        }
        pass_turn(box, HD_TURN_WORKER);
    }
}

/* All of the shared memory but the mailbox, which is its last member. */
static void protect(struct hd_worker_memory *shared)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)shared;
    uintptr_t end = (uintptr_t)&shared->mailbox / page * page;
    mprotect(shared, end - from, PROT_READ);
}

static _Noreturn void run(struct hd_worker_memory *shared, const struct hd_program *program,
                          const struct hd_foresight *foresight, double seconds,
                          struct noted *noted)
{
    const struct hd_plugin *plugin = &shared->options.plugin;
    struct host h = { .box = &shared->mailbox, .noted = noted };
    h.first = hd_str_ends(plugin->path, ".lua");
    struct hd_err err = { "" };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(2, 1); /* standard output is for results */
    protect(shared);
    limit_time(seconds);
    h.strategy = hd_plugin_load(plugin, &err);
    if (h.strategy && h.strategy->claims != plugin->claims) {
        hd_err_set(&err, "%s declares something else than when it was loaded first",
                   hd_plugin_name(plugin));
        h.strategy = NULL;
    }
    if (!h.strategy) {
        snprintf(h.box->error, sizeof h.box->error, "%s", err.text);
        _exit(1);
    }
    h.view = hd_alloc(sizeof *h.view);
    h.scores = hd_alloc(HD_MOST_ALTERNATIVES * sizeof *h.scores);
    hd_plugin_view_init(
        h.view, shared, program, foresight,
        hd_hash_bytes(shared->options.seed, plugin->argument, strlen(plugin->argument)));
    h.view->prunes = h.strategy->claims & HEDDLE_PRUNES;
    serve(&h, seconds);
}

/* ---- the process that watches ---- */

static _Noreturn void watch(struct hd_worker_memory *shared, const struct hd_program *program,
                            const struct hd_foresight *foresight, double seconds, pid_t parent)
{
    struct hd_mailbox *box = &shared->mailbox;
    struct rlimit no_core = { 0, 0 };
    char how[100] = "";
    struct noted *noted = mmap(NULL, sizeof *noted, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (noted == MAP_FAILED)
        _exit(1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setpgid(0, 0); /* the terminal's Ctrl-C is for the supervisor */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    pid_t pid = fork();
    if (pid == 0)
        run(shared, program, foresight, seconds, noted);
    struct hd_plugin_work work = { .turn = &box->turn, .asked = &noted->asked };
    if (pid > 0)
        hd_plugin_wait(pid, &work, seconds, how, sizeof how);
    if (!box->error[0])
        snprintf(
            box->error, sizeof box->error, "%s: %s%s%s", hd_plugin_name(&shared->options.plugin),
            pid < 0 ? "its process cannot be started"
            : *how  ? how
                    : "the strategy ended its process with status 0",
            noted->calling ? ", in its function " : "", noted->calling ? noted->calling : "");
    pass_turn(box, HD_TURN_GONE);
    _exit(0);
}

int hd_plugin_host_start(struct hd_plugin_host *host, struct hd_worker_memory *shared,
                         const struct hd_program *program, const struct hd_foresight *foresight,
                         double seconds, struct hd_err *err)
{
    pid_t self = getpid();
    hd_plugin_host_stop(host);
    shared->mailbox.turn = HD_TURN_WORKER;
    shared->mailbox.error[0] = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        watch(shared, program, foresight, seconds, self);
    if (pid < 0)
        return hd_err_set(err, "cannot start %s: fork: %s", shared->options.plugin.path,
                          strerror(errno));
    host->pid = pid;
    return 0;
}

void hd_plugin_host_look(struct hd_plugin_host *host, struct hd_worker_memory *shared)
{
    struct hd_mailbox *box = &shared->mailbox;
    if (host->pid <= 0 || waitpid(host->pid, NULL, WNOHANG) != host->pid)
        return;
    host->pid = 0;
    if (__atomic_load_n(&box->turn, __ATOMIC_ACQUIRE) == HD_TURN_GONE)
        return;
    snprintf(box->error, sizeof box->error, "%s: the process that watches it was killed",
             hd_plugin_name(&shared->options.plugin));
    pass_turn(box, HD_TURN_GONE);
}

int hd_plugin_host_ask(struct hd_plugin_host *host, struct hd_worker_memory *shared,
                       struct hd_err *err)
{
    struct hd_mailbox *box = &shared->mailbox;
    uint32_t turn = HD_TURN_WORKER;
    if (__atomic_compare_exchange_n(&box->turn, &turn, HD_TURN_HOST, false, __ATOMIC_RELEASE,
                                    __ATOMIC_ACQUIRE))
        futex(&box->turn, FUTEX_WAKE, 1);
    while ((turn = __atomic_load_n(&box->turn, __ATOMIC_ACQUIRE)) == HD_TURN_HOST) {
        futex(&box->turn, FUTEX_WAIT, HD_TURN_HOST);
        hd_plugin_host_look(host, shared);
    }
    if (turn == HD_TURN_WORKER && !box->error[0])
        return 0;
    box->error[sizeof box->error - 1] = 0;
    return hd_err_set(err, "%s", *box->error ? box->error : "the checker gives no answer");
}

void hd_plugin_host_stop(struct hd_plugin_host *host)
{
    if (host->pid <= 0)
        return;
    kill(host->pid, SIGKILL);
    while (waitpid(host->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    host->pid = 0;
}
