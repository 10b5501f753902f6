#define _GNU_SOURCE
#include "report/claims.h"

#include "base/shown.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct hd_claim *hd_claims_add(struct hd_claims *claims, enum hd_claim_kind kind,
                               const char *message, size_t length)
{
    if (claims->n == claims->room) {
        claims->room = claims->room ? 2 * claims->room : 16;
        claims->items = hd_realloc(claims->items, claims->room * sizeof *claims->items);
    }
    struct hd_claim *claim = &claims->items[claims->n++];
    struct hd_str shown;
    hd_str_init(&shown);
    hd_shown_bytes(&shown, message, length);
    *claim = (struct hd_claim){ .kind = kind, .message = hd_str_detach(&shown) };
    return claim;
}

void hd_claim_place(struct hd_claim *claim, const char *file, size_t length, uint32_t line)
{
    if (length == 0 || memchr(file, 0, length))
        return; /* no name of a file */
    for (uint32_t i = 0; i < claim->n_places; i++)
        if (claim->places[i].line == line && strlen(claim->places[i].file) == length &&
            memcmp(claim->places[i].file, file, length) == 0)
            return;
    if (claim->n_places == HD_CLAIM_PLACES)
        return;
    struct hd_claim_place *place = &claim->places[claim->n_places++];
    place->file = hd_alloc(length + 1);
    memcpy(place->file, file, length);
    place->line = line;
}

bool hd_claims_has(const char *line, size_t length, const char *words)
{
    size_t n = strlen(words);
    for (size_t i = 0; i + n <= length; i++)
        if (strncasecmp(line + i, words, n) == 0)
            return true;
    return false;
}

/* "race" as a word of its own: no trace, no brace. */
static bool has_race(const char *line, size_t length)
{
    for (size_t i = 0; i + 4 <= length; i++)
        if (strncasecmp(line + i, "race", 4) == 0 &&
            (i == 0 || !isalpha((unsigned char)line[i - 1])) &&
            (i + 4 == length || !isalpha((unsigned char)line[i + 4])))
            return true;
    return false;
}

enum hd_claim_kind hd_claim_kind_of(const char *message, size_t length)
{
    static const char *const deadlocks[] = { "deadlock", "lock-order", "lock order",
                                             "lock inversion", "lock_order" };
    static const char *const races[] = { "thread-safety",    "thread safety",   "thread_safety",
                                         "datarace",         "unprotected",     "guarded_by",
                                         "lock consistency", "lock_consistency" };
    for (size_t i = 0; i < sizeof deadlocks / sizeof *deadlocks; i++)
        if (hd_claims_has(message, length, deadlocks[i]))
            return HD_CLAIM_DEADLOCK;
    for (size_t i = 0; i < sizeof races / sizeof *races; i++)
        if (hd_claims_has(message, length, races[i]))
            return HD_CLAIM_RACE;
    return has_race(message, length) ? HD_CLAIM_RACE : HD_CLAIM_FAULT;
}

const char *hd_claims_line(const char **at, const char *end, size_t *length)
{
    const char *line = *at;
    if (line >= end)
        return NULL;
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    stop = stop ? stop : end;
    *at = stop + 1;
    *length = (size_t)(stop - line);
    if (*length && line[*length - 1] == '\r')
        --*length;
    return line;
}

/* ":12" that ends at `end`; where the colon is, or NULL. */
static const char *number_before(const char *line, const char *end, uint32_t *number)
{
    const char *digit = end;
    uint64_t value = 0, unit = 1;
    while (digit > line && digit[-1] >= '0' && digit[-1] <= '9' && end - digit < 9) {
        value += unit * (uint64_t)(*--digit - '0');
        unit *= 10;
    }
    if (digit == end || digit == line || digit[-1] != ':')
        return NULL;
    *number = (uint32_t)value;
    return digit - 1;
}

bool hd_claim_frame(const char *line, size_t length, const char **file, size_t *file_length,
                    uint32_t *number)
{
    const char *end = line + length, *colon, *first;
    uint32_t column;
    while (end > line && end[-1] == ')') { /* (file.c:12), or (program+0x1) after the place */
        const char *open = memrchr(line, '(', (size_t)(end - line));
        if (!open)
            return false;
        if (number_before(open + 1, end - 1, number)) {
            *file = open + 1;
            *file_length = (size_t)(number_before(open + 1, end - 1, number) - *file);
            return *file_length > 0;
        }
        end = open;
        while (end > line && end[-1] == ' ')
            end--;
    }
    colon = number_before(line, end, number);
    if (!colon)
        return false;
    column = *number;
    first = number_before(line, colon, number);
    if (first)
        colon = first; /* it was the column */
    else
        *number = column;
    const char *start = colon;
    while (start > line && start[-1] != ' ')
        start--;
    *file = start;
    *file_length = (size_t)(colon - start);
    return *file_length > 0;
}

int hd_claims_parse(struct hd_claims *claims, const char *name, const char *bytes, size_t n,
                    struct hd_err *err)
{
    size_t blank = 0;
    *claims = (struct hd_claims){ 0 };
    while (blank < n && strchr(" \t\r\n", bytes[blank]))
        blank++;
    if (blank < n && bytes[blank] == '{') {
        if (hd_claims_sarif(claims, name, bytes, n, err) != 0) {
            hd_claims_release(claims);
            return -1;
        }
    } else {
        hd_claims_tsan(claims, bytes, n);
        hd_claims_valgrind(claims, bytes, n);
        hd_claims_lines(claims, bytes, n);
    }
    if (claims->n == 0) {
        hd_claims_release(claims);
        return hd_err_set(err,
                          "%s: no warning found; heddle reads what ThreadSanitizer, Helgrind and "
                          "DRD print, lines FILE:LINE: warning: …, and SARIF",
                          name);
    }
    return 0;
}

void hd_claims_release(struct hd_claims *claims)
{
    for (uint32_t i = 0; i < claims->n; i++) {
        for (uint32_t k = 0; k < claims->items[i].n_places; k++)
            free(claims->items[i].places[k].file);
        free(claims->items[i].message);
    }
    free(claims->items);
    *claims = (struct hd_claims){ 0 };
}
