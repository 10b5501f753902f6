/* What the parts of the generator share. */
#ifndef ORC_GEN_PARTS_H
#define ORC_GEN_PARTS_H

#include "gen.h"
#include "rng.h"

/* What a program may have beside accesses, mutexes and conditions. */
enum orc_more {
    ORC_MORE_RWLOCKS = 1,
    ORC_MORE_SEMS = 2,
    ORC_MORE_TIMED = 4,
    ORC_MORE_BARRIER = 8,
    ORC_MORE_CHOOSE = 16,
    ORC_MORE_EXIT = 32, /* main ends by pthread_exit */
};

struct gen {
    struct orc_rng rng;
    struct orc_rng extra; /* for what `more` adds: programs without stay what they were */
    struct orc_program *p;
    uint32_t more;    /* enum orc_more */
    bool careful;     /* what no mutex protects is mostly atomic */
    uint32_t n_plain; /* vars[0 .. n_plain) are plain, the rest atomic */
    uint32_t size;    /* statements per thread, about */
    uint32_t thread;
    uint32_t depth; /* nesting of blocks */
    uint32_t loops;
    uint8_t held[ORC_MAX_MUTEXES]; /* by the current thread, at this place, how often */
    uint8_t held_rw[ORC_MAX_RWLOCKS];
    bool leaves; /* a thread may end with a mutex taken */
    bool misuse;
    bool breaks, assumes, sections, invariants, orders;
    uint32_t weak; /* percent of atomic accesses that are weaker than seq_cst */
    bool left_locked;
    bool gathers; /* two children wait on the first condition, the others signal */
};

struct block {
    uint16_t first, last;
};

static inline uint32_t below(struct gen *g, uint32_t n) { return orc_rng_below(&g->rng, n); }
static inline bool percent(struct gen *g, uint32_t p) { return orc_rng_percent(&g->rng, p); }

/* gen.c; NULL when the program is full */
struct orc_stmt *orc_gen_add(struct gen *g, struct block *b, enum orc_stmt_kind kind);
void orc_gen_append(struct gen *g, struct block *b, uint16_t first);
uint16_t orc_gen_block(struct gen *g, uint32_t n);

void orc_gen_access(struct gen *g, struct block *b); /* a read or write of one */
struct orc_ref orc_gen_plain(struct gen *g);         /* a plain variable, or part of one */

void orc_gen_atomic(struct gen *g, struct block *b, enum orc_stmt_kind kind);

/* gen_orders.c */
void orc_gen_order(struct gen *g, struct orc_stmt *s); /* of an atomic access or fence */
void orc_gen_ordered(struct gen *g, struct block *b);  /* statements that synchronise by them */

/* gen_more.c */
uint32_t orc_gen_draw_more(struct gen *g);
void orc_gen_more_objects(struct gen *g);
void orc_gen_more(struct gen *g, struct block *b, uint32_t n); /* one statement of these */
void orc_gen_section(struct gen *g, struct block *b);
void orc_gen_assume(struct gen *g, struct block *b); /* an assumption, maybe of what it reads */

/* gen.c: a program for the seed, with that many threads. */
void orc_gen_program(struct gen *g, uint64_t seed, uint32_t n_threads,
                     const struct orc_limits *limits);

#endif
