/* heddle: which command? */
#include "base/err.h"
#include "base/nearest.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/outputs.h"
#include "compile/version.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int cmd_cc(int argc, char **argv) { return hd_cmd_cc(argc, argv, false); }
static int cmd_cxx(int argc, char **argv) { return hd_cmd_cc(argc, argv, true); }

static const struct command {
    const char *name;
    int (*run)(int, char **);
    const char *usage, *summary;
    const char *task; /* of this command and those behind it; NULL: as before */
} commands[] = {
    { "check", hd_cmd_check, "[options] FILE.c… | PROGRAM [-- args]",
      "explore every interleaving; show one that breaks the program", "Check a program" },
    { "lin", hd_cmd_lin, "[options] FILE.c… | PROGRAM",
      "are the operations of a data structure linearizable?", NULL },
    { "orders", hd_cmd_orders, "[--patch] PROGRAM | FILE.c…",
      "the weakest memory orders that still verify, or the smallest repair", NULL },
    { "confirm", hd_cmd_confirm, "PROGRAM | FILE.c… [WARNINGS]",
      "warnings of other tools: a run that proves each, or why there is none", NULL },
    { "compare", hd_cmd_compare, "PROGRAM | FILE.c…", "strategies side by side", NULL },
    { "replay", hd_cmd_replay, "[--gdb] [--until N] [PROGRAM | FILE.c…] TRACE",
      "run a trace again", "Understand what was found" },
    { "report", hd_cmd_report, "TRACE… [-o FILE.html]", "traces as one HTML file", NULL },
    { "slice", hd_cmd_slice, "PROGRAM | FILE.c… FILE:LINE", "what may influence a place", NULL },
    { "init", hd_cmd_init, "[DIRECTORY]", "a sample test, and files for CMake and CI",
      "Begin, and build" },
    { "doctor", hd_cmd_doctor, "", "what is missing for heddle to work", NULL },
    { "cc", cmd_cc, "[clang options] …", "compile and link a C program for heddle", NULL },
    { "c++", cmd_cxx, "[clang options] …", "the same for C++", NULL },
    { "split", hd_cmd_split, "[options] -n N -o DIR PROGRAM | FILE.c…",
      "cut the search into work units, for other machines", "Several machines" },
    { "merge", hd_cmd_merge, "[options] DIR PROGRAM | FILE.c…",
      "add up the results of work units", NULL },
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *out)
{
    fputs("heddle - a model checker for threaded C programs\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const struct command *c = &commands[i];
        if (c->task)
            fprintf(out, "\n%s:\n", c->task);
        fprintf(out, "  heddle %-7s%s%s\n%17s%s\n", c->name, *c->usage ? " " : "", c->usage, "",
                c->summary);
    }
    fputs("\nHelp:\n"
          "  heddle help COMMAND     a command's options\n"
          "  heddle help reason NAME why a result is not `verified`, and what to do\n"
          "  heddle --version\n",
          out);
}

static int unknown(const char *name)
{
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    for (size_t i = 0; i < N_COMMANDS; i++)
        hd_nearest_try(&nearest, commands[i].name);
    if (nearest.best)
        fprintf(stderr, "heddle: unknown command %s (did you mean %s?); see `heddle --help`\n",
                name, nearest.best);
    else
        fprintf(stderr, "heddle: unknown command %s; see `heddle --help`\n", name);
    return HD_EXIT_INPUT;
}

/* As a compiler, whose name may not hold a blank. */
static const char *own_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* heddle help COMMAND [all], which is heddle COMMAND --help [all]; or the other helps. */
static int help_of(int argc, char **argv)
{
    char option[] = "--help";
    char *words[] = { argv[1], option, argc > 2 ? argv[2] : NULL, NULL };
    for (size_t i = 0; i < N_COMMANDS && argc <= 3; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc, words);
    return hd_cmd_help(argc, argv);
}

static int run(int argc, char **argv)
{
    const char *name = argc > 0 ? own_name(argv[0]) : "";
    if (strcmp(name, "heddle-cc") == 0 || strcmp(name, "heddle-c++") == 0)
        return hd_cmd_cc(argc, argv, name[7] == 'c' && name[8] == '+');
    if (argc < 2) {
        print_help(stderr);
        return HD_EXIT_INPUT;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return help_of(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return HD_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("heddle %s (LLVM %s)\n", HD_VERSION, hd_llvm_version());
        return HD_EXIT_OK;
    }
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return unknown(argv[1]);
}

/* A descriptor from 0 to 2 that is closed would be given to the next file that is opened, which
 * then got what is printed, and which children that replace these three would lose.  Writing to
 * what takes their places fails, as it would there. */
static void fill_standard_descriptors(void)
{
    int fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= 2)
        fd = open("/dev/null", O_RDONLY);
    if (fd > 2)
        close(fd);
}

/* Passes over deep code need more than some limits leave.  False: the limit may not be raised
 * so far. */
static bool has_stack(void)
{
    enum { LEAST = 1 << 20, USUAL = 8 << 20 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= USUAL)
        return true;
    limit.rlim_cur = limit.rlim_max < USUAL ? limit.rlim_max : USUAL;
    setrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur >= LEAST)
        return true;
    fprintf(stderr,
            "heddle: the limit of the stack is %llu kB, too little to run: raise it (ulimit -s "
            "8192)\n",
            (unsigned long long)limit.rlim_cur / 1024);
    return false;
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    if (!has_stack())
        return HD_EXIT_INPUT;
    /* A reader that goes away, a file too large: errors of a call, to be told and cleaned
     * up. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int status = run(argc, argv);
    /* A violation that was found before stays one. */
    if (hd_input_interrupted && status != HD_EXIT_VIOLATION && status != HD_EXIT_INTERNAL)
        status = 128 + hd_input_interrupted;
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status == HD_EXIT_INPUT ||
        hd_outputs_reader_left())
        return status;
    fprintf(stderr, "heddle: cannot write to standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return HD_EXIT_INPUT;
}
