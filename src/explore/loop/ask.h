/* Asking a strategy from outside (core/mailbox.h). */
#ifndef HD_EXPLORE_LOOP_ASK_H
#define HD_EXPLORE_LOOP_ASK_H

#include "explore/loop/explorer.h"

/* Write the question about the current state, pass the turn to the host and wait for the
 * answer, which is in the mailbox then, and not checked.  `since`: what is below this depth of
 * the path is known to the host.  False: there is no answer, and the explorer has given up. */
bool hd_ask_host(struct hd_explorer *ex, enum hd_question question, uint32_t since,
                 const uint32_t *alts, uint32_t n);

#endif
