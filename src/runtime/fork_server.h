/* One process of the tested program, copied for each of its workers
 * (docs/design/030-fork-server.md).  The supervisor starts one where no code of the program
 * runs before main, so that a copy is what a new process would be.  It looks for this function
 * in the executable. */
#ifndef HD_RUNTIME_FORK_SERVER_H
#define HD_RUNTIME_FORK_SERVER_H

/* Copies the process whenever a descriptor of shared memory comes over the socket `line`, and
 * sends back the number of the process that was made.  Returns that descriptor, in the copies
 * alone; the original ends with its socket. */
int hd_fork_server(int line);

#endif
