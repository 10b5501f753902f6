#include "cli/args.h"

#include "base/nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hd_args_init(struct hd_args *args, const struct hd_arg *table, size_t n, int argc,
                  char **argv)
{
    *args = (struct hd_args){ .table = table, .n = n, .argc = argc, .at = 1, .argv = argv };
}

static int unknown(const struct hd_args *args, const char *word, size_t length,
                   struct hd_err *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    for (size_t i = 0; i < args->n; i++)
        hd_nearest_try(&nearest, args->table[i].name);
    if (nearest.best)
        hd_err_set(err, "unknown option --%s (did you mean --%s?); see `heddle %s --help`", name,
                   nearest.best, args->argv[0]);
    else
        hd_err_set(err, "unknown option --%s; see `heddle %s --help`", name, args->argv[0]);
    return HD_ARG_BAD;
}

/* The value after an option without `=`. */
static int take_value(struct hd_args *args, const struct hd_arg *arg, const char **value,
                      struct hd_err *err)
{
    if (args->at >= args->argc) {
        hd_err_set(err, "--%s needs a value: --%s %s", arg->name, arg->name, arg->value);
        return HD_ARG_BAD;
    }
    *value = args->argv[args->at++];
    return arg->id;
}

static int long_option(struct hd_args *args, const char *word, const char **value,
                       struct hd_err *err)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < args->n; i++) {
        const struct hd_arg *arg = &args->table[i];
        if (strlen(arg->name) != length || strncmp(arg->name, word, length) != 0)
            continue;
        args->found = arg;
        if (word[length] == '=' && !arg->value) {
            hd_err_set(err, "--%s takes no value", arg->name);
            return HD_ARG_BAD;
        }
        if (word[length] == '=') {
            *value = word + length + 1;
            return arg->id;
        }
        return arg->value ? take_value(args, arg, value, err) : arg->id;
    }
    return unknown(args, word, length, err);
}

static int letter_option(struct hd_args *args, const char *word, const char **value,
                         struct hd_err *err)
{
    for (size_t i = 0; i < args->n; i++) {
        const struct hd_arg *arg = &args->table[i];
        if (arg->letter != word[0])
            continue;
        if (word[1] && !arg->value)
            break;
        args->found = arg;
        if (word[1]) {
            *value = word + 1;
            return arg->id;
        }
        return arg->value ? take_value(args, arg, value, err) : arg->id;
    }
    hd_err_set(err, "unknown option -%s; see `heddle %s --help`", word, args->argv[0]);
    return HD_ARG_BAD;
}

/* Is the word, behind its dash, an option of compilers that changes how C files are compiled or
 * linked?  *half: its value is the next word. */
static bool for_compiler(const char *word, bool *half)
{
    static const char *const whole[] = { "pthread", "w", "include", "isystem", "iquote" };
    *half = strchr("DUIlL", word[0]) && word[1] == 0;
    if (*half || strchr("DUIlLOfWg", word[0]) || hd_str_starts(word, "std=") ||
        hd_str_starts(word, "m"))
        return true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(word, whole[i]) == 0) {
            *half = i > 1;
            return true;
        }
    return false;
}

static bool at_end(const struct hd_args *args)
{
    return args->at >= args->argc || strcmp(args->argv[args->at], "--") == 0;
}

/* Words for the compiler that come next; -1 with err. */
static int take_for_compiler(struct hd_args *args, struct hd_err *err)
{
    bool half = false;
    while (args->compiler && !at_end(args)) {
        const char *word = args->argv[args->at];
        if (word[0] != '-' || word[1] == 0 || word[1] == '-' || !for_compiler(word + 1, &half))
            break;
        hd_strs_add(args->compiler, word);
        args->at++;
        if (half && at_end(args))
            return hd_err_set(err, "%s needs a value", word);
        if (half)
            hd_strs_add(args->compiler, args->argv[args->at++]);
    }
    return 0;
}

int hd_args_next(struct hd_args *args, const char **value, struct hd_err *err)
{
    if (take_for_compiler(args, err) != 0)
        return HD_ARG_BAD;
    if (at_end(args))
        return HD_ARG_END;
    const char *word = args->argv[args->at++];
    *value = word;
    if (word[0] != '-' || word[1] == 0)
        return HD_ARG_WORD;
    return word[1] == '-' ? long_option(args, word + 2, value, err)
                          : letter_option(args, word + 1, value, err);
}

char **hd_args_rest(const struct hd_args *args)
{
    return args->argv + (args->at < args->argc ? args->at + 1 : args->argc);
}

bool hd_args_all(const struct hd_args *args)
{
    return args->at < args->argc && strcmp(args->argv[args->at], "all") == 0;
}

bool hd_args_help_one(FILE *out, const struct hd_arg *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].help && strcmp(table[i].name, name) == 0) {
            hd_args_help(out, &table[i], 1);
            return true;
        }
    return false;
}

#define HELP_COLUMN 31 /* where the words about an option begin */
#define HELP_WIDTH 62  /* and how many characters of them stand in a line */

/* How much of the text the line takes: up to a line end, or the last blank that fits. */
static size_t fitting(const char *text)
{
    size_t length = strcspn(text, "\n"), at = HELP_WIDTH;
    if (length <= HELP_WIDTH)
        return length;
    while (at > 0 && text[at] != ' ')
        at--;
    return at ? at : length;
}

void hd_args_help(FILE *out, const struct hd_arg *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!table[i].help)
            continue;
        char *left = hd_str_format(
            "%s%c%s--%s%s%s", table[i].letter ? "-" : " ",
            table[i].letter ? table[i].letter : ' ', table[i].letter ? ", " : "  ", table[i].name,
            table[i].value ? " " : "", table[i].value ? table[i].value : "");
        /* The help's further lines are indented to stand under its first. */
        fprintf(out, "  %-28s ", left);
        for (const char *line = table[i].help; *line;) {
            size_t length = fitting(line);
            fprintf(out, "%.*s\n", (int)length, line);
            line += length + (line[length] != 0);
            fprintf(out, "%*s", *line ? HELP_COLUMN : 0, "");
        }
        free(left);
    }
}

int hd_args_duration(const char *option, const char *text, double *seconds, struct hd_err *err)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { { "ms", 1e-3 }, { "s", 1 }, { "", 1 }, { "m", 60 }, { "h", 3600 } };
    char *end = NULL;
    double value = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
    for (size_t i = 0; end && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0 && isfinite(value) && value > 0 &&
            value * units[i].seconds <= 1e9) {
            *seconds = value * units[i].seconds;
            return 0;
        }
    return hd_err_set(err, "%s %.60s: expected a time above 0 such as 500ms, 10s, 5m, 1h", option,
                      text);
}

int hd_args_split(const char *option, const char *text, struct hd_strs *words, struct hd_err *err)
{
    struct hd_str word;
    char quote = 0;
    bool open = false;
    hd_str_init(&word);
    for (const char *c = text;; c++) {
        if (*c == 0 || (!quote && isspace((unsigned char)*c))) {
            if (open)
                hd_strs_adopt(words, hd_str_detach(&word));
            open = false;
            if (*c == 0)
                break;
        } else if (quote ? *c == quote : *c == '\'' || *c == '"') {
            quote = quote ? 0 : *c;
            open = true;
        } else {
            if (*c == '\\' && quote != '\'' && c[1])
                c++;
            hd_str_append_char(&word, *c);
            open = true;
        }
    }
    hd_str_release(&word);
    return quote ? hd_err_set(err, "%s: a quote (%c) is not closed: %.60s", option, quote, text)
                 : 0;
}
