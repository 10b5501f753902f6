#include "core/finding.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_texts[HD_KIND_COUNT] = { [HD_KIND_NONE] = "none",
#define X(name, text) [HD_KIND_##name] = text,
                                                       HD_KINDS(X)
#undef X
};

const char *hd_kind_text(enum hd_kind kind)
{
    return (unsigned)kind < HD_KIND_COUNT ? kind_texts[kind] : "none";
}

enum hd_kind hd_kind_by_text(const char *text)
{
    for (unsigned k = 1; k < HD_KIND_COUNT; k++)
        if (strcmp(kind_texts[k], text) == 0)
            return (enum hd_kind)k;
    return HD_KIND_NONE;
}

void hd_finding_say_cycle(struct hd_finding *f)
{
    snprintf(f->message, sizeof f->message,
             "the last %u steps lead back to the state they began in, and every thread that can "
             "move moves: they can go on for ever",
             f->cycle);
}
