/* A process that does one `heddle check` after the other (serve_main.c). */
#ifndef ORC_SERVER_H
#define ORC_SERVER_H

#include "child.h"

struct orc_server {
    int fd, pid;
};

/* Ends the program when it cannot be started. */
void orc_server_start(struct orc_server *s, const char *program);

void orc_server_stop(struct orc_server *s);

/* argv are the arguments of `heddle`, `executable` is among them; stdout is kept in the file
 * `output` until it is read. */
void orc_server_run(struct orc_server *s, char *const argv[], const char *executable,
                    const char *output, const char *errors, int seconds, struct orc_child *out);

#endif
