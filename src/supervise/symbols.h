/* Symbols of one kind of an executable.  They are sorted when they are first looked for by
 * address, or for the third time by name: most checks ask for no more than one or two. */
#ifndef HD_SUPERVISE_SYMBOLS_H
#define HD_SUPERVISE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_symbol {
    uint64_t address, size;
    const char *name; /* the caller's */
};

struct hd_symbols {
    struct hd_symbol *items; /* by address, if sorted */
    const struct hd_symbol **by_name;
    size_t n, room;
    uint32_t n_found; /* how often one was looked for by name */
    bool sorted;
};

void hd_symbols_add(struct hd_symbols *s, struct hd_symbol symbol); /* before others look */
void hd_symbols_release(struct hd_symbols *s);

/* The first symbol of that name; *many when it is not the only one at its address. */
const struct hd_symbol *hd_symbols_find(struct hd_symbols *s, const char *name, bool *many);

/* The first symbol, by name, at the greatest address that is not above `address`. */
const struct hd_symbol *hd_symbols_around(struct hd_symbols *s, uint64_t address);

/* By address; NULL: there are no more. */
const struct hd_symbol *hd_symbols_nth(struct hd_symbols *s, size_t i);

#endif
