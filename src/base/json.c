#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#define PER_BLOCK 256

struct hd_json_block {
    struct hd_json_block *older;
    unsigned n;
    struct hd_json items[PER_BLOCK];
};

struct parser {
    struct hd_json_text *json;
    const char *name;
    struct hd_err *err;
    char *at;
    unsigned line, depth;
};

static int fail(const struct parser *p, const char *what)
{
    return hd_err_set(p->err, "%s:%u: no JSON: %s", p->name, p->line, what);
}

static struct hd_json *new_value(struct hd_json_text *json)
{
    struct hd_json_block *block = json->blocks;
    if (!block || block->n == PER_BLOCK) {
        block = hd_alloc(sizeof *block);
        block->older = json->blocks;
        json->blocks = block;
    }
    return &block->items[block->n++];
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->line += *p->at++ == '\n';
}

static int hex4(const char *at)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

/* \uXXXX, or two of them for one character; p->at is after the `u`. */
static int unicode(struct parser *p, char **to)
{
    int code = hex4(p->at);
    if (code <= 0)
        return fail(p, "\\u wants four hexadecimal digits that are not 0000");
    p->at += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        int low = p->at[0] == '\\' && p->at[1] == 'u' ? hex4(p->at + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(p, "half a surrogate pair");
        p->at += 6;
        code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fail(p, "half a surrogate pair");
    }
    *to = put_utf8(*to, (unsigned)code);
    return 0;
}

static int escape(struct parser *p, char **to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    char c = *p->at;
    if (c == 'u') {
        p->at++;
        return unicode(p, to);
    }
    const char *known = c ? strchr(from, c) : NULL;
    if (!known)
        return fail(p, "an unknown escape in a string");
    *(*to)++ = into[known - from];
    p->at++;
    return 0;
}

/* The string at p->at, decoded in place: what is decoded is never longer than what stood
 * there. */
static int string(struct parser *p, const char **text)
{
    if (*p->at != '"')
        return fail(p, "a string is missing");
    char *to = ++p->at;
    *text = to;
    while (*p->at != '"') {
        if ((unsigned char)*p->at < ' ')
            return fail(p, "a string without end, or a control character in it");
        if (*p->at == '\\') {
            p->at++;
            if (escape(p, &to) != 0)
                return -1;
        } else {
            *to++ = *p->at++;
        }
    }
    p->at++;
    *to = 0;
    return 0;
}

static int digits(struct parser *p)
{
    if (*p->at < '0' || *p->at > '9')
        return fail(p, "a number without digits");
    while (*p->at >= '0' && *p->at <= '9')
        p->at++;
    return 0;
}

static int number(struct parser *p, struct hd_json *value)
{
    char *start = p->at;
    value->kind = HD_JSON_NUMBER;
    if (*p->at == '-')
        p->at++;
    if (*p->at == '0' && p->at[1] >= '0' && p->at[1] <= '9')
        return fail(p, "a number that begins with 0");
    if (digits(p) != 0)
        return -1;
    if (*p->at == '.') {
        p->at++;
        if (digits(p) != 0)
            return -1;
    }
    if (*p->at == 'e' || *p->at == 'E') {
        p->at++;
        if (*p->at == '+' || *p->at == '-')
            p->at++;
        if (digits(p) != 0)
            return -1;
    }
    value->number = strtod(start, NULL);
    return 0;
}

static int any_value(struct parser *p, struct hd_json *value);

/* What stands between the brackets; p->at is after the opening one. */
static int members(struct parser *p, struct hd_json *value)
{
    char end = value->kind == HD_JSON_OBJECT ? '}' : ']';
    struct hd_json **link = &value->first;
    if (p->depth == HD_JSON_DEEPEST)
        return fail(p, "too many brackets within each other");
    p->depth++;
    skip_blanks(p);
    bool more = *p->at != end;
    while (more) {
        struct hd_json *member = *link = new_value(p->json);
        link = &member->next;
        if (value->kind == HD_JSON_OBJECT) {
            skip_blanks(p);
            if (string(p, &member->name) != 0)
                return -1;
            skip_blanks(p);
            if (*p->at != ':')
                return fail(p, "a colon is missing");
            p->at++;
        }
        if (any_value(p, member) != 0)
            return -1;
        more = *p->at == ',';
        p->at += more;
    }
    if (*p->at != end)
        return fail(p, "a comma or a closing bracket is missing");
    p->at++;
    p->depth--;
    return 0;
}

static int word(struct parser *p, struct hd_json *value)
{
    static const struct {
        const char *text;
        enum hd_json_kind kind;
    } words[] = { { "null", HD_JSON_NULL },
                  { "false", HD_JSON_FALSE },
                  { "true", HD_JSON_TRUE } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(p->at, words[i].text, strlen(words[i].text)) == 0) {
            value->kind = words[i].kind;
            p->at += strlen(words[i].text);
            return 0;
        }
    return fail(p, "a value is missing");
}

static int any_value(struct parser *p, struct hd_json *value)
{
    int failed;
    skip_blanks(p);
    if (*p->at == '{' || *p->at == '[') {
        value->kind = *p->at++ == '{' ? HD_JSON_OBJECT : HD_JSON_ARRAY;
        failed = members(p, value);
    } else if (*p->at == '"') {
        value->kind = HD_JSON_STRING;
        failed = string(p, &value->text);
    } else if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9')) {
        failed = number(p, value);
    } else {
        failed = word(p, value);
    }
    if (!failed)
        skip_blanks(p);
    return failed;
}

int hd_json_parse(struct hd_json_text *json, const char *name, const char *bytes, size_t n,
                  struct hd_err *err)
{
    *json = (struct hd_json_text){ .text = hd_alloc(n + 1) };
    memcpy(json->text, bytes, n);
    struct parser p = { .json = json, .name = name, .err = err, .at = json->text, .line = 1 };
    json->root = new_value(json);
    int failed = any_value(&p, json->root);
    if (!failed && p.at != json->text + n)
        failed = fail(&p, "there is more after the value");
    if (failed)
        hd_json_release(json);
    return failed;
}

void hd_json_release(struct hd_json_text *json)
{
    while (json->blocks) {
        struct hd_json_block *block = json->blocks;
        json->blocks = block->older;
        free(block);
    }
    free(json->text);
    *json = (struct hd_json_text){ 0 };
}

const struct hd_json *hd_json_get(const struct hd_json *object, const char *name)
{
    if (!object || object->kind != HD_JSON_OBJECT)
        return NULL;
    for (const struct hd_json *m = object->first; m; m = m->next)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const char *hd_json_text_of(const struct hd_json *value)
{
    return value && value->kind == HD_JSON_STRING ? value->text : "";
}

uint32_t hd_json_uint(const struct hd_json *value)
{
    bool fits = value && value->kind == HD_JSON_NUMBER && value->number >= 0 &&
                value->number <= (double)UINT32_MAX;
    return fits ? (uint32_t)value->number : 0;
}

void hd_json_string(struct hd_str *out, const char *text)
{
    hd_str_append_char(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t n = hd_utf8_length((const char *)c);
        if (n == 0)
            hd_str_append(out, "\\ufffd");
        else if (*c == '"' || *c == '\\')
            hd_str_appendf(out, "\\%c", *c);
        else if (*c < ' ')
            hd_str_appendf(out, "\\u%04x", *c);
        else
            hd_str_append_bytes(out, c, n);
        c += n ? n : 1;
    }
    hd_str_append_char(out, '"');
}
