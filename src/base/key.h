/* The user's secret key: 32 bytes in $XDG_CONFIG_HOME/heddle/key or ~/.config/heddle/key, which
 * only the user can read.  What is signed with it was made by this user. */
#ifndef HD_BASE_KEY_H
#define HD_BASE_KEY_H

#include "base/blake2s.h"
#include "base/err.h"

#define HD_KEY_BYTES 32

struct hd_key {
    uint8_t bytes[HD_KEY_BYTES];
};

/* Reads the key; when there is none and `create`, makes one.  The error says why there is no
 * key: then nothing can be signed, and nothing counts as signed. */
int hd_key_get(struct hd_key *key, bool create, struct hd_err *err);

/* Begins a signature; `what` keeps signatures of different kinds of files apart. */
void hd_key_begin(struct hd_blake2s *state, const struct hd_key *key, const char *what);

/* Has a signature become the other one by damage?  Those with different keys have nothing in
 * common. */
bool hd_key_nearly(const uint8_t *signature, const uint8_t *other);

#endif
