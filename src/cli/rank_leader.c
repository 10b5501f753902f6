#define _GNU_SOURCE
#include "cli/rank_leader.h"

#include "base/fs.h"
#include "base/number.h"
#include "cli/input.h"
#include "supervise/errand.h"
#include "supervise/leader.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FAILED 10 /* attempts at a unit, each with twice the time */
#define POLL_MS 100
#define ROUND_SECONDS 0.1
#define SHOW_SECONDS 30.0 /* between lines of progress */
#define WORTH_TELLING 200 /* executions before an estimate is shown */

/* The name of a unit in the ledger.
 *
 * How much is done is estimated by weighted backtracking (explore/loop/estimate.h) over units:
 * the units that wait at the beginning share everything equally, and what is left of a unit
 * shares with what has been explored of it. */
struct unit {
    uint64_t bytes;
    double share;
    char name[];
};

struct group {
    const struct hd_rank_group *group;
    const struct hd_ranks *ranks;
    const struct hd_check *check;
    const struct hd_job *job;
    struct hd_leader leader;
    uint32_t first; /* rank of the leader; members are those behind it */
    struct member {
        struct unit *unit; /* being explored; NULL: none */
        double patience;   /* seconds before it is cut */
        uint32_t n_failed;
        double seconds; /* explored */
        bool stopped;   /* was told that it is over */
        bool away;      /* has a unit, and has not answered */
    } *members;
    bool broke, stop; /* a violation, or another reason, ends the search */
    uint32_t signal;  /* that interrupted a member; 0: none */
    uint64_t executions, n_done;
    double share; /* of everything that was explored here */
    double began, shown;
    /* rank 0 */
    struct hd_survey survey;
    struct hd_errand_far sum; /* of the last round that was over, and of this one so far */
    uint64_t sum_executions, known_executions;
    double *busy; /* seconds explored, for each group */
    double next_round;
    bool over;
};

uint32_t hd_rank_first(const struct hd_rank_group *group, uint32_t number)
{
    return hd_group_leader(group->n_ranks, group->n_groups, number);
}

static int send(struct group *g, uint32_t to, const struct hd_errand *errand, struct hd_err *err)
{
    return hd_errand_send(g->ranks, (int)to, errand, err);
}

static int send_kind(struct group *g, uint32_t to, enum hd_errand_kind kind, struct hd_err *err)
{
    struct hd_errand errand;
    hd_errand_init(&errand, kind);
    int failed = send(g, to, &errand, err);
    hd_errand_release(&errand);
    return failed;
}

/* ---- units ---- */

static void add_unit(struct group *g, const char *name, size_t length, uint64_t bytes,
                     double share)
{
    struct unit *unit = hd_alloc(sizeof *unit + length + 1);
    unit->bytes = bytes;
    unit->share = share;
    memcpy(unit->name, name, length);
    hd_leader_add(&g->leader, unit, bytes);
}

static int is_unit(const struct dirent *d) { return hd_str_ends(d->d_name, ".unit"); }

/* The bytes of a unit that has no result; 0: it has one. */
static uint64_t is_left(const char *directory, const char *name)
{
    char *path = hd_fs_join(directory, name);
    char *result = hd_str_format("%.*s.result", (int)(strlen(path) - strlen(".unit")), path);
    struct stat unit = { .st_size = 0 };
    bool left = !hd_fs_exists(result) && stat(path, &unit) == 0;
    free(result);
    free(path);
    return left ? (uint64_t)unit.st_size : 0;
}

static int find_units(struct group *g, struct hd_err *err)
{
    struct dirent **names = NULL;
    int n = scandir(g->check->units, &names, is_unit, alphasort);
    if (n < 0)
        return hd_err_set(err, "cannot read the directory %s: %s", g->check->units,
                          strerror(errno));
    uint64_t *bytes = hd_alloc(((size_t)n + 1) * sizeof *bytes);
    double left = 0;
    for (int i = 0; i < n; i++) {
        bytes[i] = is_left(g->check->units, names[i]->d_name);
        left += bytes[i] != 0;
    }
    for (int i = 0; i < n; i++) {
        if (bytes[i])
            add_unit(g, names[i]->d_name, strlen(names[i]->d_name), bytes[i], 1 / left);
        free(names[i]);
    }
    free(bytes);
    free(names);
    return 0;
}

/* ---- what the leader decides (supervise/leader.h) ---- */

static int send_unit(struct group *g, uint32_t member, struct hd_err *err)
{
    struct member *m = &g->members[member];
    struct hd_errand errand;
    hd_errand_init(&errand, HD_ERRAND_UNIT);
    errand.milliseconds = (uint64_t)(m->patience * 1000);
    int failed = hd_errand_add(&errand, g->check->units, m->unit->name, err);
    if (failed && g->group->me > 0) /* another leader has written it */
        hd_err_set(err,
                   "unit %s is not in the ledger %s here: put it on a file system that all "
                   "machines share (--ledger), or use one leader (--group %u)",
                   m->unit->name, g->check->units, g->group->n_ranks);
    failed = failed || send(g, g->first + 1 + member, &errand, err);
    m->away = !failed;
    hd_errand_release(&errand);
    return failed;
}

static int explore(void *context, uint32_t member, void *unit, double seconds, struct hd_err *err)
{
    struct group *g = context;
    struct member *m = &g->members[member];
    double passed = hd_watch_now() - g->began, limit = g->check->seconds, left = limit - passed;
    m->unit = unit;
    m->n_failed = 0;
    m->patience = limit <= 0 || seconds < left ? seconds : left > 0.1 ? left : 0.1;
    return send_unit(g, member, err);
}

static int ask(void *context, uint32_t leader, struct hd_err *err)
{
    struct group *g = context;
    return send_kind(g, hd_rank_first(g->group, leader), HD_ERRAND_STEAL, err);
}

static int give(void *context, uint32_t leader, void **units, uint64_t n, struct hd_err *err)
{
    struct group *g = context;
    struct hd_errand errand;
    hd_errand_init(&errand, HD_ERRAND_GIVE);
    for (uint64_t i = 0; i < n; i++) {
        struct unit *unit = units[i];
        hd_str_appendf(&errand.text, "%s %" PRIu64 " %a\n", unit->name, unit->bytes, unit->share);
        free(unit);
    }
    int failed = send(g, hd_rank_first(g->group, leader), &errand, err);
    hd_errand_release(&errand);
    return failed;
}

static const struct hd_leader_ops ops = { explore, ask, give };

/* ---- what arrives ---- */

static int take_units(struct group *g, const struct hd_errand *errand, struct hd_err *err)
{
    uint64_t n = 0;
    for (const char *line = errand->text.text; line && *line; n++) {
        const char *end = strchr(line, '\n'), *blank = strchr(line, ' ');
        if (!end || !blank || blank > end)
            return hd_err_set(err, "a message between ranks is damaged");
        char *next = NULL;
        uint64_t bytes = strtoull(blank + 1, &next, 10);
        double share = strtod(next, NULL);
        add_unit(g, line, (size_t)(blank - line), bytes, share >= 0 && share <= 1 ? share : 0);
        line = end + 1;
    }
    hd_leader_answered(&g->leader, n, hd_watch_now());
    return 0;
}

static int take_failure(struct group *g, uint32_t member, const struct hd_errand *answer,
                        struct hd_err *err)
{
    struct member *m = &g->members[member];
    if (++m->n_failed > MOST_FAILED)
        return hd_err_set(err, "rank %u, unit %s: %s", g->first + 1 + member, m->unit->name,
                          answer->text.text);
    if (!g->leader.closed) {
        m->patience *= 2;
        return send_unit(g, member, err);
    }
    hd_leader_add(&g->leader, m->unit, m->unit->bytes);
    m->unit = NULL;
    hd_leader_idle(&g->leader, member, true);
    return 0;
}

/* What is left of the member's unit. */
static void add_left(struct group *g, const struct unit *unit, const struct hd_errand *answer)
{
    uint32_t parts = 1; /* one of them has been explored */
    for (uint32_t i = 0; i < answer->n_files; i++)
        parts += hd_str_ends(answer->files[i].name, ".unit");
    for (uint32_t i = 0; i < answer->n_files; i++) {
        const struct hd_errand_file *file = &answer->files[i];
        if (hd_str_ends(file->name, ".unit"))
            add_unit(g, file->name, strlen(file->name), file->bytes.length, unit->share / parts);
    }
    g->share += answer->n_files ? unit->share / parts : 0;
}

static int take_answer(struct group *g, uint32_t member, const struct hd_errand *answer,
                       struct hd_err *err)
{
    struct member *m = &g->members[member];
    m->away = false;
    m->seconds += (double)answer->milliseconds / 1000;
    if (!m->unit) {
        hd_leader_idle(&g->leader, member, false);
        return 0;
    }
    if (answer->kind == HD_ERRAND_FAILED)
        return take_failure(g, member, answer, err);
    if (hd_errand_save(answer, g->check->units, err) != 0)
        return -1;
    add_left(g, m->unit, answer);
    g->executions += answer->executions;
    g->n_done++;
    g->broke = g->broke || answer->broke;
    g->stop = g->stop || !answer->n_files; /* it was interrupted before anything was explored */
    free(m->unit);
    m->unit = NULL;
    hd_leader_idle(&g->leader, member, true);
    return 0;
}

/* ---- rounds ---- */

static bool ends(const struct group *g)
{
    uint64_t most = g->check->options.max_executions;
    bool late = g->check->seconds > 0 && hd_watch_now() - g->began >= g->check->seconds;
    bool enough = most && (g->executions >= most || g->known_executions >= most);
    return late || enough || g->broke || g->stop ||
           (g->job->watch.interrupted && *g->job->watch.interrupted);
}

static struct hd_errand_far how_far(const struct group *g, uint64_t round)
{
    return (struct hd_errand_far){ .round = round,
                                   .given = g->leader.given,
                                   .taken = g->leader.taken,
                                   .done = g->n_done,
                                   .waiting = g->leader.waiting.n,
                                   .busy = g->leader.n_busy,
                                   .share = g->share,
                                   .quiet = hd_leader_quiet(&g->leader) };
}

static double seconds_of(const struct group *g)
{
    double seconds = 0;
    for (uint32_t i = 0; i < g->leader.n_members; i++)
        seconds += g->members[i].seconds;
    return seconds;
}

static int answer_round(struct group *g, const struct hd_errand *question, struct hd_err *err)
{
    struct hd_errand answer;
    g->stop = g->stop || question->broke;
    hd_errand_init(&answer, HD_ERRAND_FAR);
    answer.far = how_far(g, question->far.round);
    answer.broke = g->broke || g->stop;
    answer.signal = g->signal ? g->signal : (uint32_t)hd_input_interrupted;
    answer.executions = g->executions;
    answer.milliseconds = (uint64_t)(seconds_of(g) * 1000);
    int failed = send(g, 0, &answer, err);
    hd_errand_release(&answer);
    return failed;
}

static void note_answer(struct group *g, uint32_t number, const struct hd_errand_far *far,
                        uint64_t executions, double seconds)
{
    hd_survey_answer(&g->survey, far->round, far->quiet, far->given, far->taken);
    g->sum.done += far->done;
    g->sum.waiting += far->waiting;
    g->sum.busy += far->busy;
    g->sum.share += far->share;
    g->sum_executions += executions;
    g->busy[number] = seconds;
}

/* Appends how many executions there seem to be in all, if something can be said. */
static void append_estimate(struct hd_str *line, const struct group *g, const char *before,
                            const char *after)
{
    char text[HD_NUMBER_TEXT];
    double share = g->sum.share, all = (double)g->sum_executions / share;
    if (g->sum_executions < WORTH_TELLING || share <= 0 || share > 0.999)
        return;
    if (all > 1e15)
        hd_str_appendf(line, "%s%.1e%s", before, all, after);
    else
        hd_str_appendf(line, "%s%s%s", before, hd_number_grouped((uint64_t)all, text), after);
}

static void show(struct group *g)
{
    struct hd_str line;
    g->known_executions = g->sum_executions;
    if (g->check->quiet || hd_watch_now() - g->shown < SHOW_SECONDS)
        return;
    g->shown = hd_watch_now();
    hd_str_init(&line);
    hd_str_appendf(&line, "%" PRIu64 " executions", g->sum_executions);
    append_estimate(&line, g, ", about ", " in all");
    hd_str_appendf(&line,
                   ", %" PRIu64 " units explored, %" PRIu64 " wait, %" PRIu64
                   " of %u ranks busy, %.0f s",
                   g->sum.done, g->sum.waiting, g->sum.busy,
                   g->group->n_ranks - g->group->n_groups, g->shown - g->began);
    fprintf(stderr, "heddle: %s\n", line.text);
    hd_str_release(&line);
}

/* Rank 0: how far are all?  Our own answer comes first. */
static int next_round(struct group *g, struct hd_err *err)
{
    struct hd_errand question;
    int failed = 0;
    if (g->group->me != 0)
        return 0;
    if (g->survey.round && g->survey.n_answers == g->survey.n_leaders)
        g->over = hd_survey_over(&g->survey);
    if (g->over || hd_watch_now() < g->next_round || !hd_survey_begin(&g->survey))
        return 0;
    if (g->survey.round > 1)
        show(g);
    g->next_round = hd_watch_now() + (g->group->n_groups > 1 ? ROUND_SECONDS : 0);
    g->sum = (struct hd_errand_far){ .round = 0 };
    g->sum_executions = 0;
    struct hd_errand_far far = how_far(g, g->survey.round);
    note_answer(g, 0, &far, g->executions, seconds_of(g));
    hd_errand_init(&question, HD_ERRAND_ROUND);
    question.far.round = g->survey.round;
    question.broke = ends(g);
    for (uint32_t i = 1; i < g->group->n_groups && !failed; i++)
        failed = send(g, hd_rank_first(g->group, i), &question, err);
    hd_errand_release(&question);
    return failed;
}

/* ---- the loop ---- */

static uint32_t number_of(const struct group *g, uint32_t rank)
{
    uint32_t i = 0;
    while (i + 1 < g->group->n_groups && hd_rank_first(g->group, i + 1) <= rank)
        i++;
    return i;
}

/* Whoever interrupts one rank wants to end the search: a batch system tells all, some sooner
 * than others.  Rank 0 says so, and ends as if it had been interrupted itself. */
static void interrupted(struct group *g, uint32_t from, uint32_t number)
{
    bool member = from > g->first && from - g->first <= g->leader.n_members;
    g->signal = number;
    g->stop = true;
    if (g->group->me != 0 || hd_input_interrupted) /* or the user has interrupted all of them */
        return;
    hd_input_interrupted = (int)number;
    fprintf(stderr,
            "heddle: rank %u%s was interrupted (%s), so all ranks stop; the same command goes on "
            "with what is in %s\n",
            from, member ? "" : ", or a rank of its group,", strsignal((int)number),
            g->check->units);
}

static int arrived(struct group *g, uint32_t from, const struct hd_errand *errand,
                   struct hd_err *err)
{
    if (errand->signal && !g->signal)
        interrupted(g, from, errand->signal);
    switch ((enum hd_errand_kind)errand->kind) {
    case HD_ERRAND_LEAVE:
        return 0;
    case HD_ERRAND_ASK:
    case HD_ERRAND_RESULT:
    case HD_ERRAND_FAILED:
        if (from <= g->first || from - g->first > g->leader.n_members)
            return hd_err_set(err, "rank %u is not in the group of rank %u", from, g->first);
        return take_answer(g, from - g->first - 1, errand, err);
    case HD_ERRAND_STEAL:
        return hd_leader_asked(&g->leader, number_of(g, from), hd_watch_now(), err);
    case HD_ERRAND_GIVE:
        return take_units(g, errand, err);
    case HD_ERRAND_ROUND:
        return answer_round(g, errand, err);
    case HD_ERRAND_FAR:
        g->stop = g->stop || errand->broke;
        note_answer(g, number_of(g, from), &errand->far, errand->executions,
                    (double)errand->milliseconds / 1000);
        return 0;
    case HD_ERRAND_STOP:
        g->over = true;
        return 0;
    case HD_ERRAND_UNIT:
    case HD_N_ERRANDS:
        break;
    }
    return hd_err_set(err, "rank %u sent what no member sends", from);
}

/* Members that explore cut their unit; the others have nothing to do any more. */
static int stop_members(struct group *g, struct hd_err *err)
{
    int failed = 0;
    for (uint32_t i = 0; i < g->leader.n_members && !failed; i++) {
        if (!g->members[i].stopped)
            failed = send_kind(g, g->first + 1 + i, HD_ERRAND_STOP, err);
        g->members[i].stopped = true;
    }
    return failed;
}

/* After an error members may still be about to answer, and a long message waits until it is
 * taken.  Nobody needs it: the unit is explored again. */
static void hear_out(struct group *g)
{
    struct hd_errand errand;
    struct hd_err ignored;
    int from = 0, got = 0;
    uint32_t away = 0;
    for (uint32_t i = 0; i < g->leader.n_members; i++)
        away += g->members[i].away;
    while (away && got >= 0) {
        got = hd_errand_receive(g->ranks, POLL_MS, &from, &errand, &ignored);
        if (got != 1)
            continue;
        away -= errand.kind == HD_ERRAND_RESULT || errand.kind == HD_ERRAND_FAILED;
        hd_errand_release(&errand);
    }
}

static int turn(struct group *g, struct hd_err *err)
{
    struct hd_errand errand;
    bool soon = hd_leader_pauses(&g->leader) || hd_leader_quiet(&g->leader);
    int from = 0, got = hd_errand_receive(g->ranks, soon ? 2 : POLL_MS, &from, &errand, err);
    int failed = got < 0;
    if (got == 1) {
        failed = arrived(g, (uint32_t)from, &errand, err);
        hd_errand_release(&errand);
    }
    if (!failed && !g->leader.closed && ends(g)) {
        g->leader.closed = true;
        failed = stop_members(g, err);
    }
    return failed || hd_leader_act(&g->leader, hd_watch_now(), err) || next_round(g, err);
}

static void print_ranks(const struct group *g)
{
    double seconds = hd_watch_now() - g->began;
    if (g->check->quiet || (g->check->json && strcmp(g->check->json, "-") == 0))
        return;
    struct hd_str line;
    hd_str_init(&line);
    hd_str_append(&line, "ranks:");
    if (g->group->n_groups == 1)
        for (uint32_t i = 0; i < g->leader.n_members; i++)
            hd_str_appendf(&line, "%s %u busy %.0f %%", i ? "," : "", i + 1,
                           100 * g->members[i].seconds / seconds);
    else
        for (uint32_t i = 0; i < g->group->n_groups; i++) {
            uint32_t first = hd_rank_first(g->group, i), next = hd_rank_first(g->group, i + 1);
            hd_str_appendf(&line, "%s %u to %u busy %.0f %%", i ? "," : "", first + 1, next - 1,
                           100 * g->busy[i] / seconds / (next - first - 1));
        }
    append_estimate(&line, g, "\nestimate: about ", " executions in all");
    printf("%s\n", line.text);
    hd_str_release(&line);
}

static void release(struct group *g)
{
    for (uint32_t i = 0; i < g->leader.n_members; i++)
        free(g->members[i].unit);
    for (void *unit; (unit = hd_pool_nearest(&g->leader.waiting)) != NULL;)
        free(unit);
    hd_leader_release(&g->leader);
    free(g->members);
    free(g->busy);
}

int hd_rank_lead(const struct hd_rank_group *group, const struct hd_check *check,
                 const struct hd_job *job, struct hd_err *err)
{
    struct group g = { .group = group, .ranks = group->ranks, .check = check, .job = job };
    uint32_t members = hd_rank_first(group, group->me + 1) - hd_rank_first(group, group->me) - 1;
    hd_leader_init(&g.leader, group->me, group->n_groups, members);
    g.leader.ops = &ops;
    g.leader.context = &g;
    g.first = hd_rank_first(group, group->me);
    g.members = hd_alloc((members + 1) * sizeof *g.members);
    g.busy = hd_alloc(group->n_groups * sizeof *g.busy);
    g.survey.n_leaders = group->n_groups;
    g.began = g.shown = hd_watch_now();
    int failed = group->me == 0 ? find_units(&g, err) : 0;
    while (!failed && !g.over)
        failed = turn(&g, err);
    struct hd_err ignored;
    stop_members(&g, failed ? &ignored : err);
    for (uint32_t i = 1; group->me == 0 && i < group->n_groups; i++)
        send_kind(&g, hd_rank_first(group, i), HD_ERRAND_STOP, &ignored);
    hear_out(&g);
    if (group->me == 0 && !failed)
        print_ranks(&g);
    release(&g);
    return failed;
}

void hd_rank_dismiss(const struct hd_rank_group *group)
{
    struct hd_errand stop;
    struct hd_err ignored;
    hd_errand_init(&stop, HD_ERRAND_STOP);
    uint32_t members = hd_rank_first(group, 1);
    for (uint32_t i = 1; i < members; i++)
        hd_errand_send(group->ranks, (int)i, &stop, &ignored);
    for (uint32_t i = 1; i < group->n_groups; i++)
        hd_errand_send(group->ranks, (int)hd_rank_first(group, i), &stop, &ignored);
    hd_errand_release(&stop);
}
