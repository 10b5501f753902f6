/* ThreadSanitizer: a report between two lines of `=`.  The first frame with a place of every
 * stack of an access, or of a mutex acquired while another is held, is a place. */
#define _GNU_SOURCE
#include "report/claims.h"

#include <string.h>

#define HEAD "WARNING: ThreadSanitizer: "

/* Does the line begin a stack that names a place of the warning? */
static bool opens(const char *line, size_t length, enum hd_claim_kind kind)
{
    if (kind == HD_CLAIM_DEADLOCK)
        return hd_claims_has(line, length, "acquired here while holding mutex");
    return hd_claims_has(line, length, " of size ") && hd_claims_has(line, length, " at 0x") &&
           !hd_claims_has(line, length, "Location is");
}

static bool is_frame(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && line[i] == ' ')
        i++;
    return i < length && line[i] == '#';
}

void hd_claims_tsan(struct hd_claims *claims, const char *bytes, size_t n)
{
    const char *at = bytes, *line, *file;
    size_t length, file_length;
    uint32_t number;
    bool inside = false, wanted = false;
    while ((line = hd_claims_line(&at, bytes + n, &length)) != NULL) {
        const char *head = memmem(line, length, HEAD, strlen(HEAD));
        if (head) {
            const char *what = head + strlen(HEAD), *end = line + length;
            const char *pid = memmem(what, (size_t)(end - what), " (pid=", 6);
            size_t words = (size_t)((pid ? pid : end) - what);
            hd_claims_add(claims, hd_claim_kind_of(what, words), what, words);
            inside = true;
            wanted = false;
        } else if (length >= 10 && memcmp(line, "==========", 10) == 0) {
            inside = wanted = false;
        } else if (inside && is_frame(line, length)) {
            if (wanted && hd_claim_frame(line, length, &file, &file_length, &number)) {
                hd_claim_place(&claims->items[claims->n - 1], file, file_length, number);
                wanted = false; /* the innermost one */
            }
        } else if (inside) {
            wanted = opens(line, length, claims->items[claims->n - 1].kind);
        }
    }
}
