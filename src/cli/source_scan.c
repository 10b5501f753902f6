#include "cli/source_scan.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t hd_scan_at(const struct hd_scan *s, unsigned line, unsigned column)
{
    size_t at = 0;
    for (; line > 1; line--) {
        const char *end = memchr(s->text + at, '\n', s->length - at);
        if (!end)
            return HD_SCAN_NOWHERE;
        at = (size_t)(end - s->text) + 1;
    }
    for (; column > 1; column--, at++)
        if (at >= s->length || s->text[at] == '\n')
            return HD_SCAN_NOWHERE;
    return line && column && at < s->length ? at : HD_SCAN_NOWHERE;
}

/* The end of the comment at `at`; `at` itself when there is none. */
static size_t comment(const struct hd_scan *s, size_t at)
{
    const char *end = NULL;
    if (strncmp(s->text + at, "/*", 2) == 0) {
        end = strstr(s->text + at + 2, "*/");
        return end ? (size_t)(end - s->text) + 2 : s->length;
    }
    if (strncmp(s->text + at, "//", 2) != 0)
        return at;
    end = strchr(s->text + at, '\n');
    return end ? (size_t)(end - s->text) : s->length;
}

size_t hd_scan_skip(const struct hd_scan *s, size_t at)
{
    for (;;) {
        size_t end = comment(s, at);
        if (end == at && !isspace((unsigned char)s->text[at]))
            return at;
        at = end == at ? at + 1 : end;
    }
}

size_t hd_scan_back(const struct hd_scan *s, size_t at)
{
    while (at > 0 && isspace((unsigned char)s->text[at - 1]))
        at--;
    return at;
}

size_t hd_scan_word(const struct hd_scan *s, size_t at)
{
    if (isdigit((unsigned char)s->text[at]))
        return at;
    while (is_word(s->text[at]))
        at++;
    return at;
}

/* The end of the string, character or comment at `at`, otherwise the next character. */
static size_t next(const struct hd_scan *s, size_t at)
{
    size_t end = comment(s, at);
    char quote = s->text[at];
    if (end != at)
        return end;
    if (quote != '"' && quote != '\'')
        return at + 1;
    for (at++; at < s->length && s->text[at] != quote && s->text[at] != '\n'; at++)
        if (s->text[at] == '\\' && at + 1 < s->length)
            at++;
    return at + 1;
}

size_t hd_scan_match(const struct hd_scan *s, size_t open)
{
    int depth = 0;
    for (size_t at = open; at < s->length; at = next(s, at)) {
        char c = s->text[at];
        if (c == '(' || c == '[' || c == '{')
            depth++;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0)
            return at;
    }
    return HD_SCAN_NOWHERE;
}

static struct hd_scan_range trimmed(const struct hd_scan *s, size_t begin, size_t end)
{
    begin = hd_scan_skip(s, begin);
    end = hd_scan_back(s, end);
    return (struct hd_scan_range){ begin, end > begin ? end : begin };
}

/* A comment inside of an argument stays where it is, whatever becomes of the argument. */
static bool split(const struct hd_scan *s, struct hd_scan_call *call)
{
    size_t begin = call->open + 1;
    for (size_t at = begin; at <= call->close;) {
        char c = s->text[at];
        if (at == call->close || c == ',') {
            struct hd_scan_range r = trimmed(s, begin, at);
            bool none = r.begin == r.end || r.begin >= call->close;
            if (none && at == call->close && call->n == 0)
                return true;
            if (none || call->n == HD_SCAN_ARGUMENTS)
                return false;
            call->arguments[call->n++] = r;
            begin = ++at;
        } else if (c == '(' || c == '[' || c == '{') {
            at = hd_scan_match(s, at);
            if (at == HD_SCAN_NOWHERE)
                return false;
            at++;
        } else {
            at = next(s, at);
        }
    }
    return true;
}

bool hd_scan_call(const struct hd_scan *s, size_t at, struct hd_scan_call *call)
{
    size_t end = hd_scan_word(s, at);
    if (end - at == 3 && strncmp(s->text + at, "std::", 5) == 0)
        end = hd_scan_word(s, at += 5);
    *call = (struct hd_scan_call){ .name = { at, end } };
    call->open = hd_scan_skip(s, end);
    if (end == at || s->text[call->open] != '(')
        return false;
    call->close = hd_scan_match(s, call->open);
    return call->close != HD_SCAN_NOWHERE && split(s, call);
}

/* The bracket that opens the one at `close`, on the same line and without strings. */
static size_t match_back(const struct hd_scan *s, size_t close)
{
    int depth = 0;
    for (size_t at = close + 1; at-- > 0;) {
        char c = s->text[at];
        if (c == '\n' || c == '"' || c == '\'' || c == '/')
            break;
        if (c == ']' || c == ')')
            depth++;
        if ((c == '[' || c == '(') && --depth == 0)
            return at;
    }
    return HD_SCAN_NOWHERE;
}

/* The beginning of a name with its subscripts that ends before `end`. */
static size_t link_begin(const struct hd_scan *s, size_t end)
{
    while (end > 0 && s->text[end - 1] == ']') {
        size_t open = match_back(s, end - 1);
        if (open == HD_SCAN_NOWHERE)
            return open;
        end = hd_scan_back(s, open);
    }
    size_t begin = end;
    while (begin > 0 && is_word(s->text[begin - 1]))
        begin--;
    return begin == end || isdigit((unsigned char)s->text[begin]) ? HD_SCAN_NOWHERE : begin;
}

static size_t before_arrow(const struct hd_scan *s, size_t at)
{
    at = hd_scan_back(s, at);
    if (at > 0 && s->text[at - 1] == '.')
        return hd_scan_back(s, at - 1);
    if (at > 1 && s->text[at - 1] == '>' && s->text[at - 2] == '-')
        return hd_scan_back(s, at - 2);
    return HD_SCAN_NOWHERE;
}

bool hd_scan_lvalue_before(const struct hd_scan *s, size_t end, struct hd_scan_range *lvalue)
{
    size_t begin = link_begin(s, end = hd_scan_back(s, end)), before;
    while (begin != HD_SCAN_NOWHERE && (before = before_arrow(s, begin)) != HD_SCAN_NOWHERE)
        begin = link_begin(s, before);
    if (begin == HD_SCAN_NOWHERE)
        return false;
    *lvalue = (struct hd_scan_range){ begin, end };
    return true;
}

bool hd_scan_lvalue(const struct hd_scan *s, size_t at, struct hd_scan_range *lvalue)
{
    size_t star = at;
    if (s->text[at] == ']')
        return hd_scan_lvalue_before(s, at + 1, lvalue);
    if (s->text[at] == '*')
        at = hd_scan_skip(s, at + 1);
    size_t end = hd_scan_word(s, at);
    if (end == at || !hd_scan_lvalue_before(s, end, lvalue))
        return false;
    if (star != at) { /* *p, and nothing of p's may follow: *p->q is another object */
        size_t then = hd_scan_skip(s, end);
        char c = s->text[then], d = c ? s->text[then + 1] : 0;
        if (lvalue->begin != at || c == '.' || c == '[' || (c == '-' && (d == '>' || d == '-')) ||
            (c == '+' && d == '+'))
            return false;
        lvalue->begin = star;
    }
    return s->text[hd_scan_skip(s, end)] != '(';
}

/* The end of the preprocessor's line at `at`, with those that continue it. */
static size_t directive(const struct hd_scan *s, size_t at)
{
    for (; at < s->length && s->text[at] != '\n'; at++)
        if (s->text[at] == '\\' && at + 1 < s->length)
            at++;
    return at;
}

size_t hd_scan_before(const struct hd_scan *s, size_t at)
{
    size_t last = 0;
    bool line_begins = true;
    for (size_t i = 0; i < at;) {
        if (line_begins && s->text[i] == '#') {
            i = directive(s, i);
            continue;
        }
        size_t end = next(s, i);
        bool seen = !isspace((unsigned char)s->text[i]) && comment(s, i) == i;
        line_begins = s->text[i] == '\n' || (line_begins && !seen);
        if (seen && end <= at)
            last = end;
        i = end;
    }
    return last;
}

bool hd_scan_begins(const struct hd_scan *s, size_t at)
{
    at = hd_scan_before(s, at);
    if (at == 0)
        return false;
    char c = s->text[at - 1];
    if (c == ';' || c == '{' || c == '}' || c == ')')
        return true;
    return at >= 4 && strncmp(s->text + at - 4, "else", 4) == 0;
}

size_t hd_scan_semicolon(const struct hd_scan *s, size_t at)
{
    while (at < s->length) {
        char c = s->text[at];
        if (c == ';')
            return at;
        if (c == ',' || c == ')' || c == ']' || c == '}' || c == '{')
            return HD_SCAN_NOWHERE;
        if (c == '(' || c == '[')
            at = hd_scan_match(s, at);
        at = at == HD_SCAN_NOWHERE ? at : next(s, at);
    }
    return HD_SCAN_NOWHERE;
}
