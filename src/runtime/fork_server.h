/* One process of the tested program, copied for each of its workers
 * (docs/design/030-fork-server.md).  The supervisor starts one where no code of the program
 * runs before main, so that a copy is what a new process would be.  It looks for this function
 * in the executable. */
#ifndef HD_RUNTIME_FORK_SERVER_H
#define HD_RUNTIME_FORK_SERVER_H

/* The descriptors of a worker. */
struct hd_served {
    int memory; /* its shared memory */
    int tree;   /* what it shares with other workers; -1: it is the only one */
};

/* Copies the process whenever such descriptors come over the socket `line`, and sends back the
 * number of the process that was made.  Returns them, in the copies alone; the original ends
 * with its socket. */
struct hd_served hd_fork_server(int line);

#endif
