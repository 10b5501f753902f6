/* Command lines: long options `--name VALUE` or `--name=VALUE`, a few letters, words in
 * between, `--` before words for another program.  A command has one table of its options, from
 * which they are parsed and its help is printed. */
#ifndef HD_CLI_ARGS_H
#define HD_CLI_ARGS_H

#include "base/err.h"
#include "base/str.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hd_arg {
    int id;            /* above 0 */
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what the help calls it; NULL: the option has no value */
    const char *help;  /* NULL: not in the help */
};

struct hd_args {
    const struct hd_arg *table;
    size_t n;
    int argc, at;
    char **argv;
    const struct hd_arg *found; /* the option that hd_args_next() came upon last */
    /* set by the caller: takes options of compilers; NULL: they are refused */
    struct hd_strs *compiler;
};

enum { HD_ARG_WORD = 0, HD_ARG_END = -1, HD_ARG_BAD = -2 };

/* For the help of a command that takes options of compilers. */
#define HD_ARGS_COMPILER "-D -U -I -L -l -O -std= -f -W -w -m -g need no --cc-flags"

/* argv[0] is the command's own name. */
void hd_args_init(struct hd_args *args, const struct hd_arg *table, size_t n, int argc,
                  char **argv);

/* The id of the next option, its value (borrowed from argv) in *value; HD_ARG_WORD with the
 * word in *value; HD_ARG_END after the last or at `--`; HD_ARG_BAD with err.  Words for the
 * compiler are added to args->compiler. */
int hd_args_next(struct hd_args *args, const char **value, struct hd_err *err);

/* What follows `--`: argv from there on, NULL-terminated. */
char **hd_args_rest(const struct hd_args *args);

void hd_args_help(FILE *out, const struct hd_arg *table, size_t n);

/* The help of the option of that name alone; false when there is none, or it has no help. */
bool hd_args_help_one(FILE *out, const struct hd_arg *table, size_t n, const char *name);

/* Is the next word `all`?  (After --help.) */
bool hd_args_all(const struct hd_args *args);

/* Values; `option` is named in the error. */
int hd_args_duration(const char *option, const char *text, double *seconds, struct hd_err *err);

/* Cuts a text into words as a shell does: white space, '…', "…", \c. */
int hd_args_split(const char *option, const char *text, struct hd_strs *words,
                  struct hd_err *err);

#endif
