#include "cli/check_help.h"

#include <string.h>

#define MOST 24

struct group {
    const char *title;
    const char *names[MOST];
};

static const struct group often = {
    "The options that are used most",
    { "keep-going", "time", "jobs", "memory", "races", "faults", "html", "json",
      "require-verified", "verbose" },
};

static const struct group groups[] = {
    { "What counts as a violation",
      { "races", "suppressions", "leaks", "livelocks", "invariant", "properties", "target",
        "expect-exit", "hang" } },
    { "What the world may do",
      { "memory", "faults", "reuse", "spurious", "no-timeouts", "nondet", "input", "input-length",
        "polls", "threads", "files" } },
    { "How long, and how much",
      { "keep-going", "time", "executions", "depth", "preemptions", "jobs", "checkpoint",
        "checkpoint-every", "resume", "trust" } },
    { "How to search",
      { "strategy", "search", "reduce", "finer", "state-cache", "state-memory", "exact-states",
        "bitstate", "symmetric", "count-like-scale", "allow-unsound", "via", "heuristic", "queue",
        "trials" } },
    { "Several machines", { "unit", "distributed", "ledger", "group" } },
    { "C files", { "cc-flags", "analysis" } },
    { "What to print, and where",
      { "quiet", "verbose", "no-minimise", "no-earlier", "trace-dir", "html", "json", "sarif",
        "junit", "github", "vim", "emacs", "require-verified", "help" } },
};

#define N_GROUPS (sizeof groups / sizeof *groups)

static void print_group(FILE *out, const struct group *group, const struct hd_arg *table,
                        size_t n)
{
    fprintf(out, "%s:\n", group->title);
    for (size_t i = 0; i < MOST && group->names[i]; i++)
        hd_args_help_one(out, table, n, group->names[i]);
    fputc('\n', out);
}

static bool is_grouped(const char *name)
{
    for (size_t g = 0; g < N_GROUPS; g++)
        for (size_t i = 0; i < MOST && groups[g].names[i]; i++)
            if (strcmp(groups[g].names[i], name) == 0)
                return true;
    return false;
}

static void print_rest(FILE *out, const struct hd_arg *table, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!table[i].help || is_grouped(table[i].name))
            continue;
        if (!any)
            fputs("Others:\n", out);
        any = true;
        hd_args_help(out, &table[i], 1);
    }
    if (any)
        fputc('\n', out);
}

void hd_check_help_table(FILE *out, const struct hd_arg *table, size_t n, bool all)
{
    fputs(
        "usage: heddle check [options] FILE.c… | PROGRAM [-- args]\n\n"
        "Explores the interleavings of a threaded program: shows a run that breaks it, or says\n"
        "that there is none.  C files are compiled on the fly, with the compiler's own options\n"
        "-D -I -l -L -O -std= -f -W -w; PROGRAM was built by `heddle cc`.\n\n",
        out);
    if (!all)
        print_group(out, &often, table, n);
    for (size_t g = 0; all && g < N_GROUPS; g++)
        print_group(out, &groups[g], table, n);
    if (all)
        print_rest(out, table, n);
    else
        fputs("All options, by task: heddle check --help all\n\n", out);
    fputs("Exit status: 0 no violation, 1 violation, 2 usage or input error, 3 not verified\n"
          "(with --require-verified), 4 internal error; 130 and 143 interrupted (SIGINT, "
          "SIGTERM).\n",
          out);
}
