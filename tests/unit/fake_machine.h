/* States and steps of a fake program. */
#ifndef FAKE_MACHINE_H
#define FAKE_MACHINE_H

#include "fake_world.h"

enum fake_standing { FAKE_UNBORN, FAKE_READY, FAKE_QUEUED, FAKE_WOKEN, FAKE_OVER };
enum fake_outcome { FAKE_GOES_ON, FAKE_DONE, FAKE_FAILED, FAKE_CRASH };

void fake_state_init(const struct fake_program *p, struct fake_state *s);
bool fake_state_enabled(const struct fake_program *p, const struct fake_state *s, uint32_t t);
/* The thread's next action, its *_FAIL row when it would fail now. */
struct hd_action fake_state_action(const struct fake_program *p, const struct fake_state *s,
                                   uint32_t t);
/* The choice'th thread that waits on the condition, ~0u when there is none. */
uint32_t fake_state_waiter(const struct fake_program *p, const struct fake_state *s,
                           uint32_t cond, uint32_t choice);
enum fake_outcome fake_state_step(const struct fake_program *p, struct fake_state *s, uint32_t t,
                                  uint32_t choice);
uint64_t fake_hash(uint64_t h, const void *bytes, uint64_t n);

#endif
