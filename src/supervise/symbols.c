#include "supervise/symbols.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

#define FEW 2 /* looks by name for which sorting does not pay */

void hd_symbols_add(struct hd_symbols *s, struct hd_symbol symbol)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        struct hd_symbol *items = hd_alloc(s->room * sizeof *items);
        if (s->n)
            memcpy(items, s->items, s->n * sizeof *items);
        free(s->items);
        s->items = items;
    }
    s->items[s->n++] = symbol;
}

void hd_symbols_release(struct hd_symbols *s)
{
    free(s->items);
    free(s->by_name);
    *s = (struct hd_symbols){ 0 };
}

static int by_address(const void *a, const void *b)
{
    const struct hd_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
    const struct hd_symbol *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void sort(struct hd_symbols *s)
{
    if (s->sorted || s->n == 0)
        return;
    s->sorted = true;
    qsort(s->items, s->n, sizeof *s->items, by_address);
    s->by_name = hd_alloc(s->n * sizeof *s->by_name);
    for (size_t i = 0; i < s->n; i++)
        s->by_name[i] = &s->items[i];
    qsort(s->by_name, s->n, sizeof *s->by_name, by_name);
}

/* Without an order: what hd_symbols_find() says. */
static const struct hd_symbol *find_unsorted(const struct hd_symbols *s, const char *name,
                                             bool *many)
{
    const struct hd_symbol *first = NULL;
    size_t n_there = 0, n_all = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct hd_symbol *symbol = &s->items[i];
        if (strcmp(symbol->name, name) != 0)
            continue;
        n_all++;
        if (!first || symbol->address < first->address) {
            first = symbol;
            n_there = 0;
        }
        n_there += symbol->address == first->address;
    }
    *many = n_there == 1 && n_all > 1;
    return first;
}

const struct hd_symbol *hd_symbols_find(struct hd_symbols *s, const char *name, bool *many)
{
    if (!s->sorted && s->n_found++ < FEW)
        return find_unsorted(s, name, many);
    sort(s);
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(s->by_name[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->n || strcmp(s->by_name[low]->name, name) != 0)
        return NULL;
    *many = low + 1 < s->n && strcmp(s->by_name[low + 1]->name, name) == 0 &&
            s->by_name[low + 1]->address != s->by_name[low]->address;
    return s->by_name[low];
}

const struct hd_symbol *hd_symbols_around(struct hd_symbols *s, uint64_t address)
{
    sort(s);
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct hd_symbol *found = &s->items[low - 1];
    while (found > s->items && found[-1].address == found->address)
        found--;
    return address - found->address < found->size ? found : NULL;
}

const struct hd_symbol *hd_symbols_nth(struct hd_symbols *s, size_t i)
{
    sort(s);
    return i < s->n ? &s->items[i] : NULL;
}
