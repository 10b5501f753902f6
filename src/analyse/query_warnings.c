#include "analyse/query_internal.h"
#include "analyse/warnings.h"

#include <stdlib.h>

static void describe(struct hd_query *q, const struct hd_warning *w, struct hd_warned *out)
{
    *out = (struct hd_warned){ .deadlock = w->kind == HD_WARNING_DEADLOCK };
    out->sites = hd_alloc(w->n_sites * sizeof *out->sites);
    out->n_sites = w->n_sites;
    for (uint32_t i = 0; i < w->n_sites; i++) {
        const struct hd_warning_site *site = &w->sites[i];
        uint32_t function = hd_code_function_of(&q->facts.code, site->point);
        out->sites[i] = (struct hd_warned_site){
            .at = hd_query_line(q, site->point),
            .function = hd_query_function(q, function),
            .thread = hd_query_text(q, hd_threads_name(&q->facts.threads, site->entry)),
            .what = hd_query_location(q, site->location),
            .held = out->deadlock ? hd_query_location(q, site->held) : "",
            .writes = site->writes,
        };
    }
}

void hd_query_warnings(struct hd_query *q, struct hd_warned_list *list)
{
    struct hd_warnings warnings;
    hd_warnings_init(&warnings, &q->facts);
    *list = (struct hd_warned_list){ .n = warnings.n, .more = warnings.more };
    list->items = hd_alloc((warnings.n + 1) * sizeof *list->items);
    for (uint32_t i = 0; i < warnings.n; i++)
        describe(q, &warnings.items[i], &list->items[i]);
    hd_warnings_release(&warnings);
}

void hd_warned_list_release(struct hd_warned_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        free(list->items[i].sites);
    free(list->items);
    *list = (struct hd_warned_list){ 0 };
}
