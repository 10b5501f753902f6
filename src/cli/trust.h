/* Which parts of a trace may be used.  Compiler options run code (-fplugin=), write files
 * (-MF) and choose headers (-I); arguments make the program do anything that it can do; an
 * invariant is a function that is called, a checker a shared object that is loaded, and
 * `heddle report` also takes the program's name from the trace.  These come from the author
 * of the trace.  They are used if the author is this user (the trace is signed), or with
 * --trust; otherwise those of the command line are used. */
#ifndef HD_CLI_TRUST_H
#define HD_CLI_TRUST_H

#include "base/err.h"
#include "report/trace.h"

struct hd_trust {
    const char *command;         /* "replay" or "report": for the line that says what to type */
    const char *path;            /* of the trace */
    const char *file_option;     /* what names a program on that command line; NULL: nothing */
    const struct hd_strs *files; /* the program or its C files, as the user named them */
    const char *rest;            /* what else that command line has; may be NULL */
    const struct hd_strs *cc_flags; /* of the command line */
    char *const *args;              /* likewise */
    bool trust;                     /* --trust */
};

/* Does the trace hold something that is used only if it can be trusted? */
bool hd_trust_matters(const struct hd_trace_head *head);

/* Says on stderr when a trace with this head will not be signed, and that matters. */
void hd_trust_warn(const struct hd_trace_head *head);

/* Makes the head of the trace what is to be used: its own words or those of the command line.
 * The error is one line with the command to type.  With --trust it says on stderr what is
 * used. */
int hd_trust_settle(const struct hd_trust *request, struct hd_trace *trace, struct hd_err *err);

#endif
