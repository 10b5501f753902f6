/* The command that replays a trace, as a shell reads it. */
#ifndef HD_CLI_REPLAY_WORDS_H
#define HD_CLI_REPLAY_WORDS_H

#include "base/str.h"

#include <stdint.h>

/* "heddle replay", by the name that this process was called; the caller's to free. */
char *hd_replay_command(void);

/* "a.c b.c heddle-traces/a-crash-1.trace"; the caller's to free. */
char *hd_replay_operands(const struct hd_strs *files, const char *trace);

/* The same for each of n traces, NULL for those that are NULL. */
char **hd_replay_operands_all(const struct hd_strs *files, char *const *traces, uint32_t n);
void hd_replay_operands_release(char **operands, uint32_t n);

#endif
