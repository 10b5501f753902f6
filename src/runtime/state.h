/* The state of the program, for a world that is asked to compare states
 * (explore/loop/world.h). */
#ifndef HD_RUNTIME_STATE_H
#define HD_RUNTIME_STATE_H

#include "runtime/rt.h"

bool hd_state_change(void *self, uint32_t since, uint64_t out[2], struct hd_tset *threads);

uint64_t hd_state_bytes(void *self, uint32_t thread, const char **bytes);

/* The thread whose stack, thread-local block or next action the word is in, or whose data for
 * messages, which is not compared; ~0u if none. */
uint32_t hd_state_owner(uint64_t at);

/* Can a thread other than this one get at the byte by pointers (reach.c)? */
bool hd_reach_others(void *self, uint32_t thread, uint64_t addr);

void hd_state_local(void *self, uint32_t thread, uint64_t out[2]);

/* state_aes.c: the same where the processor has an instruction for AES. */
bool hd_state_change_aes(uint32_t since, uint64_t out[2], struct hd_tset *threads);
void hd_state_local_aes(uint32_t thread, uint64_t out[2]);

/* States will be compared. */
void hd_state_prepare(void);

/* symmetry.c */
uint64_t hd_symmetry_class(void *self, uint32_t thread);
bool hd_symmetry_change(void *self, struct hd_symmetry_change *out);
void hd_symmetry_local(void *self, uint32_t thread, uint64_t out[2], struct hd_tset *leads);
bool hd_symmetry_is_joined(void *self, uint32_t thread);
bool hd_symmetry_is_published(void *self, uint32_t thread);
const char *hd_symmetry_distinguished_by(void *self);
/* The program does something with this thread that it need not do with those which are
 * interchangeable with it. */
void hd_symmetry_tell(uint32_t thread, const char *why);

#endif
