/* FILE:LINE: warning: words, FILE:LINE:COLUMN: error: words: compilers, the clang analyzer,
 * Infer.  A `note` after a warning about locks or races names a further place. */
#define _GNU_SOURCE
#include "report/claims.h"

#include <string.h>

struct parts {
    const char *file, *words;
    size_t file_length, n_words;
    uint32_t line;
    bool note;
};

/* The number at *at, 0: none. */
static uint32_t number_at(const char **at, const char *end)
{
    uint32_t number = 0;
    const char *first = *at;
    while (*at < end && **at >= '0' && **at <= '9' && *at - first < 9)
        number = number * 10 + (uint32_t)(*(*at)++ - '0');
    return number;
}

static bool skip(const char **at, const char *end, const char *words)
{
    size_t n = strlen(words);
    if ((size_t)(end - *at) < n || memcmp(*at, words, n) != 0)
        return false;
    *at += n;
    return true;
}

static bool take_apart(const char *line, size_t length, struct parts *parts)
{
    const char *end = line + length, *at = line;
    while (at < end && !(at[0] == ':' && at + 1 < end && at[1] >= '1' && at[1] <= '9'))
        at++;
    if (at >= end || at == line || *line == ' ')
        return false;
    parts->file = line;
    parts->file_length = (size_t)(at++ - line);
    parts->line = number_at(&at, end);
    if (!skip(&at, end, ":"))
        return false;
    if (at < end && *at >= '0' && *at <= '9') {
        number_at(&at, end);
        if (!skip(&at, end, ":"))
            return false;
    }
    skip(&at, end, " ");
    parts->note = skip(&at, end, "note: ");
    if (!parts->note && !skip(&at, end, "warning: ") && !skip(&at, end, "error: "))
        return false;
    parts->words = at;
    parts->n_words = (size_t)(end - at);
    return true;
}

void hd_claims_lines(struct hd_claims *claims, const char *bytes, size_t n)
{
    const char *at = bytes, *line;
    size_t length;
    bool inside = false;
    while ((line = hd_claims_line(&at, bytes + n, &length)) != NULL) {
        struct parts parts;
        if (!take_apart(line, length, &parts))
            continue;
        struct hd_claim *claim = inside ? &claims->items[claims->n - 1] : NULL;
        if (!parts.note)
            claim = hd_claims_add(claims, hd_claim_kind_of(parts.words, parts.n_words),
                                  parts.words, parts.n_words);
        else if (!claim || claim->kind == HD_CLAIM_FAULT)
            continue;
        inside = true;
        hd_claim_place(claim, parts.file, parts.file_length, parts.line);
    }
}
