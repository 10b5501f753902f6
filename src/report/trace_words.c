#include "report/trace_words.h"

#include "report/name.h"
#include "report/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int hd_words_fail(struct hd_words *r, const char *format, ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bool cut = r->next > r->end; /* the last line has no end */
    return hd_err_set(r->err, "%s:%u: %s%s", r->name, r->line, text,
                      cut && r->line > 1 ? " (the file seems to be truncated)" : "");
}

static bool blank(char c) { return c == ' ' || c == '\t'; }

int hd_words_line(struct hd_words *r)
{
    if (r->next >= r->end)
        return 0;
    r->line++;
    char *stop = memchr(r->next, '\n', (size_t)(r->end - r->next));
    if (!stop)
        stop = r->end; /* there is room for a NUL after the text */
    r->at = r->next;
    r->next = stop + 1;
    size_t length = (size_t)(stop - r->at);
    if (length > HD_TRACE_MAX_LINE)
        return hd_words_fail(r, "the line is longer than %d bytes", HD_TRACE_MAX_LINE);
    if (length > 0 && stop[-1] == '\r')
        stop--;
    *stop = 0;
    for (char *c = r->at; c < stop; c++)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 127)
            return hd_words_fail(r, "a %s in the text (byte %02x): the file is damaged",
                                 *c ? "control character" : "NUL byte", (unsigned char)*c);
    return 1;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes one escape after a backslash at *from. */
static int escape(struct hd_words *r, char **from, char *to)
{
    char *c = *from;
    *from += 1;
    if (*c == '"' || *c == '\\') {
        *to = *c;
    } else if (*c == 'n') {
        *to = '\n';
    } else if (*c == 'x' && hex_digit(c[1]) >= 0 && hex_digit(c[2]) >= 0 &&
               (c[1] != '0' || c[2] != '0')) {
        *to = (char)(hex_digit(c[1]) * 16 + hex_digit(c[2]));
        *from += 2;
    } else {
        return hd_words_fail(
            r, "an unknown escape in a quoted text (there are \\\" \\\\ \\n \\xHH)");
    }
    return 0;
}

int hd_words_next(struct hd_words *r, char **word)
{
    while (blank(*r->at))
        r->at++;
    if (*r->at == 0 || *r->at == '#')
        return 0;
    char *from = r->at, *to = r->at;
    bool quoted = false;
    *word = to;
    while (*from && (quoted || !blank(*from))) {
        if (*from == '"') {
            quoted = !quoted;
            from++;
        } else if (quoted && *from == '\\') {
            from++;
            if (escape(r, &from, to) != 0)
                return -1;
            to++;
        } else {
            *to++ = *from++;
        }
    }
    if (quoted)
        return hd_words_fail(r, "a quoted text has no end");
    r->at = *from ? from + 1 : from;
    *to = 0;
    return 1;
}

int hd_words_no_more(struct hd_words *r)
{
    char *word;
    int got = hd_words_next(r, &word);
    return got == 1 ? hd_words_fail(r, "'%.60s' is too much on this line", word) : got;
}

bool hd_words_is_value(const char *text)
{
    uint64_t ignored;
    return hd_name_number(*text == '-' ? text + 1 : text, UINT64_MAX, &ignored);
}
