/* Helgrind and DRD: lines that begin with ==PID==, paragraphs of a sentence and a stack.
 *
 * Helgrind names both accesses of a race, and of two pairs of acquisitions, of which the
 * later ones are where the threads would wait.  DRD names one access. */
#define _GNU_SOURCE
#include "report/claims.h"

#include <string.h>

/* What follows ==PID==, or NULL. */
static const char *text_of(const char *line, size_t *length)
{
    size_t i = 2;
    if (*length < 4 || line[0] != '=' || line[1] != '=')
        return NULL;
    while (i < *length && line[i] >= '0' && line[i] <= '9')
        i++;
    if (i == 2 || i + 1 >= *length || line[i] != '=' || line[i + 1] != '=')
        return NULL;
    i += 2;
    while (i < *length && line[i] == ' ')
        i++;
    *length -= i;
    return line + i;
}

static bool is_head(const char *text, size_t length, enum hd_claim_kind *kind)
{
    if (hd_claims_has(text, length, "Possible data race during") ||
        hd_claims_has(text, length, "Conflicting load by thread") ||
        hd_claims_has(text, length, "Conflicting store by thread"))
        *kind = HD_CLAIM_RACE;
    else if (hd_claims_has(text, length, ": lock order \""))
        *kind = HD_CLAIM_DEADLOCK;
    else
        return false;
    return true;
}

static bool opens(const char *text, size_t length, enum hd_claim_kind kind)
{
    return kind == HD_CLAIM_DEADLOCK
               ? hd_claims_has(text, length, "followed by a later acquisition of lock")
               : hd_claims_has(text, length, "This conflicts with a previous");
}

static bool is_frame(const char *text, size_t length)
{
    return length > 5 && (memcmp(text, "at 0x", 5) == 0 || memcmp(text, "by 0x", 5) == 0);
}

void hd_claims_valgrind(struct hd_claims *claims, const char *bytes, size_t n)
{
    const char *at = bytes, *line, *file;
    size_t length, file_length;
    uint32_t number;
    bool inside = false, wanted = false;
    while ((line = hd_claims_line(&at, bytes + n, &length)) != NULL) {
        const char *text = text_of(line, &length);
        enum hd_claim_kind kind;
        if (!text)
            continue;
        struct hd_claim *claim = inside ? &claims->items[claims->n - 1] : NULL;
        if (is_head(text, length, &kind)) {
            hd_claims_add(claims, kind, text, length);
            inside = true;
            wanted = kind == HD_CLAIM_RACE;
        } else if (claim && is_frame(text, length)) {
            if (wanted && hd_claim_frame(text, length, &file, &file_length, &number)) {
                hd_claim_place(claim, file, file_length, number);
                wanted = false;
            }
        } else if (claim && opens(text, length, claim->kind)) {
            wanted = true;
        } else if (claim && hd_claims_has(text, length, "Address 0x")) {
            wanted = false; /* a stack of the allocation */
        }
    }
}
