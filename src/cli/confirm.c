/* heddle confirm: warnings become proofs, or are shown to be wrong.
 *
 * One exploration of everything (`heddle check --keep-going`) answers all warnings when it
 * comes to its end.  If it does not, half of the time is left for searches that go to the
 * places of one warning each.  A confirmed warning has been replayed, like every violation. */
#define _GNU_SOURCE
#include "analyse/query.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/number.h"
#include "base/run.h"
#include "base/strmap.h"
#include "base/version.h"
#include "cli/answers.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/outputs.h"
#include "cli/sequence.h"
#include "core/shared_tree.h"
#include "supervise/autopsy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option { HELP = 1, TIME, JOBS, JSON, TRACE_DIR, CC_FLAGS };

static const struct hd_arg table[] = {
    { TIME, "time", 0, "DUR", "for everything together (60s)" },
    { JOBS, "jobs", 'j', "N", "N workers at a time" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { TRACE_DIR, "trace-dir", 0, "DIR", "where traces go (heddle-traces)" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

struct request {
    struct hd_strs words, files, cc_flags;
    const char *warnings; /* NULL: heddle's own */
    const char *json, *jobs, *trace_dir;
    char **args;
    double seconds;
    bool help;
};

struct confirmation {
    const struct request *request;
    struct hd_input input;
    struct hd_claims claims;
    struct hd_answer *answers;
    double end;
    bool exhaustive;
    bool races; /* it met a data race */
};

static void print_help(void)
{
    fputs(
        "usage: heddle confirm [options] PROGRAM | FILE.c… [WARNINGS] [-- args]\n\n"
        "Looks for a run that proves each warning, and says so when there is none.  WARNINGS is\n"
        "what ThreadSanitizer, Helgrind or DRD printed, lines FILE:LINE: warning: …, or SARIF (-\n"
        "for standard input); without it, what heddle itself warns of (heddle slice "
        "--warnings).\n\n",
        stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs("\nExit status: 1 when one is confirmed, otherwise 0; 2 for a usage or input error.\n",
          stdout);
}

static int set_one(struct request *r, int id, const char *value, struct hd_err *err)
{
    uint64_t n;
    switch (id) {
    case TIME:
        return hd_args_duration("--time", value, &r->seconds, err);
    case JOBS:
        r->jobs = value;
        return hd_number_parse("-j", value, 1, HD_MAX_JOBS, &n, err);
    case JSON:
        r->json = value;
        return 0;
    case TRACE_DIR:
        r->trace_dir = value;
        return 0;
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &r->cc_flags, err);
    case HELP:
        r->help = true;
        return 0;
    default:
        hd_strs_add(&r->words, value);
        return 0;
    }
}

static bool is_source(const char *path)
{
    static const char *const extensions[] = { ".c", ".cc", ".cpp", ".cxx", ".C", ".i", ".ii" };
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(hd_fs_extension(path), extensions[i]) == 0)
            return true;
    return false;
}

/* Sources, or one program; after them, what is to be read. */
static int sort_words(struct request *r, struct hd_err *err)
{
    for (size_t i = 0; i < r->words.n; i++) {
        const char *word = r->words.items[i];
        if (i == 0 || (is_source(word) && is_source(r->words.items[0]) && !r->warnings))
            hd_strs_add(&r->files, word);
        else if (r->warnings)
            return hd_err_set(err, "%s: only one file of warnings is read, and %s is there", word,
                              r->warnings);
        else
            r->warnings = word;
    }
    if (r->files.n == 0)
        return hd_err_set(err, "no program: heddle confirm PROGRAM [WARNINGS]");
    return 0;
}

static int parse(struct request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &r->cc_flags;
    for (;;) {
        int id = hd_args_next(&args, &value, err);
        if (id == HD_ARG_BAD || (id >= 0 && set_one(r, id, value, err) != 0))
            return -1;
        if (id == HD_ARG_END) {
            r->args = hd_args_rest(&args);
            return r->help ? 0 : sort_words(r, err);
        }
    }
}

/* ---- the warnings ---- */

static int read_claims(struct confirmation *c, struct hd_err *err)
{
    const char *path = c->request->warnings;
    bool from_input = strcmp(path, "-") == 0;
    struct hd_str text;
    hd_str_init(&text);
    int failed = hd_fs_read(from_input ? "/dev/stdin" : path, &text, err);
    if (!failed)
        failed = hd_claims_parse(&c->claims, from_input ? "standard input" : path, text.text,
                                 text.length, err);
    hd_str_release(&text);
    return failed;
}

static int own_claims(struct confirmation *c, struct hd_err *err)
{
    struct hd_query *query;
    struct hd_warned_list list;
    size_t n;
    const void *module = hd_program_module(c->input.program, &n);
    if (hd_query_open(&query, module, n, c->request->files.items[0], err) != 0)
        return -1;
    hd_query_warnings(query, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        const struct hd_warned *w = &list.items[i];
        char *words = hd_str_format(
            w->deadlock ? "possible deadlock" : "possible data race on %s", w->sites[0].what);
        struct hd_claim *claim = hd_claims_add(
            &c->claims, w->deadlock ? HD_CLAIM_DEADLOCK : HD_CLAIM_RACE, words, strlen(words));
        free(words);
        for (uint32_t k = 0; k < w->n_sites; k++)
            hd_claim_place(claim, w->sites[k].at.file, strlen(w->sites[k].at.file),
                           w->sites[k].at.line);
    }
    hd_warned_list_release(&list);
    hd_query_close(query);
    return 0;
}

/* The program's own name of the file: of those whose paths end alike the one that does so
 * longest, if it is the only one.  NULL: none. */
static const char *own_name(const struct confirmation *c, const char *file)
{
    uint32_t n_sites = hd_program_info(c->input.program)->n_sites, most = 0;
    const char *best = NULL;
    for (uint32_t i = 1; i < n_sites; i++) {
        const char *own = hd_program_site(c->input.program, i).file;
        uint32_t same = hd_answers_same_end(own, file);
        if (same > most)
            best = own;
        else if (same && same == most && best && strcmp(best, own) != 0)
            best = NULL;
        most = same > most ? same : most;
    }
    return best;
}

/* As own_name(), remembered: many warnings name few files.  0 in the map: not asked yet, 1:
 * none. */
static const char *known_name(const struct confirmation *c, struct hd_strmap *names,
                              const char *file)
{
    uint64_t *known = hd_strmap_put(names, file);
    if (*known == 0) {
        const char *own = own_name(c, file);
        *known = own ? (uint64_t)(uintptr_t)own : 1;
    }
    return *known == 1 ? NULL : (const char *)(uintptr_t)*known;
}

/* Places in files that the program does not have say nothing about it. */
static void find_places(struct confirmation *c)
{
    struct hd_strmap names;
    hd_strmap_init(&names);
    for (uint32_t i = 0; i < c->claims.n; i++) {
        struct hd_claim *claim = &c->claims.items[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < claim->n_places; k++) {
            const char *own = known_name(c, &names, claim->places[k].file);
            free(claim->places[k].file);
            if (own) {
                uint32_t line = claim->places[k].line;
                claim->places[kept++] = (struct hd_claim_place){ hd_strdup(own), line };
            }
        }
        claim->n_places = kept;
    }
    hd_strmap_release(&names);
}

/* ---- explorations ---- */

#define META "--strategy=meta"
#define HGS "--strategy=hgs"

/* heddle check with these options, for so long; its JSON.  1: it refused them. */
static int explore(struct confirmation *c, const char *const *options, const char *directory,
                   double seconds, struct hd_str *json, struct hd_err *err)
{
    struct hd_str said;
    const struct request *r = c->request;
    struct hd_strs argv;
    hd_str_init(&said);
    hd_strs_init(&argv);
    hd_strs_addf(&argv, "%s/bin/heddle", hd_fs_root());
    hd_strs_add(&argv, "check");
    bool guided = false; /* guided searches use one worker */
    for (; *options; options++) {
        hd_strs_add(&argv, *options);
        guided |= strcmp(*options, META) == 0 || strcmp(*options, HGS) == 0;
    }
    hd_strs_add(&argv, "-q");
    hd_strs_add(&argv, "--json=-");
    hd_strs_addf(&argv, "--trace-dir=%s", directory);
    hd_strs_addf(&argv, "--time=%dms", (int)(seconds * 1000));
    if (r->jobs && !guided)
        hd_strs_addf(&argv, "--jobs=%s", r->jobs);
    for (size_t i = 0; i < r->cc_flags.n; i++) {
        hd_str_clear(&said);
        hd_input_shell_word(&said, r->cc_flags.items[i]);
        hd_strs_addf(&argv, "--cc-flags=%s", said.text);
    }
    hd_strs_add_all(&argv, &r->files);
    hd_strs_add(&argv, "--");
    for (char **arg = r->args; *arg; arg++)
        hd_strs_add(&argv, *arg);
    hd_str_clear(&said);
    int status = hd_run_output(argv.items, json, &said, err);
    bool broken = status > HD_EXIT_INPUT;
    if (broken)
        hd_err_set(err, "an exploration ended with status %d: %.900s", status, said.text);
    hd_strs_release(&argv);
    hd_str_release(&said);
    return status < 0 || broken ? -1 : status == HD_EXIT_INPUT;
}

static uint32_t count(const struct confirmation *c, enum hd_answer_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->claims.n; i++)
        n += c->answers[i].kind == kind;
    return n;
}

/* On a terminal: what it is at, and what has come out so far. */
static void show_progress(const struct confirmation *c, uint32_t only, double seconds)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K");
    if (only == UINT32_MAX)
        fprintf(stderr, "exploring everything, for at most %.0f s (%u warning%s)", seconds,
                c->claims.n, c->claims.n == 1 ? "" : "s");
    else if (seconds > 0)
        fprintf(stderr, "warning %u of %u, for %.1f s: %u confirmed, %u impossible", only + 1,
                c->claims.n, seconds, count(c, HD_CONFIRMED), count(c, HD_IMPOSSIBLE));
}

static int take(struct confirmation *c, uint32_t only, const char *const *options, double seconds,
                struct hd_err *err)
{
    struct hd_str json;
    struct hd_answers_found found;
    char *directory = only == UINT32_MAX
                          ? hd_strdup(c->request->trace_dir)
                          : hd_str_format("%s/warning-%u", c->request->trace_dir, only + 1);
    hd_str_init(&json);
    show_progress(c, only, seconds);
    int failed = explore(c, options, directory, seconds, &json, err);
    show_progress(c, 0, 0);
    if (failed == 1 && only == UINT32_MAX)
        failed = hd_err_set(err, "%s cannot be explored: see what `heddle check` says of it",
                            c->request->files.items[0]);
    if (!failed)
        failed = hd_answers_take(c->answers, &c->claims, only, "the exploration", &json, &found,
                                 err);
    if (!failed && only == UINT32_MAX) {
        c->exhaustive = found.exhaustive;
        c->races = found.races;
    }
    hd_str_release(&json);
    free(directory);
    return failed < 0 ? -1 : 0;
}

/* All the places at once, as --target wants them. */
static char *target_of(const struct hd_claim *claim)
{
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "--target=");
    for (uint32_t i = 0; i < claim->n_places; i++)
        hd_str_appendf(&text, "%s%s:%u", i ? "," : "", claim->places[i].file,
                       claim->places[i].line);
    return hd_str_detach(&text);
}

/* The places to pass on the way to a warning, separated by commas; NULL: there are none.  A
 * fault's own place is the last. */
static char *way_of(const struct confirmation *c, const struct hd_claim *claim)
{
    struct hd_strs via;
    if (claim->kind == HD_CLAIM_DEADLOCK || claim->n_places == 0)
        return NULL;
    hd_strs_init(&via);
    hd_sequence(&via, c->input.program, claim);
    if (claim->kind == HD_CLAIM_FAULT)
        hd_strs_addf(&via, "%s:%u", claim->places[0].file, claim->places[0].line);
    struct hd_str text;
    hd_str_init(&text);
    for (size_t i = 0; i < via.n; i++)
        hd_str_appendf(&text, "%s%s", i ? "," : "", via.items[i]);
    char *way = hd_str_detach(&text);
    if (via.n == 0) {
        free(way);
        way = NULL;
    }
    hd_strs_release(&via);
    return way;
}

/* The places on the way to a confirmed warning are reported whichever search found it first,
 * because that depends on the machine's speed. */
static void find_ways(struct confirmation *c)
{
    for (uint32_t i = 0; i < c->claims.n && hd_watch_now() < c->end; i++)
        if (c->answers[i].kind == HD_CONFIRMED && !c->answers[i].along)
            c->answers[i].along = way_of(c, &c->claims.items[i]);
}

enum { ALONG, THERE, PCT, POS, N_WAYS };

/* One way to search for a warning.  Accesses that race are a place to be guided to, along what
 * their threads depend on or directly; threads in a deadlock are blocked; and random search
 * finds what guidance misses. */
static int try_way(struct confirmation *c, uint32_t i, uint32_t way, double seconds,
                   struct hd_err *err)
{
    const struct hd_claim *claim = &c->claims.items[i];
    bool race = claim->kind == HD_CLAIM_RACE;
    const char *options[5] = { "--keep-going" };
    char *target = NULL, *via = NULL;
    switch (way) {
    case ALONG:
        options[1] = META;
        if ((c->answers[i].along = way_of(c, claim)))
            options[2] = via = hd_str_format("--via=%s", c->answers[i].along);
        options[3] = target = race && via ? target_of(claim) : NULL;
        break;
    case THERE:
        options[1] = race ? META : HGS;
        options[2] = race ? (target = target_of(claim)) : "--heuristic=blocked";
        break;
    case PCT:
        options[1] = "--strategy=pct:3";
        break;
    default:
        options[1] = "--strategy=pos";
        break;
    }
    bool leads = (way != ALONG || via) && (way != THERE || claim->kind != HD_CLAIM_FAULT);
    int failed = leads ? take(c, i, options, seconds, err) : 0;
    free(target);
    free(via);
    return failed;
}

#define LEAST_SHARE 0.05 /* seconds: less is useless */

/* One search after the other for every warning that has no answer. */
static int search_each(struct confirmation *c, struct hd_err *err)
{
    for (uint32_t i = 0; i < c->claims.n; i++)
        for (uint32_t way = 0; way < N_WAYS; way++) {
            double left = c->end - hd_watch_now();
            if (c->answers[i].kind != HD_NOT_CONFIRMED || c->claims.items[i].n_places == 0)
                break;
            if (left < 0.1 || hd_input_interrupted)
                return 0;
            double share = left / count(c, HD_NOT_CONFIRMED) / (N_WAYS - way);
            share = share < LEAST_SHARE ? LEAST_SHARE : share;
            if (try_way(c, i, way, share < left ? share : left, err) != 0)
                return -1;
        }
    return 0;
}

/* ---- what came out ---- */

static const char *const words_of[] = { [HD_NOT_CONFIRMED] = "not confirmed",
                                        [HD_CONFIRMED] = "confirmed",
                                        [HD_IMPOSSIBLE] = "impossible" };

static void print_replay(const struct request *r, const char *trace)
{
    struct hd_str line;
    hd_str_init(&line);
    hd_input_shell_word(&line, program_invocation_name);
    hd_str_append(&line, " replay");
    for (size_t i = 0; i < r->files.n; i++) {
        hd_str_append_char(&line, ' ');
        hd_input_shell_word(&line, r->files.items[i]);
    }
    hd_str_append_char(&line, ' ');
    hd_input_shell_word(&line, trace);
    printf("   replay: %s\n", line.text);
    hd_str_release(&line);
}

static void print_text(const struct confirmation *c)
{
    for (uint32_t i = 0; i < c->claims.n; i++) {
        const struct hd_claim *claim = &c->claims.items[i];
        const struct hd_answer *answer = &c->answers[i];
        printf("%u. %s: %s\n", i + 1, words_of[answer->kind], claim->message);
        for (uint32_t k = 0; k < claim->n_places; k++)
            printf("   %s:%u\n", claim->places[k].file, claim->places[k].line);
        if (claim->n_places == 0)
            printf("   it names no place of this program\n");
        if (answer->along)
            printf(answer->kind == HD_CONFIRMED ? "   the way there: %s\n"
                                                : "   looked for along %s\n",
                   answer->along);
        if (answer->kind == HD_CONFIRMED)
            printf("   %s\n", answer->message);
        if (answer->trace)
            print_replay(c->request, answer->trace);
    }
    printf("%u warning%s: %u confirmed, %u impossible%s, %u not confirmed\n", c->claims.n,
           c->claims.n == 1 ? "" : "s", count(c, HD_CONFIRMED), count(c, HD_IMPOSSIBLE),
           c->exhaustive ? " (everything was explored)" : "", count(c, HD_NOT_CONFIRMED));
    if (c->races && count(c, HD_IMPOSSIBLE))
        printf(
            "the program has data races, so C does not define its behaviour: impossible means that no "
            "sequentially consistent run shows it\n");
}

static void write_claim(struct hd_str *out, const struct hd_claim *claim,
                        const struct hd_answer *answer)
{
    static const char *const kinds[] = { [HD_CLAIM_RACE] = "data-race",
                                         [HD_CLAIM_DEADLOCK] = "deadlock",
                                         [HD_CLAIM_FAULT] = "fault" };
    hd_str_append(out, "{\"warning\": ");
    hd_json_string(out, claim->message);
    hd_str_appendf(out, ", \"kind\": \"%s\", \"answer\": \"%s\", \"places\": [",
                   kinds[claim->kind], words_of[answer->kind]);
    for (uint32_t k = 0; k < claim->n_places; k++) {
        hd_str_append(out, k ? ", {\"file\": " : "{\"file\": ");
        hd_json_string(out, claim->places[k].file);
        hd_str_appendf(out, ", \"line\": %u}", claim->places[k].line);
    }
    hd_str_append(out, "], \"message\": ");
    hd_json_string(out, answer->message ? answer->message : "");
    if (answer->along) {
        hd_str_append(out, ", \"along\": ");
        hd_json_string(out, answer->along);
    }
    hd_str_append(out, ", \"trace\": ");
    if (answer->trace)
        hd_json_string(out, answer->trace);
    else
        hd_str_append(out, "null");
    hd_str_append_char(out, '}');
}

static int write_json(const struct confirmation *c, struct hd_err *err)
{
    struct hd_str out;
    const char *path = c->request->json;
    hd_str_init(&out);
    hd_str_append(&out, "{\"heddle\": ");
    hd_json_string(&out, HD_VERSION);
    hd_str_append(&out, ", \"program\": ");
    hd_json_string(&out, c->request->files.items[0]);
    hd_str_appendf(
        &out,
        ", \"exhaustive\": %s, \"data_races\": %s, \"confirmed\": %u, \"impossible\": %u, "
        "\"not_confirmed\": %u",
        c->exhaustive ? "true" : "false", c->races ? "true" : "false", count(c, HD_CONFIRMED),
        count(c, HD_IMPOSSIBLE), count(c, HD_NOT_CONFIRMED));
    hd_str_append(&out, ",\n \"warnings\": [");
    for (uint32_t i = 0; i < c->claims.n; i++) {
        hd_str_append(&out, i ? ",\n  " : "\n  ");
        write_claim(&out, &c->claims.items[i], &c->answers[i]);
    }
    hd_str_append(&out, "]}\n");
    int failed = 0;
    if (strcmp(path, "-") == 0)
        fwrite(out.text, 1, out.length, stdout);
    else
        failed = hd_fs_write(path, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

static int report(const struct confirmation *c, struct hd_err *err)
{
    const char *json = c->request->json;
    int failed = json ? write_json(c, err) : 0;
    if (!json || strcmp(json, "-") != 0)
        print_text(c);
    if (!failed && (fflush(stdout) != 0 || ferror(stdout)) && !hd_outputs_reader_left())
        failed = hd_err_set(err, "cannot write to standard output: %s", strerror(errno));
    if (failed)
        return HD_EXIT_INPUT;
    return count(c, HD_CONFIRMED) ? HD_EXIT_VIOLATION : HD_EXIT_OK;
}

static int confirm(const struct request *r, struct hd_err *err)
{
    struct confirmation c = { .request = r, .end = hd_watch_now() + r->seconds };
    static const char *const everything[] = { "--keep-going", NULL };
    int status = HD_EXIT_INPUT;
    if (hd_input_open(&c.input, &r->files, &r->cc_flags, err) != 0)
        return status;
    if ((r->warnings ? read_claims(&c, err) : own_claims(&c, err)) == 0) {
        find_places(&c);
        c.answers = hd_alloc((c.claims.n + 1) * sizeof *c.answers);
        hd_input_catch_signals();
        if (c.claims.n == 0 || (take(&c, UINT32_MAX, everything, r->seconds / 2, err) == 0 &&
                                search_each(&c, err) == 0)) {
            find_ways(&c);
            status = report(&c, err);
        }
        hd_answers_release(c.answers, c.claims.n);
    }
    hd_claims_release(&c.claims);
    hd_input_close(&c.input);
    return status;
}

int hd_cmd_confirm(int argc, char **argv)
{
    struct request r = { .seconds = 60, .trace_dir = "heddle-traces" };
    struct hd_err err = { { 0 } };
    hd_strs_init(&r.words);
    hd_strs_init(&r.files);
    hd_strs_init(&r.cc_flags);
    int status = HD_EXIT_INPUT;
    if (parse(&r, argc, argv, &err) == 0) {
        status = HD_EXIT_OK;
        if (r.help)
            print_help();
        else
            status = confirm(&r, &err);
    }
    hd_strs_release(&r.words);
    hd_strs_release(&r.files);
    hd_strs_release(&r.cc_flags);
    return status == HD_EXIT_INPUT ? hd_input_fail(&err, status) : status;
}
