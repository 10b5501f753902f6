/* A job for the supervisor: a program to be explored, or a schedule to be run. */
#ifndef HD_SUPERVISE_JOB_H
#define HD_SUPERVISE_JOB_H

#include "core/worker_memory.h"
#include "supervise/autopsy.h"
#include "supervise/program.h"

#include <stdbool.h>

/* The thread table of a run. */
struct hd_threads {
    uint32_t n;
    struct hd_thread_name names[HD_MAX_THREADS];
};

struct hd_part;

struct hd_job {
    struct hd_program *program;
    char *const *args;            /* of the program, NULL-terminated; args[0] is its name */
    struct hd_options options;    /* mode, script fields and n_parked are the supervisor's */
    const struct hd_route *route; /* where to go; NULL: nowhere */
    const struct hd_foresight *foresight; /* what may follow; NULL: not known */
    struct hd_dice *dice;      /* a round of slice-n-dice; what it notes is added; NULL: none */
    struct hd_threads *known;  /* names given before it begins; new ones are added */
    struct hd_watch watch;     /* deadline and started are the supervisor's */
    double seconds;            /* time bound of the exploration; 0: none */
    const char *resume;        /* checkpoint to go on with; NULL: none */
    bool trust;                /* the checkpoint need not be signed by this user */
    const char *checkpoint;    /* where to keep one; NULL: nowhere */
    double checkpoint_seconds; /* how often */
    struct hd_part *part;      /* explore this part (supervise/parts.h); NULL: everything */
};

/* A job like another, but with these options; `to` as in hd_options_copy(). */
void hd_job_copy(struct hd_job *to, const struct hd_job *from, const struct hd_options *options);

struct hd_script {
    const struct hd_step *steps;
    uint32_t n;
    bool has_solo; /* see hd_options */
    bool partial;
    enum hd_guide guide; /* the script is guidance only, with these orders forced */
    uint32_t n_orders;
    struct hd_order orders[HD_MAX_ORDERS];
    enum hd_leads_to leads_to; /* what its end leads to, unless the program ends there */
    uint32_t race[2];
    const struct hd_threads *threads;
};

#endif
