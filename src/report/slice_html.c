/* One page in the style of the other reports, nothing to fetch. */
#include "report/html_assets.h"
#include "report/slice.h"

#include <string.h>

/* As the reports do: light or dark as the system is. */
static const char theme[] =
    "<script>document.documentElement.dataset.theme = "
    "matchMedia(\"(prefers-color-scheme: dark)\").matches ? \"dark\" : \"light\";</script>\n";

/* The thread's number and the line, and how many of its functions stand before this one: the
 * identifier of a line. */
static void anchor(struct hd_str *out, uint32_t thread, uint32_t function, uint32_t line)
{
    hd_str_appendf(out, "t%u-%u-%u", thread + 1, function + 1, line);
}

static void function(struct hd_str *out, struct hd_listing *source,
                     const struct hd_slice_report *r, uint32_t thread, uint32_t number)
{
    const struct hd_sliced_thread *t = &r->sliced->threads[thread];
    const struct hd_sliced_function *f = &t->functions[number];
    hd_str_append(out, "<div class=\"panel\"><div class=\"panel-head\"><h3>");
    hd_str_append_xml(out, f->name);
    hd_str_append(out, "</h3><span>");
    hd_str_append_xml(out, f->file);
    hd_str_append(out, "</span></div>\n<div class=\"source\" tabindex=\"0\" role=\"group\" "
                       "aria-label=\"Lines\">");
    for (uint32_t line = f->first; line <= f->last; line++) {
        const struct hd_sliced_line *in = hd_slice_find(t, f->file, line);
        hd_str_append(out, "<div id=\"");
        anchor(out, thread, number, line);
        hd_str_appendf(out, "\" class=\"l %s\"><span class=\"no\">%u</span><code>",
                       in == NULL    ? "out"
                       : in->target  ? "target"
                       : in->visible ? "visible"
                                     : "local",
                       line);
        hd_str_append_xml(out, hd_listing_line(source, f->file, line));
        hd_str_append(out, "</code></div>");
    }
    hd_str_append(out, "</div></div>\n");
}

/* "line 9" or "q.c:9" as a link, if the thread's part of the page has the line. */
static void place(struct hd_str *out, const struct hd_slice_report *r, const char *entry,
                  struct hd_line at, bool file)
{
    const char *end = "";
    for (uint32_t i = 0; i < r->sliced->n && !*end; i++) {
        const struct hd_sliced_thread *t = &r->sliced->threads[i];
        for (uint32_t k = 0; strcmp(t->entry, entry) == 0 && k < t->n_functions && !*end; k++) {
            const struct hd_sliced_function *f = &t->functions[k];
            if (strcmp(f->file, at.file) != 0 || at.line < f->first || at.line > f->last)
                continue;
            hd_str_append(out, "<a href=\"#");
            anchor(out, i, k, at.line);
            hd_str_append(out, "\">");
            end = "</a>";
        }
    }
    if (file)
        hd_str_append_xml(out, at.file);
    hd_str_appendf(out, "%s%u%s", file ? ":" : "line ", at.line, end);
}

static void influences(struct hd_str *out, const struct hd_slice_report *r,
                       const struct hd_sliced_thread *t)
{
    if (t->n_influences == 0)
        return;
    hd_str_append(out, "<ul>\n");
    for (uint32_t i = 0; i < t->n_influences; i++) {
        const struct hd_sliced_influence *in = &t->influences[i];
        hd_str_append(out, "<li>");
        place(out, r, t->entry, in->read, false);
        hd_str_append(out, " may see <code>");
        hd_str_append_xml(out, *in->variable ? in->variable : "memory");
        hd_str_append(out, "</code> written by <code>");
        hd_str_append_xml(out, in->thread);
        hd_str_append(out, "</code> at ");
        place(out, r, in->thread, in->write, true);
        hd_str_append(out, "</li>\n");
    }
    hd_str_append(out, "</ul>\n");
}

void hd_slice_html(struct hd_str *out, const struct hd_slice_report *r)
{
    struct hd_listing source;
    hd_listing_init(&source);
    hd_str_append(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                       "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src "
                       "data:\"><link rel=\"icon\" href=\"data:,\"><title>");
    hd_str_append_xml(out, r->targets->items[0]);
    hd_str_appendf(out, " - heddle slice</title>\n<style>\n%s</style>\n%s</head>\n",
                   hd_html_style, theme);
    hd_str_append(out, "<body class=\"slice\"><header><div class=\"title\"><h1>Slice of ");
    for (size_t i = 0; i < r->targets->n; i++) {
        hd_str_append(out, i ? ", " : "");
        hd_str_append_xml(out, r->targets->items[i]);
    }
    hd_str_append(out, "</h1>\n<p><span class=\"key target\">target</span>"
                       "<span class=\"key visible\">seen by other threads</span>"
                       "<span class=\"key local\">local</span>"
                       "<span class=\"key out\">not in the slice</span></p></div></header>\n"
                       "<main>\n");
    for (uint32_t i = 0; i < r->sliced->n; i++) {
        const struct hd_sliced_thread *t = &r->sliced->threads[i];
        hd_str_append(out, "<h2>thread ");
        hd_str_append_xml(out, t->entry);
        hd_str_append(out, t->many ? " (several)</h2>\n" : "</h2>\n");
        for (uint32_t k = 0; k < t->n_functions; k++)
            function(out, &source, r, i, k);
        influences(out, r, t);
    }
    hd_str_append(out, "</main></body></html>\n");
    hd_listing_release(&source);
}
