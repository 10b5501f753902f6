/* A unified diff of a source whose orders are changed.  Both texts have the same lines; one
 * of which nothing is left is a fence that went, and goes here. */
#include "base/err.h"
#include "cli/order_source.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3

/* A line with its end, from `at` on. */
static size_t line_end(const struct hd_str *text, size_t at)
{
    const char *end = memchr(text->text + at, '\n', text->length - at);
    return end ? (size_t)(end - text->text) + 1 : text->length;
}

struct lines {
    const struct hd_str *text;
    size_t *begin; /* n + 1 */
    uint32_t n;
};

static void cut(struct lines *l, const struct hd_str *text)
{
    size_t room = 2;
    for (size_t i = 0; i < text->length; i++)
        room += text->text[i] == '\n';
    *l = (struct lines){ .text = text, .begin = hd_alloc(room * sizeof *l->begin) };
    for (size_t at = 0; at < text->length; at = l->begin[l->n])
        l->begin[++l->n] = line_end(text, at);
}

static bool same(const struct lines *a, const struct lines *b, uint32_t i)
{
    size_t n = a->begin[i + 1] - a->begin[i];
    return n == b->begin[i + 1] - b->begin[i] &&
           memcmp(a->text->text + a->begin[i], b->text->text + b->begin[i], n) == 0;
}

/* Is nothing left of the line? */
static bool blank(const struct lines *l, uint32_t i)
{
    for (size_t at = l->begin[i]; at < l->begin[i + 1]; at++)
        if (!strchr(" \t\r\n", l->text->text[at]))
            return false;
    return true;
}

static void append_line(struct hd_str *out, char mark, const struct lines *l, uint32_t i)
{
    size_t n = l->begin[i + 1] - l->begin[i];
    hd_str_append_char(out, mark);
    hd_str_append_bytes(out, l->text->text + l->begin[i], n);
    if (n == 0 || l->text->text[l->begin[i + 1] - 1] != '\n')
        hd_str_append(out, "\n\\ No newline at end of file\n");
}

/* Lines from..to, as one hunk; returns how many of them went. */
static uint32_t append_hunk(struct hd_str *out, const struct lines *old, const struct lines *now,
                            uint32_t from, uint32_t to, uint32_t gone)
{
    uint32_t goes = 0;
    for (uint32_t i = from; i < to; i++)
        goes += !same(old, now, i) && blank(now, i);
    hd_str_appendf(out, "@@ -%u,%u +%u,%u @@\n", from + 1, to - from,
                   from + (to - from > goes) - gone, to - from - goes);
    for (uint32_t i = from; i < to;) {
        uint32_t end = i;
        while (end < to && !same(old, now, end))
            end++;
        if (end == i)
            append_line(out, ' ', old, end++);
        else {
            for (uint32_t k = i; k < end; k++)
                append_line(out, '-', old, k);
            for (uint32_t k = i; k < end; k++)
                if (!blank(now, k))
                    append_line(out, '+', now, k);
        }
        i = end;
    }
    return goes;
}

void hd_order_source_diff(struct hd_order_source *s, const char *name, struct hd_str *out)
{
    struct hd_str text;
    struct lines old, now;
    hd_str_init(&text);
    hd_order_source_text(s, &text);
    cut(&old, &s->text);
    cut(&now, &text);
    uint32_t gone = 0;
    bool begun = false;
    for (uint32_t i = 0; i < old.n; i++) {
        if (same(&old, &now, i))
            continue;
        uint32_t last = i; /* changed lines that are near each other share a hunk */
        for (uint32_t k = i; k < old.n && k <= last + 2 * CONTEXT + 1; k++)
            last = same(&old, &now, k) ? last : k;
        if (!begun)
            hd_str_appendf(out, "--- a/%s\n+++ b/%s\n", name, name);
        begun = true;
        uint32_t from = i > CONTEXT ? i - CONTEXT : 0;
        uint32_t to = last + CONTEXT + 1 < old.n ? last + CONTEXT + 1 : old.n;
        gone += append_hunk(out, &old, &now, from, to, gone);
        i = to - 1;
    }
    free(old.begin);
    free(now.begin);
    hd_str_release(&text);
}
