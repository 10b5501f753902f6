/* Running a program and keeping what it prints. */
#ifndef ORC_CHILD_H
#define ORC_CHILD_H

#include <stddef.h>

struct orc_child {
    int status;   /* exit status; 128 + signal; -1: it could not be run, or ran out of time */
    char *output; /* stdout, NUL-terminated; the caller's to free() */
    size_t n;
};

/* stderr goes to the end of the file `errors`. */
void orc_child_run(char *const argv[], const char *errors, int seconds, struct orc_child *out);

#endif
