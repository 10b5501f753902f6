/* A growing set of 128-bit keys, each with a value. */
#ifndef ORC_SET_H
#define ORC_SET_H

#include <stdbool.h>
#include <stdint.h>

struct orc_key {
    uint64_t a, b;
};

struct orc_entry {
    struct orc_key key;
    uint64_t value, value2;
    bool used;
};

struct orc_set {
    struct orc_entry *slots;
    uint64_t n, size;
};

void orc_set_init(struct orc_set *s);
void orc_set_release(struct orc_set *s);

/* The entry of the key, made (values 0) when there is none; *fresh says which.  Valid until the
 * next call. */
struct orc_entry *orc_set_get(struct orc_set *s, struct orc_key key, bool *fresh);

/* A key for bytes. */
struct orc_key orc_key_of(const void *bytes, uint64_t n);

#endif
