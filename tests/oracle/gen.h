/* Random programs, by seed. */
#ifndef ORC_GEN_H
#define ORC_GEN_H

#include "interp.h"

struct orc_limits {
    uint64_t most;   /* interleavings a program may have */
    bool no_misuse;  /* generate no lock misuse */
    bool breaks;     /* assert something of much that is read: many steps break the program */
    bool assumes;    /* assume something here and there */
    bool sections;   /* have atomic sections */
    bool invariants; /* programs with several variables, for invariants over them */
    bool orders;     /* atomic accesses of all orders, and fences */
    uint8_t finer;   /* enum orc_finer: programs for that, and what they do under it */
};

#define ORC_DEFAULT_MOST 20000

/* The program of the seed, lowered, and what it does.  Programs that have one interleaving, or more
 * than a bound drawn from the seed (limits->most at most), are drawn again.  Every fifth or so is
 * `large` instead: bounded by its prefix traces, however many interleavings it has. */
void orc_generate(uint64_t seed, const struct orc_limits *limits, struct orc_program *p,
                  struct orc_lowered *lowered, struct orc_result *result);

#endif
