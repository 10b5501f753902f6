/* fork: the child is not followed.  The parent goes on with a number, and the result says that
 * what the child does was not explored.
 *
 * A child may act on what it shares with its parent.  So fork is refused while a descriptor of
 * the model or shared memory is there, and an execution in which nobody can move while there is
 * a child is no deadlock.  waitpid() finds that the child has ended with status 0; with WNOHANG
 * it is a choice whether it has ended. */
#ifndef HD_RUNTIME_FORK_H
#define HD_RUNTIME_FORK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Is there a child that has not been waited for? */
bool hd_fork_has_child(void);
/* Is the process such a child?  In a step. */
bool hd_fork_is_child(pid_t pid, uint32_t site);

#endif
