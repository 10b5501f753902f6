#include "cli/compare_columns.h"

#include "base/fs.h"
#include "cli/args.h"
#include "cli/check_options.h"
#include "strategy/targets.h"
#include "supervise/plugin.h"

#include <stdlib.h>
#include <string.h>

void hd_columns_init(struct hd_columns *columns) { *columns = (struct hd_columns){ 0 }; }

void hd_columns_release(struct hd_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        free(columns->items[i].name);
        hd_strs_release(&columns->items[i].words);
    }
    free(columns->items);
    hd_columns_init(columns);
}

static struct hd_column *add(struct hd_columns *columns, const char *name)
{
    columns->items = hd_realloc(columns->items, (columns->n + 1) * sizeof *columns->items);
    struct hd_column *column = &columns->items[columns->n++];
    column->name = hd_strdup(name);
    hd_strs_init(&column->words);
    return column;
}

void hd_columns_add_presets(struct hd_columns *columns, const char *list)
{
    struct hd_strs names;
    hd_strs_init(&names);
    hd_targets_split(&names, list);
    for (size_t i = 0; i < names.n; i++) {
        const char *name = names.items[i];
        /* The folder of a strategy from outside says nothing in a table. */
        struct hd_column *c = add(columns, hd_plugin_is(name) ? hd_fs_base(name) : name);
        hd_strs_add(&c->words, "--strategy");
        hd_strs_add(&c->words, name);
    }
    hd_strs_release(&names);
}

void hd_columns_add_chain(struct hd_columns *columns, const char *chain)
{
    struct hd_column *c = add(columns, chain);
    hd_strs_add(&c->words, "--reduce");
    hd_strs_add(&c->words, chain);
}

int hd_columns_add_options(struct hd_columns *columns, const char *text, struct hd_err *err)
{
    size_t named = *text == '-' ? 0 : strcspn(text, "= ");
    bool has_name = named && text[named] == '=';
    struct hd_column *c = add(columns, text);
    if (has_name)
        c->name[named] = 0;
    if (hd_args_split("--column", has_name ? text + named + 1 : text, &c->words, err) != 0)
        return -1;
    if (c->words.n == 0)
        return hd_err_set(err, "--column %s: give options of heddle check", text);
    for (size_t i = 0; i < c->words.n; i++)
        if (strcmp(c->words.items[i], "--") == 0)
            return hd_err_set(err,
                              "--column %.60s: arguments of the program follow a -- of the "
                              "command line",
                              text);
    return 0;
}

/* What makes no sense in one column of a table, or would write a file for each. */
static int refuse(const struct hd_column *column, const struct hd_check *check,
                  struct hd_err *err)
{
    bool writes = check->json || check->sarif || check->junit || check->html || check->github ||
                  check->places;
    const char *what = check->trials                 ? "--trials"
                       : check->work != HD_CHECK_ALL ? "a part of a search"
                       : check->checkpoint           ? "--checkpoint"
                       : writes                      ? "a report"
                       : check->require_verified     ? "--require-verified"
                       : check->files.n != 1         ? "a file"
                                                     : NULL;
    return what ? hd_err_set(err, "--column %.60s: %s is not for a column", column->name, what)
                : 0;
}

int hd_column_check(const struct hd_column *column, const struct hd_strs *common,
                    const char *file, struct hd_check *check, struct hd_strs *words,
                    struct hd_err *err)
{
    hd_strs_init(words);
    hd_strs_add(words, "compare");
    if (common)
        hd_strs_add_all(words, common);
    hd_strs_add(words, file);
    hd_strs_add_all(words, &column->words); /* last: what lacks its value finds none */
    int status = hd_check_init(check, (int)words->n, words->items, err);
    if (status == HD_CHECK_HELP || status == HD_CHECK_HELP_ALL)
        return hd_err_set(err, "--column %.60s: --help is not for a column", column->name);
    return status != 0 ? -1 : refuse(column, check, err);
}
