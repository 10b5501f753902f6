/* libFuzzer target: files of warnings, in every format that `heddle confirm` reads. */
#include "report/claims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Any bytes are either refused with a line, or are warnings with texts that can be shown. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct hd_claims claims;
    struct hd_err err = { "" };
    if (hd_claims_parse(&claims, "w", (const char *)bytes, n, &err) != 0) {
        if (strncmp(err.text, "w:", 2) != 0)
            abort();
        return 0;
    }
    for (uint32_t i = 0; i < claims.n; i++) {
        const struct hd_claim *claim = &claims.items[i];
        if (claim->kind > HD_CLAIM_FAULT || claim->n_places > HD_CLAIM_PLACES ||
            strpbrk(claim->message, "\n\r\033"))
            abort();
        for (uint32_t k = 0; k < claim->n_places; k++)
            if (!*claim->places[k].file)
                abort();
    }
    hd_claims_release(&claims);
    return 0;
}
