/* A request to `heddle check`. */
#ifndef HD_CLI_CHECK_REQUEST_H
#define HD_CLI_CHECK_REQUEST_H

#include "base/str.h"
#include "core/worker_memory.h"

#include <stdbool.h>

#define HD_DEFAULT_LEDGER "heddle-units"

/* What is to be explored. */
enum hd_check_work {
    HD_CHECK_ALL,
    HD_CHECK_SPLIT,       /* as much as it takes to have units (supervise/parts.h) */
    HD_CHECK_UNIT,        /* one of them */
    HD_CHECK_MERGE,       /* nothing: results of units are added up */
    HD_CHECK_DISTRIBUTED, /* everything, on several machines (cli/distributed.h) */
};

struct hd_check {
    enum hd_check_work work;
    const char *units; /* the directory of the units, or the unit */
    char *directory;   /* the same, where it is our copy */
    bool distributed;
    const char *ledger;        /* NULL: not given */
    uint32_t group;            /* ranks with one leader; 0: not given */
    uint32_t n_units;          /* how many are wanted */
    struct hd_options options; /* invariants are not looked up yet */
    struct hd_strs files;
    struct hd_strs cc_flags;
    struct hd_strs invariants;
    struct hd_strs targets, via; /* places */
    uint32_t trials;             /* 0: one exploration */
    uint32_t trials_at_a_time;
    char **args; /* of the program; points into argv */
    char *name;  /* the files, as given */
    char *strategy;
    bool phases;    /* several searches, one after the other: hd_strategy_plan() */
    bool strong;    /* --memory sc: orders weaker than seq_cst cost the verdict */
    double seconds; /* 0: no bound */
    double hang_seconds;
    const char *json, *sarif, *junit, *html; /* files to write; NULL: none */
    const char *resume, *checkpoint;         /* NULL: none */
    bool trust;                              /* go on with a checkpoint of somebody else */
    double checkpoint_seconds;
    const char *suppressions; /* the last file of rules that was given, for messages */
    const char *trace_dir;
    bool trace_dir_given;
    bool quiet, verbose, require_verified, github, no_minimise, no_earlier;
    bool unsound;  /* filters may stand together that are not known to be right */
    bool scenario; /* the program is one scenario of heddle lin, which has fewer options */
    bool places;   /* the report on standard output is a list of places for editors */
};

#endif
