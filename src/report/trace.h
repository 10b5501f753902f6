/* Trace files: docs/trace-format.md is the specification. */
#ifndef HD_REPORT_TRACE_H
#define HD_REPORT_TRACE_H

#include "base/err.h"
#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

#define HD_TRACE_VERSION 1
#define HD_TRACE_MAX_LINE 65536

/* What is needed besides the steps to run them again, and to describe them. */
struct hd_trace_head {
    struct hd_strs sources; /* files compiled on the fly; empty: `program` is an executable */
    struct hd_strs cc_flags;
    char *program;
    struct hd_strs args; /* of the program, without its name */
    char *build;         /* 32 hex digits */
    char *strategy;
    char *checker; /* the strategy from outside that judges, with its argument; NULL: none */
    struct hd_strs invariants;
    struct hd_strs targets;
    uint64_t seed;
    int32_t expect_exit;
    uint32_t memory;                       /* enum hd_memory */
    uint32_t no_timeouts, spurious, polls; /* options that shape the program's steps */
    struct hd_faults faults;
    struct hd_reuse reuse;
    struct hd_nondet nondet;
    struct hd_stdin input;
    uint32_t leaks;
    uint32_t files_off;
    uint32_t volatile_ok;
    struct hd_strs rules; /* of volatile accesses that count as atomic (core/suppress.h) */
};

void hd_trace_head_init(struct hd_trace_head *head);
void hd_trace_head_release(struct hd_trace_head *head);

struct hd_trace_step {
    struct hd_step step; /* as a script entry */
    uint32_t line;
    const char *symbol, *symbol2; /* variables whose addresses bind looks up; NULL: none */
    const char *function;         /* that it is in; NULL: not known */
};

struct hd_trace {
    struct hd_trace_head head;
    bool bare;         /* a schedule of threads alone, without a head */
    bool numbered;     /* bare: threads are ids in order of appearance, not names */
    bool all;          /* the steps before the second thread exists are there too */
    enum hd_kind kind; /* of the violation */
    char *message;
    enum hd_leads_to leads_to; /* where the steps end, when the program does not */
    uint32_t race[2];          /* threads */
    struct hd_threads threads;
    struct hd_trace_step *steps;
    uint32_t n_steps;
    char *text;   /* what the steps point into */
    bool by_user; /* it has a signature that only this user can make (hd_trace_read) */
};

/* Appends the trace of a run. */
void hd_trace_write(struct hd_str *out, const struct hd_trace_head *head,
                    const struct hd_run *run, const struct hd_program *program);

/* Signs the text of a whole trace with the user's key.  The error says why there is no key; the
 * text is then a trace without a signature. */
int hd_trace_sign(struct hd_str *text, struct hd_err *err);

/* Are the bytes a trace that this user has signed? */
bool hd_trace_is_signed(const char *bytes, size_t n);

/* Reads `n` bytes (any bytes); errors begin with "name:line: ".  `trace` is to be released only
 * on success. */
int hd_trace_parse(struct hd_trace *trace, const char *name, const char *bytes, size_t n,
                   struct hd_err *err);
int hd_trace_read(struct hd_trace *trace, const char *path, struct hd_err *err);
void hd_trace_release(struct hd_trace *trace);

/* Makes the steps a script for that program: checks that it is the program of the trace, and
 * looks up variables and sites.  *script is the caller's to free. */
int hd_trace_bind(const struct hd_trace *trace, const char *name,
                  const struct hd_program *program, struct hd_step **script, struct hd_err *err);

/* Is the program the one of the trace, but of another build? */
bool hd_trace_changed(const struct hd_trace *trace, const struct hd_program *program);

/* Appends the text as one word: quoted when it has to be. */
void hd_trace_quote(struct hd_str *out, const char *text);

#endif
