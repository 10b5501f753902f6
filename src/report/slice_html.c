/* One page, nothing to fetch. */
#include "report/slice.h"

static void escaped(struct hd_str *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            hd_str_append(out, "&amp;");
            break;
        case '<':
            hd_str_append(out, "&lt;");
            break;
        case '>':
            hd_str_append(out, "&gt;");
            break;
        case '"':
            hd_str_append(out, "&quot;");
            break;
        default:
            hd_str_append_char(out, *text);
        }
    }
}

static const char style[] =
    "body{font:15px sans-serif;margin:2em;color:#222;background:#fff}"
    "pre{line-height:1.35;background:#f7f7f7;padding:.6em;overflow-x:auto}"
    "pre span{display:block;color:#888}"
    "span.local{color:#000;background:#e8f0d8}span.visible{color:#000;background:#ffe9b0}"
    "span.target{color:#fff;background:#a33}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}"
    "span.local{color:#fff;background:#2f4020}span.visible{color:#fff;background:#5a4400}}";

static void function(struct hd_str *out, struct hd_listing *source,
                     const struct hd_sliced_thread *t, const struct hd_sliced_function *f)
{
    hd_str_append(out, "<h3>");
    escaped(out, f->name);
    hd_str_append(out, " <small>");
    escaped(out, f->file);
    hd_str_append(out, "</small></h3>\n<pre>");
    for (uint32_t line = f->first; line <= f->last; line++) {
        const struct hd_sliced_line *in = hd_slice_find(t, f->file, line);
        hd_str_appendf(out, "<span class=\"%s\">%5u  ",
                       in == NULL    ? "out"
                       : in->target  ? "target"
                       : in->visible ? "visible"
                                     : "local",
                       line);
        escaped(out, hd_listing_line(source, f->file, line));
        hd_str_append(out, "</span>");
    }
    hd_str_append(out, "</pre>\n");
}

static void influences(struct hd_str *out, const struct hd_sliced_thread *t)
{
    if (t->n_influences == 0)
        return;
    hd_str_append(out, "<ul>\n");
    for (uint32_t i = 0; i < t->n_influences; i++) {
        const struct hd_sliced_influence *in = &t->influences[i];
        hd_str_appendf(out, "<li>line %u may see <code>", in->read.line);
        escaped(out, *in->variable ? in->variable : "memory");
        hd_str_append(out, "</code> written by <code>");
        escaped(out, in->thread);
        hd_str_append(out, "</code> at ");
        escaped(out, in->write.file);
        hd_str_appendf(out, ":%u</li>\n", in->write.line);
    }
    hd_str_append(out, "</ul>\n");
}

void hd_slice_html(struct hd_str *out, const struct hd_slice_report *r)
{
    struct hd_listing source;
    hd_listing_init(&source);
    hd_str_append(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    escaped(out, r->targets->items[0]);
    hd_str_appendf(out, " - heddle slice</title><style>%s</style></head><body>\n<h1>Slice of ",
                   style);
    for (size_t i = 0; i < r->targets->n; i++) {
        hd_str_append(out, i ? ", " : "");
        escaped(out, r->targets->items[i]);
    }
    hd_str_append(out, "</h1>\n<p><span class=\"target\">target</span> "
                       "<span class=\"visible\">seen by other threads</span> "
                       "<span class=\"local\">local</span></p>\n");
    for (uint32_t i = 0; i < r->sliced->n; i++) {
        const struct hd_sliced_thread *t = &r->sliced->threads[i];
        hd_str_append(out, "<h2>thread ");
        escaped(out, t->entry);
        hd_str_append(out, t->many ? " (several)</h2>\n" : "</h2>\n");
        for (uint32_t k = 0; k < t->n_functions; k++)
            function(out, &source, t, &t->functions[k]);
        influences(out, t);
    }
    hd_str_append(out, "</body></html>\n");
    hd_listing_release(&source);
}
