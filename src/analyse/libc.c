#include "analyse/libc.h"

#include "base/err.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_libc rows[] = {
#define HD_LIBC(name, class, effects) { name, HD_LIBC_##class, effects },
#include "analyse/libc.def"
#undef HD_LIBC
};

/* Rows ending in '*' stand for all names with that beginning, and come after the exact ones. */
const struct hd_libc *hd_libc_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        bool prefix = rows[i].name[n - 1] == '*';
        if (prefix ? strncmp(name, rows[i].name, n - 1) == 0 : strcmp(name, rows[i].name) == 0)
            return &rows[i];
    }
    return NULL;
}

static uint32_t digits(const char **text)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    if (end == *text)
        hd_bug("libc.def: a number is missing before \"%s\"", *text);
    *text = end;
    return (uint32_t)value;
}

static void extent(const char **text, struct hd_effect *e)
{
    if (*(*text)++ != ':')
        hd_bug("libc.def: no extent before \"%s\"", *text);
    if (**text == 's') {
        e->extent = HD_EXTENT_STRING;
        ++*text;
        if (**text < '0' || **text > '9')
            return;
    }
    if (**text == '=') {
        ++*text;
        e->constant = digits(text);
        if (**text == '|') {
            ++*text;
            e->grows = (int)digits(text);
            if (*(*text)++ != '=')
                hd_bug("libc.def: no number of bytes before \"%s\"", *text);
            e->grown = digits(text);
        }
        return;
    }
    e->factor[0] = (int)digits(text);
    if (**text == '*') {
        ++*text;
        e->factor[1] = (int)digits(text);
    }
}

/* Behind the extent of a write. */
static void done(const char **text, struct hd_effect *e)
{
    static const char letters[] = "rs0n";
    if (**text != '/')
        return;
    const char *letter = (*text)[1] ? strchr(letters, (*text)[1]) : NULL;
    if (letter == NULL)
        hd_bug("libc.def: unknown result \"%s\"", *text);
    *text += 2;
    e->done = (enum hd_done)(HD_DONE_RESULT + (letter - letters));
    if (e->done == HD_DONE_RESULT && **text >= '0' && **text <= '9')
        e->times = (int)digits(text);
}

bool hd_libc_effect(const char **text, struct hd_effect *e)
{
    static const char letters[] = "rwpf=e@ko";
    while (**text == ' ')
        ++*text;
    if (**text == 0)
        return false;
    const char *letter = strchr(letters, **text);
    if (letter == NULL)
        hd_bug("libc.def: unknown effect \"%s\"", *text);
    ++*text;
    *e = (struct hd_effect){ .kind = (enum hd_effect_kind)(letter - letters),
                             .factor = { -1, -1 },
                             .grows = -1,
                             .times = -1 };
    if (e->kind == HD_EFFECT_ERRNO)
        return true;
    if (e->kind == HD_EFFECT_HIDDEN) {
        *text += strspn(*text, "abcdefghijklmnopqrstuvwxyz");
        return true;
    }
    e->arg = digits(text);
    if (**text == '?') {
        e->nullable = true;
        ++*text;
    }
    if (e->kind == HD_EFFECT_READ || e->kind == HD_EFFECT_WRITE) {
        extent(text, e);
        done(text, e);
    } else if (**text == ':') { /* USE, KEPT */
        size_t n = strspn(*text + 1, "rwx");
        e->writes = memchr(*text + 1, 'w', n) != NULL;
        e->exact = memchr(*text + 1, 'x', n) != NULL;
        *text += 1 + n;
    } else {
        e->writes = true;
    }
    return true;
}

bool hd_libc_keeps(const struct hd_libc *row, uint32_t arg, bool *derived)
{
    *derived = false;
    if (row == NULL)
        return true;
    if (row->class == HD_LIBC_EXPAND) {
        *derived = arg == 0;
        /* strtol: *end points into it; strtok_r: *save does */
        return arg == 0 && hd_str_starts(row->effects, "strto");
    }
    if (row->class == HD_LIBC_PURE)
        return false;
    bool used = false;
    const char *text = row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);) {
        if (e.kind == HD_EFFECT_FORMAT && arg >= e.arg)
            used = true;
        if (e.kind == HD_EFFECT_ERRNO || e.kind == HD_EFFECT_HIDDEN || e.kind == HD_EFFECT_KEPT ||
            e.arg != arg)
            continue;
        used = true;
        *derived |= e.kind == HD_EFFECT_RESULT;
    }
    return !used;
}

int hd_libc_format(const struct hd_libc *row)
{
    if (row->class == HD_LIBC_EXPAND)
        return strcmp(row->effects, "snprintf") == 0  ? 2
               : strcmp(row->effects, "sprintf") == 0 ? 1
                                                      : -1;
    const char *text = row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);)
        if (e.kind == HD_EFFECT_FORMAT)
            return (int)e.arg;
    return -1;
}
