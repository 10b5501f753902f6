#include "report/source.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "report/quoted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 12 /* lines between a condition and what stands under it */

struct hd_source_file {
    char *name;
    char *text;   /* cut into lines */
    char **lines; /* into text */
    uint32_t n;
};

void hd_source_init(struct hd_source *source, const char *directory)
{
    *source = (struct hd_source){ .directory = directory };
}

void hd_source_release(struct hd_source *source)
{
    for (size_t i = 0; i < source->n; i++) {
        free(source->files[i].name);
        free(source->files[i].text);
        free(source->files[i].lines);
    }
    free(source->files);
    *source = (struct hd_source){ 0 };
}

static void cut_lines(struct hd_source_file *file)
{
    uint32_t room = 0;
    for (char *at = file->text; at && *at;) {
        if (file->n == room) {
            room = room ? room * 2 : 256;
            file->lines = hd_realloc(file->lines, room * sizeof *file->lines);
        }
        file->lines[file->n++] = at + strspn(at, " \t");
        at = strchr(at, '\n');
        if (at)
            *at++ = 0;
    }
    for (uint32_t i = 0; i < file->n; i++)
        for (char *c = file->lines[i]; *c; c++)
            if (*c == '\t')
                *c = ' ';
}

static struct hd_source_file *source_file(struct hd_source *source, const char *name)
{
    for (size_t i = 0; i < source->n; i++)
        if (strcmp(source->files[i].name, name) == 0)
            return &source->files[i];
    source->files = hd_realloc(source->files, (source->n + 1) * sizeof *source->files);
    struct hd_source_file *file = &source->files[source->n++];
    *file = (struct hd_source_file){ .name = hd_strdup(name) };
    struct hd_str text;
    hd_str_init(&text);
    if (hd_quoted_read(name, source->directory, &text)) {
        file->text = hd_str_detach(&text);
        cut_lines(file);
    }
    hd_str_release(&text);
    return file;
}

const char *hd_source_line(struct hd_source *source, const char *file, uint32_t line)
{
    if (!*file || line == 0)
        return "";
    const struct hd_source_file *f = source_file(source, file);
    return line <= f->n ? f->lines[line - 1] : "";
}

const char *hd_source_statement(struct hd_source *source, const struct hd_place *place)
{
    const char *line = hd_source_line(source, place->file, place->line), *start = line;
    const char *begin = line;
    if (!*line || !place->column)
        return line;
    const struct hd_source_file *f = source_file(source, place->file);
    while (begin > f->text && (begin[-1] == ' ' || begin[-1] == '\t'))
        begin--;
    char quote = 0;
    int depth = 0;
    for (const char *p = line; *p && p < begin + place->column - 1; p++) {
        if (quote) {
            if (*p == '\\' && p[1])
                p++;
            else if (*p == quote)
                quote = 0;
            continue;
        }
        quote = *p == '"' || *p == '\'' ? *p : 0;
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        if (depth == 0 && strchr(";{}", *p))
            start = p + 1 + strspn(p + 1, " \t");
    }
    return *start ? start : line;
}

/* Blanks and tabs in front of the line. */
static uint32_t indentation(const struct hd_source_file *f, const char *line)
{
    uint32_t n = 0;
    while (line > f->text && (line[-1] == ' ' || line[-1] == '\t')) {
        n++;
        line--;
    }
    return n;
}

static bool is_condition(const char *line)
{
    static const char *const words[] = { "if", "else", "while", "for", "switch", "} else" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(line, words[i], n) == 0 && strchr(" ({", line[n]))
            return true;
    }
    return false;
}

uint32_t hd_source_guard(struct hd_source *source, const struct hd_place *place, uint32_t after)
{
    const char *line = hd_source_line(source, place->file, place->line);
    if (!*line)
        return 0;
    const struct hd_source_file *f = source_file(source, place->file);
    uint32_t indent = indentation(f, line);
    for (uint32_t at = place->line - 1; at > after && at + FARTHEST >= place->line; at--) {
        line = f->lines[at - 1];
        uint32_t n = indentation(f, line);
        if (!*line || *line == '#' || *line == '{' || n >= indent)
            continue;
        if (is_condition(line))
            return at;
        indent = n;
    }
    return 0;
}
