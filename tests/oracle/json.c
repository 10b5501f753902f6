#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

static const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && *++p == '\0')
            return NULL;
    return *p ? p + 1 : NULL;
}

static const char *skip_value(const char *p);

static const char *skip_items(const char *p, char close, bool keys)
{
    p = blanks(p + 1);
    if (*p == close)
        return p + 1;
    for (;;) {
        if (keys) {
            p = *p == '"' ? skip_string(p) : NULL;
            p = p ? blanks(p) : NULL;
            if (!p || *p != ':')
                return NULL;
            p = blanks(p + 1);
        }
        p = skip_value(p);
        if (!p)
            return NULL;
        p = blanks(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = blanks(p + 1);
    }
}

static const char *skip_value(const char *p)
{
    if (*p == '"')
        return skip_string(p);
    if (*p == '{')
        return skip_items(p, '}', true);
    if (*p == '[')
        return skip_items(p, ']', false);
    size_t n = strspn(p, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    return n ? p + n : NULL;
}

const char *orc_json_root(const char *text)
{
    const char *p = blanks(text), *end = skip_value(p);
    return end && *blanks(end) == '\0' ? p : NULL;
}

const char *orc_json_member(const char *object, const char *key)
{
    if (!object || *object != '{')
        return NULL;
    for (const char *p = blanks(object + 1); *p == '"'; p = blanks(p + 1)) {
        bool found = orc_json_is(p, key);
        p = blanks(skip_string(p));
        p = blanks(p + 1);
        if (found)
            return p;
        p = blanks(skip_value(p));
        if (*p != ',')
            return NULL;
    }
    return NULL;
}

const char *orc_json_first(const char *array)
{
    if (!array || *array != '[')
        return NULL;
    array = blanks(array + 1);
    return *array == ']' ? NULL : array;
}

const char *orc_json_next(const char *element)
{
    const char *p = blanks(skip_value(element));
    return *p == ',' ? blanks(p + 1) : NULL;
}

bool orc_json_is(const char *value, const char *string)
{
    size_t n = strlen(string);
    return value && *value == '"' && strncmp(value + 1, string, n) == 0 && value[n + 1] == '"';
}

bool orc_json_true(const char *value) { return value && strncmp(value, "true", 4) == 0; }

uint64_t orc_json_number(const char *value)
{
    if (!value || *value < '0' || *value > '9')
        return UINT64_MAX;
    char *end;
    uint64_t n = strtoull(value, &end, 10);
    return strchr(".eE", *end) && *end ? UINT64_MAX : n;
}

bool orc_json_has(const char *array, const char *string)
{
    for (const char *e = array ? orc_json_first(array) : NULL; e; e = orc_json_next(e))
        if (orc_json_is(e, string))
            return true;
    return false;
}

bool orc_json_is_only(const char *array, const char *string)
{
    const char *first = array ? orc_json_first(array) : NULL;
    return first && orc_json_is(first, string) && !orc_json_next(first);
}
