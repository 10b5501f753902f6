#include "base/shown.h"
#include "report/quoted.h"
#include "report/slice.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- the source ---- */

void hd_listing_init(struct hd_listing *s)
{
    *s = (struct hd_listing){ 0 };
    hd_str_init(&s->text);
}

void hd_listing_release(struct hd_listing *s)
{
    hd_str_release(&s->text);
    free(s->lines);
}

static void load(struct hd_listing *s, const char *path)
{
    hd_listing_release(s);
    hd_listing_init(s);
    s->path = path;
    hd_quoted_read(path, "", &s->text);
    size_t room = 0;
    for (char *at = s->text.text; *at;) {
        if (s->n == room) {
            room = room ? room * 2 : 256;
            s->lines = hd_realloc(s->lines, room * sizeof *s->lines);
        }
        s->lines[s->n++] = at;
        char *end = strchr(at, '\n');
        if (end == NULL)
            break;
        *end = 0;
        at = end + 1;
    }
}

const char *hd_listing_line(struct hd_listing *s, const char *path, uint32_t line)
{
    if (s->path == NULL || strcmp(s->path, path) != 0)
        load(s, path);
    return line >= 1 && line <= s->n ? s->lines[line - 1] : "";
}

const struct hd_sliced_line *hd_slice_find(const struct hd_sliced_thread *t, const char *file,
                                           uint32_t line)
{
    uint32_t low = 0, high = t->n_lines;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(t->lines[middle].at.file, file);
        if (order < 0 || (order == 0 && t->lines[middle].at.line < line))
            low = middle + 1;
        else
            high = middle;
    }
    const struct hd_sliced_line *found = &t->lines[low];
    return low < t->n_lines && found->at.line == line && strcmp(found->at.file, file) == 0 ? found
                                                                                           : NULL;
}

/* ---- slices ---- */

/* As hd_str_appendf() with %s and %u, but texts are shown with their escapes. */
static void say(struct hd_str *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (; *format; format++) {
        if (*format != '%')
            hd_str_append_char(out, *format);
        else if (*++format == 's')
            hd_shown(out, va_arg(args, const char *));
        else
            hd_str_appendf(out, "%u", va_arg(args, unsigned));
    }
    va_end(args);
}

static char mark_of(const struct hd_sliced_line *line)
{
    if (line == NULL)
        return ' ';
    return line->target ? '>' : line->visible ? '*' : '+';
}

static void print_function(struct hd_str *out, struct hd_listing *source,
                           const struct hd_sliced_thread *t, const struct hd_sliced_function *f)
{
    say(out, "\n  %s, in %s\n", f->name, f->file);
    for (uint32_t line = f->first; line <= f->last; line++) {
        const char *text = hd_listing_line(source, f->file, line);
        hd_str_appendf(out, "  %5u %c%s%s\n", line, mark_of(hd_slice_find(t, f->file, line)),
                       *text ? " " : "", text);
    }
}

static void print_influences(struct hd_str *out, const struct hd_sliced_thread *t)
{
    for (uint32_t i = 0; i < t->n_influences; i++) {
        const struct hd_sliced_influence *in = &t->influences[i];
        hd_str_append(out, i ? "" : "\n");
        say(out, "  line %u may see %s written by %s at %s:%u\n", in->read.line,
            *in->variable ? in->variable : "memory", in->thread, in->write.file, in->write.line);
    }
}

void hd_slice_text(struct hd_str *out, const struct hd_slice_report *r)
{
    struct hd_listing source;
    uint32_t lines = 0;
    hd_listing_init(&source);
    for (uint32_t i = 0; i < r->sliced->n; i++) {
        const struct hd_sliced_thread *t = &r->sliced->threads[i];
        hd_str_append(out, i ? "\n" : "");
        say(out, "thread %s%s: %u line%s\n", t->entry, t->many ? " (several)" : "", t->n_lines,
            t->n_lines == 1 ? "" : "s");
        for (uint32_t k = 0; k < t->n_functions; k++)
            print_function(out, &source, t, &t->functions[k]);
        print_influences(out, t);
        lines += t->n_lines;
    }
    hd_str_appendf(out,
                   "\n> target, * seen by other threads, + local: %u line%s of %u thread%s, "
                   "in %.2f s\n",
                   lines, lines == 1 ? "" : "s", r->sliced->n, r->sliced->n == 1 ? "" : "s",
                   r->sliced->seconds);
    hd_listing_release(&source);
}

/* ---- warnings ---- */

static void print_race(struct hd_str *out, const struct hd_warned *w)
{
    say(out, "possible data race on %s\n", w->sites[0].what);
    for (uint32_t i = 0; i < w->n_sites; i++)
        say(out, "  %s:%u: %s in %s, thread %s\n", w->sites[i].at.file, w->sites[i].at.line,
            w->sites[i].writes ? "written" : "read", w->sites[i].function, w->sites[i].thread);
}

static void print_deadlock(struct hd_str *out, const struct hd_warned *w)
{
    hd_str_append(out, "possible deadlock\n");
    for (uint32_t i = 0; i < w->n_sites; i++)
        say(out, "  %s:%u: %s taken with %s held, in %s, thread %s\n", w->sites[i].at.file,
            w->sites[i].at.line, w->sites[i].what, w->sites[i].held, w->sites[i].function,
            w->sites[i].thread);
}

void hd_warnings_text(struct hd_str *out, const struct hd_warned_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->items[i].deadlock)
            print_deadlock(out, &list->items[i]);
        else
            print_race(out, &list->items[i]);
    }
    hd_str_appendf(
        out,
        "%u warning%s%s, the likeliest first (candidates: run `heddle check` to confirm them)\n",
        list->n, list->n == 1 ? "" : "s", list->more ? ", and more" : "");
}
