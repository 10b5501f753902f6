/* Random programs for the judge, as text. */
#ifndef AX_GEN_H
#define AX_GEN_H

#include <stdint.h>
#include <stdio.h>

/* What a program may have beside relaxed and stronger loads and stores. */
enum ax_feature {
    AX_HAS_RMW = 1,  /* fetch-add, exchange, compare-exchange */
    AX_HAS_WEAK = 2, /* weak compare-exchange that may fail for no reason */
    AX_HAS_FENCE = 4,
    AX_HAS_SEQ_CST = 8,
    AX_HAS_BRANCH = 16, /* and arithmetic */
    AX_HAS_PLAIN = 32,
    AX_HAS_MUTEX = 64,
    AX_HAS_SEM = 128,
    AX_HAS_COND = 256,  /* needs AX_HAS_MUTEX */
    AX_HAS_CYCLE = 512, /* a third of the programs is made around a cycle (gen_cycle.c) */
    AX_HAS_BARRIER = 1024,
    AX_HAS_ALL = 2047,
    AX_HAS_RACES = 2048, /* plain accesses of the same locations as atomic ones */
};

struct ax_gen {
    uint64_t seed;
    uint32_t threads;   /* at most; at least two */
    uint32_t events;    /* of a thread, about */
    uint32_t locations; /* at most */
    uint32_t features;  /* enum ax_feature; each program has a random part of them */
};

void ax_generate(const struct ax_gen *how, FILE *out);
void ax_generate_cycle(const struct ax_gen *how, FILE *out); /* one around a cycle */

/* The feature of that name (rmw, weak, fence, seq_cst, branch, plain, mutex, sem, cond, barrier, races,
 * all), or 0. */
uint32_t ax_feature(const char *name);

#endif
