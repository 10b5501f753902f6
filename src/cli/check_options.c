#include "cli/check_options.h"

#include "base/fs.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/check_help.h"
#include "cli/check_settle.h"
#include "cli/check_values.h"
#include "cli/input.h"
#include "core/shared_tree.h"
#include "strategy/strategy.h"
#include "strategy/targets.h"
#include "supervise/suppressions.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TRACE_DIR "heddle-traces"
#define DEFAULT_HANG_SECONDS 5.0

enum option {
    HELP = 1,
    STRATEGY,
    SEARCH,
    REDUCE,
    DEPTH,
    PREEMPTIONS,
    TIME,
    EXECUTIONS,
    CHECKPOINT,
    CHECKPOINT_EVERY,
    RESUME,
    TRUST,
    UNIT,
    DISTRIBUTED,
    LEDGER,
    GROUP,
    STATE_CACHE,
    STATE_MEMORY,
    EXACT_STATES,
    BITSTATE,
    SYMMETRIC,
    LIKE_SCALE,
    UNSOUND,
    FINER,
    INVARIANT,
    PROPERTIES,
    TARGET,
    VIA,
    HEURISTIC,
    QUEUE,
    TRIALS,
    KEEP_GOING,
    NO_MINIMISE,
    NO_EARLIER,
    EXPECT_EXIT,
    NO_TIMEOUTS,
    POLLS,
    SPURIOUS,
    THREADS,
    FAULTS,
    REUSE,
    NONDET,
    INPUT,
    INPUT_LENGTH,
    LEAKS,
    FILES,
    HANG,
    MEMORY,
    RACES,
    SUPPRESSIONS,
    LIVELOCKS,
    JOBS,
    JSON,
    SARIF,
    JUNIT,
    GITHUB,
    VIM,
    EMACS,
    HTML,
    TRACE_DIR,
    CC_FLAGS,
    ANALYSIS,
    REQUIRE_VERIFIED,
    QUIET,
    VERBOSE,
    NO_UNDO,
    PARANOID,
    DIGEST,
};

static const struct hd_arg table[] = {
    { STRATEGY, "strategy", 0, "PRESET",
      "your own strategy or checker (FILE.so or .lua[:ARG]),\n"
      "or a whole configuration: auto (default), optimal, graph,\n"
      "rf, source, inspect, dpor:plain, jpf, jpf:states, stateful,\n"
      "hybrid, hybrid:hr, dpor-stateful, hr, hr-fields,\n"
      "scale, scale:nsb, chess:K, chess-states:K,\n"
      "chess-sync:K, brute, random[:SEED], pct[:D[:SEED]],\n"
      "pos[:SEED], swarm[:SEED], hgs[:SEED],\n"
      "hgs-jpf[:SEED], meta[:SEED], slice-n-dice[:SEED]" },
    { SEARCH, "search", 0, "S",
      "dfs, dfs:SEED (seeded order), random[:SEED],\n"
      "pct[:D[:SEED]], pos[:SEED], best-first[:SEED],\n"
      "greedy[:SEED], graph" },
    { REDUCE, "reduce", 0, "F,F",
      "none, optimal, source, dpor, dpor:plain, shared,\n"
      "sync-only, sleep, not-seen, not-seen:hash, states,\n"
      "eager, local-cycle, hybrid, hybrid:hr, dpor-stateful,\n"
      "hr, hr-fields, super-step, super-step:thesis,\n"
      "like-scale, depth:N, preemptions:K, delays:K, traces" },
    { DEPTH, "depth", 0, "N", "cut executions after N steps" },
    { PREEMPTIONS, "preemptions", 0, "K", "at most K preemptions in an execution" },
    { TIME, "time", 0, "DUR", "stop after 500ms, 10s, 5m, 1h" },
    { EXECUTIONS, "executions", 0, "N", "stop after N complete executions" },
    { CHECKPOINT, "checkpoint", 0, "FILE",
      "keep the exploration in FILE, every minute and when it\n"
      "is interrupted" },
    { CHECKPOINT_EVERY, "checkpoint-every", 0, "DUR", "how often it is kept" },
    { RESUME, "resume", 0, "FILE", "go on with what was kept there" },
    { TRUST, "trust", 0, NULL,
      "use a checkpoint, unit or result that is not signed by\n"
      "this user, too" },
    { UNIT, "unit", 0, "FILE",
      "explore this work unit of `heddle split`, and write its\n"
      "result beside it" },
    { DISTRIBUTED, "distributed", 0, NULL,
      "one search on all ranks of mpirun; the same command\n"
      "goes on with what is left of an earlier one" },
    { LEDGER, "ledger", 0, "DIR", "where that is kept (default heddle-units)" },
    { GROUP, "group", 0, "N", "ranks of it with one leader (default 64)" },
    { JOBS, "jobs", 'j', "N", "N workers at a time; the result is that of one" },
    { STATE_CACHE, "state-cache", 0, "N", "not-seen and states remember at most N states" },
    { STATE_MEMORY, "state-memory", 0, "BYTES",
      "states remembers as many as fit into so much (512M, 2G)" },
    { EXACT_STATES, "exact-states", 0, NULL,
      "states keeps the states themselves: more memory, and\n"
      "no two can be mistaken for one" },
    { BITSTATE, "bitstate", 0, NULL, "states keeps four bits of each; never `verified'" },
    { SYMMETRIC, "symmetric", 0, NULL,
      "states and graph do not tell threads apart that run the\n"
      "same function with the same argument, unless the program\n"
      "can" },
    { LIKE_SCALE, "count-like-scale", 0, NULL,
      "count as the SCALE thesis does: starts and exits of\n"
      "threads and accesses of stacks are no steps; a run is\n"
      "an execution or a pruned one" },
    { UNSOUND, "allow-unsound", 0, NULL,
      "combine reductions that are not known to be right\n"
      "together, to compare them; never `verified'" },
    { FINER, "finer", 0, "F,F",
      "rmw: atomic read-modify-writes of one kind whose results\n"
      "nobody uses commute (fetch_add, fetch_or, …);\n"
      "observers: so do stores that nobody sees; locks: so do\n"
      "critical sections of a mutex with nothing in common" },
    { INVARIANT, "invariant", 0, "FN",
      "int FN(void) of the program must be true in every\n"
      "state (may be repeated)" },
    { PROPERTIES, "properties", 0, "FILE", "names of such functions, one on a line" },
    { TARGET, "target", 0, "LOC,LOC",
      "a violation is a state in which threads stand at these\n"
      "places, each at another: FILE:LINE or a function" },
    { VIA, "via", 0, "LOC,LOC",
      "meta: places to be passed on the way, in this order;\n"
      "or @FILE, one on a line" },
    { HEURISTIC, "heuristic", 0, "H",
      "hgs and meta: distance (default; to the targets),\n"
      "interleaving, blocked, random, prefer:N,N (main's\n"
      "threads), depth (breadth first)" },
    { QUEUE, "queue", 0, "N", "hgs and meta: states that may wait (default 100000)" },
    { TRIALS, "trials", 0, "N",
      "N explorations with the seeds 1 to N, -j of them at a\n"
      "time: how many find something, and after how many\n"
      "states" },
    { KEEP_GOING, "keep-going", 0, NULL, "explore everything, collect all distinct violations" },
    { NO_MINIMISE, "no-minimise", 0, NULL,
      "show the run as it was found: do not look for a\n"
      "smaller one, nor for the orderings that decide" },
    { NO_EARLIER, "no-earlier", 0, NULL, "do not try the traces of earlier checks first" },
    { EXPECT_EXIT, "expect-exit", 0, "N", "the exit status that is no violation (default 0)" },
    { NO_TIMEOUTS, "no-timeouts", 0, NULL, "timed waits last until they are granted" },
    { POLLS, "polls", 0, "N",
      "loops that let time pass (timed waits, sleeping,\n"
      "yielding) and find nothing new: N turns in a row\n"
      "(default 16; 0: any number)" },
    { SPURIOUS, "spurious", 0, "N",
      "waits on condition variables may end without a signal,\n"
      "at most N times in each thread" },
    { THREADS, "threads", 0, "N",
      "threads that are made without end: the Nth in a row,\n"
      "from main on, is the last (default 256)" },
    { FAULTS, "faults", 0, "K,K[:N]",
      "calls may fail: malloc (and its family), create (of\n"
      "threads), io (read and write: EINTR, EIO, half of it;\n"
      "open and fopen: EINTR, EMFILE, ENOENT), cas (weak\n"
      "compare-exchanges, although the value is as expected);\n"
      "at most N (1) in an execution" },
    { REUSE, "reuse", 0, "off|auto|all",
      "addresses of freed blocks may come back from malloc:\n"
      "never soon, where the program can tell (default), in\n"
      "every allocation" },
    { NONDET, "nondet", 0, "LO..HI", "the values that __VERIFIER_nondet_*() can have" },
    { INPUT, "input", 0, "nondet:BYTES",
      "all sequences of these bytes (\\n, \\xHH: escapes) are\n"
      "tried as standard input, and as arguments @@" },
    { INPUT_LENGTH, "input-length", 0, "N", "with --input: at most N bytes (default 3)" },
    { FILES, "files", 0, "on|off",
      "what the program writes to files stays in a view of\n"
      "its own and is put back between executions (default),\n"
      "or goes to the real files" },
    { LEAKS, "leaks", 0, NULL,
      "memory that nothing points to when the program ends\n"
      "is a violation" },
    { HANG, "hang", 0, "DUR",
      "processor time without a visible action after which\n"
      "the program counts as stuck (default 5)" },
    { MEMORY, "memory", 0, "auto|sc|tso|rc11",
      "the memory model: C11's where atomics weaker than\n"
      "seq_cst are executed (default), as if all of them\n"
      "were seq_cst, all accesses as x86 makes them, or\n"
      "C11's from the beginning" },
    { RACES, "races", 0, "error|warn|off",
      "data races are violations (default), are warnings,\n"
      "or are not looked for; --memory tso allows them;\n"
      "volatile-ok: volatile accesses count as atomic" },
    { SUPPRESSIONS, "suppressions", 0, "FILE",
      "races that are not reported, and volatile accesses that\n"
      "count as atomic: a rule on each line, race:FILE,\n"
      "race:function:NAME, race:variable:NAME, or\n"
      "volatile-ok:file:FILE and so on, with * and ?" },
    { LIVELOCKS, "livelocks", 0, "error|off",
      "cycles of states in which every thread moves are\n"
      "violations (default; a search over states sees them),\n"
      "are not looked for" },
    { JSON, "json", 0, "FILE", "write the result as JSON; - is standard output" },
    { SARIF, "sarif", 0, "FILE", "the same as SARIF 2.1.0, with the run as thread flows" },
    { JUNIT, "junit", 0, "FILE", "the same as JUnit XML, a test case per check" },
    { HTML, "html", 0, "FILE",
      "write a report for the browser: a timeline to step\n"
      "through, the source beside it" },
    { GITHUB, "github", 0, NULL, "print annotations as GitHub's workflows read them" },
    { VIM, "vim", 0, NULL,
      "print the violations and their steps as places, which\n"
      "editors step through (FILE:LINE: error: …), and nothing\n"
      "else" },
    { EMACS, "emacs", 0, NULL, "the same" },
    { TRACE_DIR, "trace-dir", 0, "DIR", "where traces go (default " DEFAULT_TRACE_DIR ")" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS",
      "more options for the compiler; -D, -U, -I, -L, -l, -O,\n"
      "-std=, -f, -g, -m, -W, -w, -pthread and -include can be given\n"
      "as they are" },
    { ANALYSIS, "analysis", 0, "HOW",
      "of C files: off, fast (default), full (takes its time with\n"
      "large programs), or all (every access is a step)" },
    { REQUIRE_VERIFIED, "require-verified", 0, NULL,
      "exit status 3 unless the result is `verified`" },
    { QUIET, "quiet", 'q', NULL,
      "violations in a few lines each, and the verdict; no live line" },
    { VERBOSE, "verbose", 'v', NULL, "whole interleavings, nothing folded" },
    { HELP, "help", 'h', NULL, "the options that are used most; --help all: all of them" },
    { NO_UNDO, "no-undo", 0, NULL, NULL },
    { PARANOID, "paranoid", 0, NULL, NULL },
    { DIGEST, "digest", 0, NULL, NULL },
};

#define N_TABLE (sizeof table / sizeof *table)

void hd_check_help(FILE *out, bool all) { hd_check_help_table(out, table, N_TABLE, all); }

static int read_properties(struct hd_strs *names, const char *path, struct hd_err *err)
{
    struct hd_str text;
    hd_str_init(&text);
    int failed = hd_fs_read(path, &text, err);
    char *rest = text.text, *line;
    for (unsigned number = 1; !failed && (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "#\r")] = 0;
        char *name = line + strspn(line, " \t");
        size_t length = strcspn(name, " \t");
        if (name[length + strspn(name + length, " \t")] != 0)
            failed = hd_err_set(err, "%s:%u: one name on a line, please", path, number);
        name[length] = 0;
        if (!failed && *name)
            hd_strs_add(names, name);
    }
    hd_str_release(&text);
    return failed;
}

static int set_small(const char *option, const char *value, uint64_t least, uint64_t most,
                     uint32_t *number, struct hd_err *err)
{
    uint64_t n = 0;
    int failed = hd_number_parse(option, value, least, most, &n, err);
    *number = (uint32_t)n;
    return failed;
}

/* Numbers that go into the explorer's options. */
static int set_number(struct hd_check *check, int id, const char *value, struct hd_err *err)
{
    struct hd_options *o = &check->options;
    switch (id) {
    case DEPTH:
        o->filters |= HD_FILTER_DEPTH;
        return set_small("--depth", value, 1, HD_MAX_STEPS - 1, &o->depth, err);
    case PREEMPTIONS:
        o->filters |= HD_FILTER_PREEMPTIONS;
        return set_small("--preemptions", value, 0, 1000000, &o->preemptions, err);
    case EXECUTIONS:
        return hd_number_parse("--executions", value, 1, UINT64_MAX, &o->max_executions, err);
    case QUEUE:
        return set_small("--queue", value, 1, 100000000, &o->queue, err);
    case TRIALS:
        return set_small("--trials", value, 1, 1000000, &check->trials, err);
    case STATE_CACHE:
        return set_small("--state-cache", value, 1, UINT32_MAX, &o->state_cache, err);
    case STATE_MEMORY:
        return hd_bytes_parse("--state-memory", value, 4096, 1ull << 40, &o->state_memory, err);
    case EXPECT_EXIT:
        return set_small("--expect-exit", value, 0, 255, (uint32_t *)&o->expect_exit, err);
    case POLLS:
        return set_small("--polls", value, 0, 1000000, &o->polls, err);
    case INPUT_LENGTH:
        return set_small("--input-length", value, 1, HD_MAX_INPUT_LENGTH, &o->input.most, err);
    case SPURIOUS:
        return set_small("--spurious", value, 0, HD_MAX_SPURIOUS, &o->spurious, err);
    case GROUP:
        return set_small("--group", value, 2, 1000000, &check->group, err);
    case THREADS:
        return set_small("--threads", value, 1, HD_MAX_THREADS, &o->threads, err);
    default:
        return set_small("-j", value, 1, HD_MAX_JOBS, &o->jobs, err);
    }
}

/* Options that name a file.  Anything else is one to check. */
static int set_file(struct hd_check *check, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case CHECKPOINT:
        check->checkpoint = value;
        return 0;
    case RESUME:
        check->resume = value;
        return 0;
    case LEDGER:
        check->ledger = value;
        return 0;
    case UNIT:
        if (check->work != HD_CHECK_ALL)
            return hd_err_set(err, "--unit FILE is given once, and to `heddle check`");
        check->work = HD_CHECK_UNIT;
        check->units = value;
        return 0;
    case JSON:
        check->json = value;
        return 0;
    case SARIF:
        check->sarif = value;
        return 0;
    case JUNIT:
        check->junit = value;
        return 0;
    case HTML:
        check->html = value;
        return 0;
    case TRACE_DIR:
        check->trace_dir = value;
        check->trace_dir_given = true;
        return *value ? 0 : hd_err_set(err, "--trace-dir needs the name of a directory");
    default:
        hd_strs_add(&check->files, value); /* HD_ARG_WORD */
        return 0;
    }
}

static int set_text(struct hd_check *check, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case TIME:
        return hd_args_duration("--time", value, &check->seconds, err);
    case CHECKPOINT_EVERY:
        return hd_args_duration("--checkpoint-every", value, &check->checkpoint_seconds, err);
    case TRUST:
        check->trust = true;
        return 0;
    case UNSOUND:
        check->unsound = true;
        return 0;
    case HANG:
        return hd_args_duration("--hang", value, &check->hang_seconds, err);
    case INVARIANT:
        return (hd_strs_add(&check->invariants, value), 0);
    case TARGET:
        return (hd_targets_split(&check->targets, value), 0);
    case VIA:
        return *value == '@' ? read_properties(&check->via, value + 1, err)
                             : (hd_targets_split(&check->via, value), 0);
    case FINER:
        return hd_strategy_finer(&check->options, value, err);
    case HEURISTIC:
        return hd_strategy_heuristic(&check->options, value, err);
    case PROPERTIES:
        return read_properties(&check->invariants, value, err);
    case RACES:
        return hd_value_races(&check->options, value, err);
    case SUPPRESSIONS:
        if (check->suppressions)
            return hd_err_set(err, "--suppressions is given twice: put all rules into one file");
        check->suppressions = value;
        return hd_suppressions_read(&check->options.suppressions, value, err);
    case LIVELOCKS:
        return hd_value_livelocks(&check->options, value, err);
    case NONDET:
        return hd_value_nondet(&check->options, value, err);
    case INPUT:
        return hd_value_input(&check->options, value, err);
    case FAULTS:
        return hd_value_faults(&check->options, value, err);
    case REUSE:
        return hd_value_reuse(&check->options, value, err);
    case FILES:
        return hd_value_files(&check->options, value, err);
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &check->cc_flags, err);
    case ANALYSIS:
        return (hd_strs_addf(&check->cc_flags, "--analysis=%s", value), 0);
    default:
        return set_file(check, id, value, err);
    }
}

static bool set_switch(struct hd_check *check, int id)
{
    switch (id) {
    case KEEP_GOING:
        check->options.keep_going = 1;
        return true;
    case NO_TIMEOUTS:
        check->options.no_timeouts = 1;
        return true;
    case LEAKS:
        check->options.leaks = 1;
        return true;
    case LIKE_SCALE:
        check->options.filters |= HD_FILTER_LIKE_SCALE;
        return true;
    case EXACT_STATES:
        check->options.state_store |= HD_STORE_EXACT;
        return true;
    case BITSTATE:
        check->options.state_store |= HD_STORE_BITS;
        return true;
    case SYMMETRIC:
        check->options.symmetric = HD_SYMMETRIC_ASKED;
        return true;
    case REQUIRE_VERIFIED:
        check->require_verified = true;
        return true;
    case NO_MINIMISE:
        check->no_minimise = true;
        return true;
    case NO_EARLIER:
        check->no_earlier = true;
        return true;
    case GITHUB:
        check->github = true;
        return true;
    case VIM:
    case EMACS:
        check->places = true;
        return true;
    case DISTRIBUTED:
        check->distributed = true;
        return true;
    case QUIET:
        check->quiet = true;
        return true;
    case VERBOSE:
        check->verbose = true;
        return true;
    case NO_UNDO:
        check->options.no_undo = 1;
        return true;
    case PARANOID:
        check->options.paranoid = 1;
        return true;
    case DIGEST:
        check->options.digest = 1;
        return true;
    default:
        return false;
    }
}

static bool is_number(int id)
{
    return id == DEPTH || id == PREEMPTIONS || id == EXECUTIONS || id == STATE_CACHE ||
           id == STATE_MEMORY || id == EXPECT_EXIT || id == QUEUE || id == TRIALS ||
           id == POLLS || id == SPURIOUS || id == THREADS || id == GROUP || id == INPUT_LENGTH ||
           id == JOBS;
}

static int set_one(struct hd_check *check, struct hd_check_how *how, int id, const char *value,
                   struct hd_err *err)
{
    switch (id) {
    case STRATEGY:
        how->preset = value;
        return 0;
    case MEMORY:
        how->memory = value;
        return 0;
    case SEARCH:
        how->search = value;
        return 0;
    case REDUCE:
        how->reduce = value;
        return 0;
    default:
        break;
    }
    if (is_number(id))
        return set_number(check, id, value, err);
    return set_switch(check, id) ? 0 : set_text(check, id, value, err);
}

static void name_files(struct hd_check *check)
{
    struct hd_str name;
    hd_str_init(&name);
    for (size_t i = 0; i < check->files.n; i++)
        hd_str_appendf(&name, "%s%s", i ? " " : "", check->files.items[i]);
    check->name = hd_str_detach(&name);
}

int hd_check_init(struct hd_check *check, int argc, char **argv, struct hd_err *err)
{
    return hd_check_init_for(check, HD_CHECK_ALL, argc, argv, err);
}

/* Of `heddle merge` the first word is no program. */
static void take_directory(struct hd_check *check)
{
    if (check->work != HD_CHECK_MERGE || check->files.n == 0)
        return;
    free(check->directory);
    check->units = check->directory = check->files.items[0];
    check->files.n--;
    memmove(check->files.items, check->files.items + 1,
            (check->files.n + 1) * sizeof *check->files.items);
}

int hd_check_init_for(struct hd_check *check, enum hd_check_work work, int argc, char **argv,
                      struct hd_err *err)
{
    struct hd_args args;
    struct hd_check_how how = { 0 };
    const char *value = NULL;
    int id;
    *check = (struct hd_check){ .work = work,
                                .hang_seconds = DEFAULT_HANG_SECONDS,
                                .trace_dir = DEFAULT_TRACE_DIR };
    hd_strs_init(&check->files);
    hd_strs_init(&check->cc_flags);
    hd_strs_init(&check->invariants);
    hd_strs_init(&check->targets);
    hd_strs_init(&check->via);
    hd_input_defaults(&check->options);
    check->options.races = HD_RACES_ERROR;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &check->cc_flags;
    while ((id = hd_args_next(&args, &value, err)) >= 0) {
        if (id == HELP)
            return hd_args_all(&args) ? HD_CHECK_HELP_ALL : HD_CHECK_HELP;
        if (set_one(check, &how, id, value, err) != 0)
            return -1;
    }
    if (id == HD_ARG_BAD)
        return -1;
    check->args = hd_args_rest(&args);
    take_directory(check);
    name_files(check);
    return hd_check_settle(check, &how, err);
}

void hd_check_release(struct hd_check *check)
{
    hd_strs_release(&check->files);
    hd_strs_release(&check->cc_flags);
    hd_strs_release(&check->invariants);
    hd_strs_release(&check->targets);
    hd_strs_release(&check->via);
    free(check->directory);
    free(check->name);
    free(check->strategy);
}
