/* The reader is strict: what it does not understand is an error that names the line.  It works
 * on its own copy of the bytes; words are decoded in place and steps point into it. */
#include "base/fs.h"
#include "base/nearest.h"
#include "report/name.h"
#include "report/trace.h"
#include "report/trace_options.h"
#include "report/trace_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct hd_words words;
    struct hd_trace *trace;
    uint32_t room; /* of trace->steps */
    unsigned seen; /* bit per row of `head_words` that may come only once */
};

static int next_word(struct reader *r, char **word) { return hd_words_next(&r->words, word); }

static int find_thread(struct reader *r, const char *word)
{
    int thread = hd_name_find_thread(&r->trace->threads, word, false);
    if (thread == -2)
        return hd_words_fail(&r->words, "'%.60s' is no thread (threads are main, T1, T1.2, …)",
                             word);
    if (thread < 0)
        return hd_words_fail(&r->words, "unknown thread %.60s: it is not in the `threads` line",
                             word);
    return thread;
}

/* ---- steps ---- */

static struct hd_trace_step *add_step(struct reader *r)
{
    struct hd_trace *t = r->trace;
    if (t->n_steps == HD_MAX_STEPS - 1) {
        hd_words_fail(&r->words, "more than %u steps", HD_MAX_STEPS - 1);
        return NULL;
    }
    if (t->n_steps == r->room) {
        r->room = r->room ? r->room * 2 : 64;
        t->steps = hd_realloc(t->steps, r->room * sizeof *t->steps);
    }
    struct hd_trace_step *step = &t->steps[t->n_steps++];
    *step = (struct hd_trace_step){ .line = r->words.line };
    return step;
}

static int step_op(struct reader *r, struct hd_trace_step *step, const char *word)
{
    enum hd_op op = hd_op_by_text(word);
    if (op == HD_OP_COUNT || op == HD_OP_NONE || op == HD_OP_BLOCKED) {
        struct hd_nearest nearest;
        hd_nearest_init(&nearest, word);
        for (unsigned i = 1; i < HD_OP_COUNT; i++)
            if (i != HD_OP_BLOCKED)
                hd_nearest_try(&nearest, hd_op_table[i].text);
        return hd_words_fail(&r->words, "unknown operation '%.60s'%s%s%s", word,
                             nearest.best ? " (nearest: " : "", nearest.best ? nearest.best : "",
                             nearest.best ? ")" : "");
    }
    step->step.op = (uint16_t)op;
    step->step.flags |= HD_STEP_CHECK_OP;
    return 0;
}

static int step_object(struct reader *r, struct hd_trace_step *step, char *word, bool second)
{
    enum hd_space space = second ? HD_SPACE_MEM : hd_op_table[step->step.op].space;
    if (space == HD_SPACE_NONE)
        return hd_words_fail(&r->words, "the operation %s has no object, but there is '%.60s'",
                             hd_op_table[step->step.op].text, word);
    struct hd_name *name = second ? &step->step.object2 : &step->step.object;
    const char **symbol = second ? &step->symbol2 : &step->symbol;
    char shown[61];
    snprintf(shown, sizeof shown, "%s", word);
    if (!hd_name_parse(word, space, &r->trace->threads, name, symbol))
        return hd_words_fail(&r->words, "'%s' is no %s", shown,
                             space == HD_SPACE_THREAD ? "thread of this trace" : "object");
    step->step.flags |= HD_STEP_CHECK_NAME;
    return 0;
}

enum { KEY_CHOICE, KEY_SIZE, KEY_READ, KEY_WROTE, KEY_SITE, KEY_AT, KEY_IN, N_KEYS };

static int step_key(struct reader *r, struct hd_trace_step *step, char *word, char *value,
                    unsigned *seen)
{
    static const char *const keys[N_KEYS] = { "choice", "size", "read", "wrote",
                                              "site",   "at",   "in" };
    *value++ = 0;
    unsigned key = 0;
    while (key < N_KEYS && strcmp(keys[key], word) != 0)
        key++;
    if (key == N_KEYS)
        return hd_words_fail(
            &r->words,
            "unknown field '%.60s' (there are choice, size, read, wrote, site, at, in)", word);
    if (*seen & 1u << key)
        return hd_words_fail(&r->words, "the field %s is there twice", word);
    *seen |= 1u << key;
    static const uint64_t most[N_KEYS] = { UINT16_MAX, UINT32_MAX, 0, 0, UINT32_MAX, 0, 0 };
    uint64_t number = 0;
    if (most[key] && !hd_name_number(value, most[key], &number))
        return hd_words_fail(&r->words, "%s=%.60s: not a number from 0 to %llu", word, value,
                             (unsigned long long)most[key]);
    if ((key == KEY_READ || key == KEY_WROTE) && !hd_words_is_value(value))
        return hd_words_fail(&r->words, "%s=%.60s: not a value", word, value);
    if (key == KEY_CHOICE)
        step->step.choice = (uint16_t)number;
    if (key == KEY_SIZE)
        step->step.size = (uint32_t)number;
    if (key == KEY_IN)
        step->function = value;
    if (key == KEY_SITE && number) {
        step->step.site = (uint32_t)number;
        step->step.flags |= HD_STEP_CHECK_SITE;
    }
    return 0;
}

static bool is_number(const char *text) { return *text && text[strspn(text, "0123456789")] == 0; }

/* [number] thread [operation [object [object]]] [key=value]… */
static int read_step(struct reader *r, char *word)
{
    struct hd_trace_step *step = add_step(r);
    uint64_t number;
    if (!step)
        return -1;
    if (is_number(word)) {
        if (!hd_name_number(word, UINT32_MAX, &number) || number != r->trace->n_steps)
            return hd_words_fail(&r->words, "step number %.20s, expected %u (or none)", word,
                                 r->trace->n_steps);
        int got = next_word(r, &word);
        if (got <= 0)
            return got < 0 ? -1
                           : hd_words_fail(&r->words, "the line ends where a thread should be");
    }
    int thread = find_thread(r, word);
    if (thread < 0)
        return -1;
    step->step.thread = (uint32_t)thread;
    unsigned seen = 0;
    int got;
    for (int position = 0; (got = next_word(r, &word)) == 1;) {
        char *value = strchr(word, '=');
        int bad;
        if (value)
            bad = step_key(r, step, word, value, &seen);
        else if (seen || position > 2)
            bad = hd_words_fail(&r->words, "'%.60s' is too much on this line", word);
        else
            bad = position == 0 ? step_op(r, step, word)
                                : step_object(r, step, word, position == 2);
        if (bad)
            return -1;
        position++;
    }
    return got;
}

/* ---- head ---- */

enum word {
    PROGRAM,
    BUILD,
    STRATEGY,
    CHECKER,
    SEED,
    EXPECT_EXIT,
    NO_TIMEOUTS,
    SPURIOUS,
    MEMORY,
    POLLS,
    FAULTS,
    NONDET,
    INPUT,
    INPUT_LENGTH,
    LEAKS,
    VOLATILE_OK,
    FILES_OFF,
    REUSE,
    VIOLATION,
    THREADS,
    RACE,
    STUCK,
    CYCLE,
    STEPS,
    SIGNATURE,
    N_ONCE,
    SOURCE = N_ONCE,
    CC_FLAG,
    ARG,
    INVARIANT,
    TARGET,
    RULE,
    N_WORDS
};

static const char *const head_words[N_WORDS] = {
    "program",     "build",        "strategy", "checker",     "seed",      "expect-exit",
    "no-timeouts", "spurious",     "memory",   "polls",       "faults",    "nondet",
    "input",       "input-length", "leaks",    "volatile-ok", "files-off", "reuse",
    "violation",   "threads",      "race",     "stuck",       "cycle",     "steps",
    "signature",   "source",       "cc-flag",  "arg",         "invariant", "target",
    "rule",
};

static int read_threads(struct reader *r)
{
    char *word;
    int got;
    struct hd_threads *threads = &r->trace->threads;
    uint32_t n = 0;
    for (; (got = next_word(r, &word)) == 1; n++) {
        int thread = hd_name_find_thread(threads, word, false);
        if (thread >= 0 && !(n == 0 && thread == 0))
            return hd_words_fail(&r->words, "thread %.60s is there twice", word);
        if (n == 0 && thread != 0)
            return hd_words_fail(&r->words, "the first thread must be main");
        if (n == 0)
            continue;
        if (thread == -2)
            return hd_words_fail(&r->words,
                                 "'%.60s' is no thread (threads are main, T1, T1.2, …)", word);
        thread = hd_name_find_thread(threads, word, true);
        if (thread < 0)
            return hd_words_fail(&r->words, "more than %d threads", HD_MAX_THREADS);
        if ((uint32_t)thread != n)
            return hd_words_fail(&r->words, "thread %.60s comes before its parent", word);
    }
    if (got == 0 && n == 0)
        return hd_words_fail(&r->words, "no threads: the first one is main");
    return got;
}

static int read_build(struct reader *r, char *text)
{
    if (strlen(text) != 32 || text[strspn(text, "0123456789abcdef")] != 0)
        return hd_words_fail(&r->words, "the build id is not 32 hexadecimal digits");
    r->trace->head.build = hd_strdup(text);
    return 0;
}

/* hd_trace_read() says whether it is right. */
static int read_signature(struct reader *r, const char *text)
{
    if (strlen(text) != 64 || text[strspn(text, "0123456789abcdef")] != 0)
        return hd_words_fail(&r->words, "the signature is not 64 hexadecimal digits");
    return 0;
}

/* A number after the word.  1: it is read; 0: the word has none; -1. */
static int read_number(struct reader *r, enum word which, const char *text)
{
    struct hd_trace_head *head = &r->trace->head;
    uint64_t number;
    uint32_t most;
    switch (which) {
    case SEED:
        if (!hd_name_number(text, UINT64_MAX, &head->seed))
            return hd_words_fail(&r->words, "seed %.60s: not a number", text);
        return 1;
    case EXPECT_EXIT:
        if (!hd_name_number(text, 255, &number))
            return hd_words_fail(&r->words, "expect-exit %.60s: not a number from 0 to 255",
                                 text);
        head->expect_exit = (int32_t)number;
        return 1;
    case MEMORY:
        if (!hd_memory_parse(text, &head->memory))
            return hd_words_fail(&r->words, "memory %.60s: not sc, tso or rc11", text);
        return 1;
    case LEAKS:
    case VOLATILE_OK:
    case FILES_OFF:
        if (strcmp(text, "1") != 0)
            return hd_words_fail(&r->words, "%s %.60s: not 1", head_words[which], text);
        *(which == LEAKS         ? &head->leaks
          : which == VOLATILE_OK ? &head->volatile_ok
                                 : &head->files_off) = 1;
        return 1;
    case NO_TIMEOUTS:
    case SPURIOUS:
    case POLLS:
        most = which == SPURIOUS ? HD_MAX_SPURIOUS : which == POLLS ? 1000000 : 1;
        if (!hd_name_number(text, most, &number))
            return hd_words_fail(&r->words, "%s %.60s: not a number from 0 to %u",
                                 head_words[which], text, most);
        *(which == SPURIOUS ? &head->spurious
          : which == POLLS  ? &head->polls
                            : &head->no_timeouts) = (uint32_t)number;
        return 1;
    default:
        return 0;
    }
}

/* One text after the word. */
static int read_text(struct reader *r, enum word which, char *text)
{
    struct hd_trace_head *head = &r->trace->head;
    int number = read_number(r, which, text);
    const char *form;
    if (number)
        return number > 0 ? 0 : -1;
    switch (which) {
    case BUILD:
        return read_build(r, text);
    case SIGNATURE:
        return read_signature(r, text);
    case PROGRAM:
    case STRATEGY:
    case CHECKER:
        *(which == PROGRAM    ? &head->program
          : which == STRATEGY ? &head->strategy
                              : &head->checker) = hd_strdup(text);
        return 0;
    case FAULTS:
    case REUSE:
    case NONDET:
    case INPUT:
    case INPUT_LENGTH:
        form = hd_trace_option_read(head, head_words[which], text);
        return form ? hd_words_fail(&r->words, "%s %.60s: not %s", head_words[which], text, form)
                    : 0;
    case STEPS:
        r->trace->all = strcmp(text, "all") == 0;
        if (!r->trace->all && strcmp(text, "scheduled") != 0)
            return hd_words_fail(&r->words, "steps '%.60s' (there are: all, scheduled)", text);
        return 0;
    case SOURCE:
    case CC_FLAG:
        hd_strs_add(which == SOURCE ? &head->sources : &head->cc_flags, text);
        return 0;
    case ARG:
    case INVARIANT:
        hd_strs_add(which == ARG ? &head->args : &head->invariants, text);
        return 0;
    default:
        hd_strs_add(which == RULE ? &head->rules : &head->targets, text);
        return 0;
    }
}

/* The two threads that stand before their accesses when the steps have been made, or the step
 * that is the first one's. */
static int read_race(struct reader *r)
{
    char *step;
    uint64_t number;
    for (int i = 0; i < 2; i++) {
        char *word;
        int got = next_word(r, &word);
        if (got <= 0)
            return got < 0 ? -1 : hd_words_fail(&r->words, "a race is of two threads");
        int thread = find_thread(r, word);
        if (thread < 0)
            return -1;
        r->trace->race[i] = (uint32_t)thread;
    }
    r->trace->leads_to = HD_LEADS_TO_RACE;
    int got = next_word(r, &step);
    if (got <= 0)
        return got;
    if (!hd_name_number(step, HD_MAX_STEPS, &number) || number == 0)
        return hd_words_fail(&r->words, "the step of a race is a number from 1 on");
    r->trace->leads_to = HD_LEADS_TO_UNORDERED;
    r->trace->race[0] = (uint32_t)number;
    return hd_words_no_more(&r->words);
}

/* One of the threads that wait for each other when the steps have been made. */
static int read_stuck(struct reader *r)
{
    char *word;
    int got = next_word(r, &word);
    if (got <= 0)
        return got < 0 ? -1 : hd_words_fail(&r->words, "the thread that is stuck is missing");
    int thread = find_thread(r, word);
    if (thread < 0)
        return -1;
    r->trace->race[0] = (uint32_t)thread;
    r->trace->leads_to = HD_LEADS_TO_PARTIAL;
    return hd_words_no_more(&r->words);
}

/* How many of the steps lead back to the state in which they begin. */
static int read_cycle(struct reader *r)
{
    char *word;
    uint64_t steps;
    int got = next_word(r, &word);
    if (got <= 0)
        return got < 0 ? -1
                       : hd_words_fail(&r->words, "the number of steps of the cycle is missing");
    if (!hd_name_number(word, HD_MAX_STEPS - 1, &steps) || steps == 0)
        return hd_words_fail(&r->words, "cycle %.60s: not a number from 1 to %u", word,
                             HD_MAX_STEPS - 1);
    r->trace->race[0] = (uint32_t)steps;
    r->trace->leads_to = HD_LEADS_TO_CYCLE;
    return hd_words_no_more(&r->words);
}

static int read_violation(struct reader *r)
{
    char *kind, *message;
    int got = next_word(r, &kind);
    if (got <= 0)
        return got < 0 ? -1 : hd_words_fail(&r->words, "the kind of the violation is missing");
    r->trace->kind = hd_kind_by_text(kind);
    if (r->trace->kind == HD_KIND_NONE)
        return hd_words_fail(&r->words, "unknown kind of violation '%.60s'", kind);
    got = next_word(r, &message);
    if (got == 1)
        r->trace->message = hd_strdup(message);
    return got < 0 ? -1 : hd_words_no_more(&r->words);
}

static int read_head_line(struct reader *r, const char *word)
{
    unsigned which = 0;
    while (which < N_WORDS && strcmp(head_words[which], word) != 0)
        which++;
    if (which == N_WORDS) {
        struct hd_nearest nearest;
        hd_nearest_init(&nearest, word);
        for (unsigned i = 0; i < N_WORDS; i++)
            hd_nearest_try(&nearest, head_words[i]);
        return hd_words_fail(&r->words, "unknown word '%.60s' in the head%s%s%s", word,
                             nearest.best ? " (nearest: " : "", nearest.best ? nearest.best : "",
                             nearest.best ? ")" : "");
    }
    if (which < N_ONCE && r->seen & 1u << which)
        return hd_words_fail(&r->words, "%s is there twice", word);
    r->seen |= 1u << which;
    if (which == THREADS)
        return read_threads(r);
    if (which == VIOLATION)
        return read_violation(r);
    if (which == RACE)
        return read_race(r);
    if (which == STUCK)
        return read_stuck(r);
    if (which == CYCLE)
        return read_cycle(r);
    char *text;
    int got = next_word(r, &text);
    if (got <= 0)
        return got < 0 ? -1 : hd_words_fail(&r->words, "%s: the line ends too early", word);
    return read_text(r, (enum word)which, text) != 0 ? -1 : hd_words_no_more(&r->words);
}

/* 1 with the first word of the next line that has one, 0 at the end of the text. */
static int next_first_word(struct reader *r, char **word)
{
    int got;
    while ((got = hd_words_line(&r->words)) == 1)
        if ((got = next_word(r, word)) != 0)
            return got;
    return got;
}

static int read_version(struct reader *r)
{
    char *word;
    uint64_t version;
    int got = next_word(r, &word);
    if (got <= 0)
        return got < 0 ? -1
                       : hd_words_fail(&r->words, "the version of the trace format is missing");
    if (!hd_name_number(word, UINT32_MAX, &version) || version != HD_TRACE_VERSION)
        return hd_words_fail(&r->words,
                             "trace format version %.20s: this heddle reads version %d", word,
                             HD_TRACE_VERSION);
    return hd_words_no_more(&r->words);
}

static int read_head(struct reader *r)
{
    char *word;
    int got = 1;
    while (!(r->seen & 1u << STEPS) && (got = next_first_word(r, &word)) == 1)
        if (read_head_line(r, word) != 0)
            return -1;
    if (got < 0)
        return -1;
    static const enum word needed[] = { PROGRAM, BUILD, THREADS, STEPS };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(r->seen & 1u << needed[i]))
            return hd_words_fail(&r->words, "%s: the head has no `%s` line",
                                 got == 0 ? "truncated" : "not a whole trace",
                                 head_words[needed[i]]);
    return 0;
}

static int read_end(struct reader *r)
{
    char *word;
    uint64_t n;
    int got = next_word(r, &word);
    if (got < 0)
        return -1;
    if (got == 0 || !hd_name_number(word, UINT32_MAX, &n) || n != r->trace->n_steps)
        return hd_words_fail(
            &r->words,
            "`end` does not say %u, the number of steps before it: steps are missing or "
            "the file is damaged",
            r->trace->n_steps);
    if (hd_words_no_more(&r->words) != 0)
        return -1;
    got = next_first_word(r, &word);
    return got == 1 ? hd_words_fail(&r->words, "trailing garbage after `end`: '%.60s'", word)
                    : got;
}

static int read_whole(struct reader *r)
{
    if (read_version(r) != 0 || read_head(r) != 0)
        return -1;
    char *word;
    int got;
    while ((got = next_first_word(r, &word)) == 1) {
        if (strcmp(word, "end") == 0)
            return read_end(r);
        if (read_step(r, word) != 0)
            return -1;
    }
    return got < 0 ? -1
                   : hd_words_fail(&r->words, "truncated: there is no `end` line after step %u",
                                   r->trace->n_steps);
}

/* SCALE's format: threads, separated by white space, and nothing else. */
static int read_bare(struct reader *r, char *word)
{
    struct hd_trace *t = r->trace;
    int got = 1;
    t->bare = true;
    t->numbered = is_number(word);
    if (!t->numbered && hd_name_find_thread(&t->threads, word, true) == -2)
        return hd_words_fail(
            &r->words, "not a trace: it begins neither with `heddle-trace %d` nor with a thread",
            HD_TRACE_VERSION);
    while (got == 1) {
        struct hd_trace_step *step = add_step(r);
        uint64_t number;
        if (!step)
            return -1;
        if (is_number(word) != t->numbered)
            return hd_words_fail(
                &r->words, "'%.60s': threads are all given by number, or all by name", word);
        if (t->numbered) {
            if (!hd_name_number(word, HD_MAX_THREADS - 1, &number))
                return hd_words_fail(&r->words, "thread %.20s: not a number from 0 to %d", word,
                                     HD_MAX_THREADS - 1);
            step->step.thread = (uint32_t)number;
        } else {
            int thread = hd_name_find_thread(&t->threads, word, true);
            if (thread < 0)
                return hd_words_fail(
                    &r->words, thread == -2 ? "'%.60s' is no thread" : "%.60s: too many threads",
                    word);
            step->step.thread = (uint32_t)thread;
        }
        got = next_word(r, &word);
        if (got == 0)
            got = next_first_word(r, &word);
    }
    return got;
}

int hd_trace_parse(struct hd_trace *trace, const char *name, const char *bytes, size_t n,
                   struct hd_err *err)
{
    *trace = (struct hd_trace){ .threads.n = 1 };
    hd_trace_head_init(&trace->head);
    trace->text = hd_alloc(n + 1);
    memcpy(trace->text, bytes, n);
    struct reader r = { .words = { .name = name, .err = err }, .trace = trace };
    r.words.next = trace->text;
    r.words.end = trace->text + n;
    char *word;
    int got = next_first_word(&r, &word);
    if (got == 0) {
        r.words.line = r.words.line ? r.words.line : 1;
        got = hd_words_fail(&r.words, "the file has no steps");
    } else if (got == 1) {
        got = strcmp(word, "heddle-trace") == 0 ? read_whole(&r) : read_bare(&r, word);
    }
    if (got != 0)
        hd_trace_release(trace);
    return got;
}
