#include "analyse/query_internal.h"
#include "analyse/warnings.h"

#include <stdlib.h>
#include <string.h>

static bool holds_any(const struct hd_locks *locks, uint32_t point)
{
    struct hd_lockset held = hd_locks_must(locks, point);
    for (uint32_t i = 0; i < HD_LOCK_WORDS; i++)
        if (held.words[i])
            return true;
    return false;
}

static void describe(struct hd_query *q, const struct hd_warning *w, struct hd_warned *out)
{
    uint32_t locked = 0;
    for (uint32_t i = 0; i < w->n_sites; i++)
        locked += holds_any(&q->facts.locks, w->sites[i].point);
    *out = (struct hd_warned){ .deadlock = w->kind == HD_WARNING_DEADLOCK,
                               .mixed = locked > 0 && locked < w->n_sites };
    out->sites = hd_alloc(w->n_sites * sizeof *out->sites);
    out->n_sites = w->n_sites;
    for (uint32_t i = 0; i < w->n_sites; i++) {
        const struct hd_warning_site *site = &w->sites[i];
        uint32_t function = hd_code_function_of(&q->facts.code, site->point);
        out->sites[i] = (struct hd_warned_site){
            .at = hd_query_line(q, site->point),
            .function = hd_query_function(q, function),
            .thread = hd_query_entry(q, site->entry),
            .what = out->deadlock ? hd_query_location(q, site->location)
                                  : hd_query_accessed(q, site->point, site->location),
            .held = out->deadlock ? hd_query_location(q, site->held) : "",
            .writes = site->writes,
        };
    }
}

/* How likely a warning is: the smaller, the more.  The program's first thread may be alone,
 * before it creates others and after it has joined them, which is only guessed at.  Where one
 * place takes a lock and the other does not, it was probably forgotten; where none does,
 * something else may keep them apart. */
static uint32_t rank(const struct hd_warned *w)
{
    bool main = false, all_write = true;
    for (uint32_t i = 0; i < w->n_sites; i++) {
        main = main || strcmp(w->sites[i].thread, "main") == 0;
        all_write = all_write && w->sites[i].writes;
    }
    return w->deadlock ? main : 2u + 4u * main + 2u * !w->mixed + !all_write;
}

static int by_rank(const void *a, const void *b)
{
    const struct hd_warned *x = a, *y = b;
    uint32_t p = rank(x), q = rank(y);
    if (p != q)
        return p < q ? -1 : 1;
    int order = strcmp(x->sites[0].at.file, y->sites[0].at.file);
    if (order)
        return order;
    return x->sites[0].at.line < y->sites[0].at.line ? -1
                                                     : x->sites[0].at.line > y->sites[0].at.line;
}

void hd_query_warnings(struct hd_query *q, struct hd_warned_list *list)
{
    struct hd_warnings warnings;
    hd_warnings_init(&warnings, &q->facts);
    *list = (struct hd_warned_list){ .n = warnings.n, .more = warnings.more };
    list->items = hd_alloc((warnings.n + 1) * sizeof *list->items);
    for (uint32_t i = 0; i < warnings.n; i++)
        describe(q, &warnings.items[i], &list->items[i]);
    qsort(list->items, list->n, sizeof *list->items, by_rank);
    hd_warnings_release(&warnings);
}

void hd_warned_list_release(struct hd_warned_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        free(list->items[i].sites);
    free(list->items);
    *list = (struct hd_warned_list){ 0 };
}
