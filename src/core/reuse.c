#include "core/reuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_reuse_parse(const char *text, struct hd_reuse *reuse)
{
    *reuse = (struct hd_reuse){ .mode = HD_REUSE_AUTO };
    if (strcmp(text, "off") == 0) {
        reuse->mode = HD_REUSE_OFF;
        return true;
    }
    if (strcmp(text, "all") == 0) {
        *reuse = (struct hd_reuse){ .mode = HD_REUSE_ALL, .classes = ~0ull };
        return true;
    }
    if (strncmp(text, "auto", 4) != 0)
        return false;
    text += 4;
    if (*text == 0)
        return true;
    size_t digits = *text == ':' ? strspn(text + 1, "0123456789abcdef") : 0;
    if (digits == 0 || digits > 16 || text[1 + digits] != 0)
        return false;
    reuse->classes = strtoull(text + 1, NULL, 16);
    return true;
}

void hd_reuse_text(const struct hd_reuse *reuse, char *text, size_t size)
{
    if (reuse->mode != HD_REUSE_AUTO)
        snprintf(text, size, "%s", reuse->mode == HD_REUSE_OFF ? "off" : "all");
    else if (reuse->classes)
        snprintf(text, size, "auto:%llx", (unsigned long long)reuse->classes);
    else
        snprintf(text, size, "auto");
}
