/* What the drivers that send generated programs through heddle have in common: options, files of
 * a batch, compiling, checking, sharing the work among processes.  What cannot be done here ends
 * the program with status 2. */
#ifndef ORC_FRAME_H
#define ORC_FRAME_H

#include "child.h"
#include "gen.h"
#include "server.h"

struct orc_frame {
    const char *tool; /* in messages */
    const char *heddle, *dir, *serve;
    uint64_t n, first;
    uint32_t jobs;
    int seconds; /* that a check may take */
    struct orc_limits limits;
};

/* The options that all have. */
#define ORC_FRAME_USAGE                                                                          \
    "  --dir DIR       where the C files and executables go (build/tests/oracle)\n"              \
    "  --jobs N        processes (2)\n"                                                          \
    "  --serve PROGRAM does the checks without starting heddle for each (build/tests/oracle-serve)\n"

/* Reads the arguments into *f, which holds the defaults.  `other` is asked for options that not
 * all have: how many arguments it took, 0: no such option; value may be NULL.  False: the usage is
 * to be told. */
bool orc_frame_parse(struct orc_frame *f, int argc, char **argv,
                     int (*other)(void *self, const char *name, const char *value), void *self);

/* A batch: programs in one executable. */
struct orc_batch {
    const struct orc_frame *frame;
    struct orc_server *server; /* or NULL */
    struct orc_program *programs;
    struct orc_result *results;
    uint32_t n;
    char source[512], executable[512], errors[512], traces[512], output[512];
};

void orc_batch_init(struct orc_batch *b, const struct orc_frame *f, struct orc_server *server,
                    uint32_t room);
void orc_batch_release(struct orc_batch *b);

/* Its files are DIR/STEMfirst… */
void orc_batch_name(struct orc_batch *b, const char *stem, uint64_t first);

/* Write the programs and compile them; false when heddle does not. */
bool orc_batch_compile(struct orc_batch *b);

void orc_batch_remove(const struct orc_batch *b);

/* `heddle ARGS`, a check that may be served. */
void orc_batch_check(struct orc_batch *b, char *const argv[], struct orc_child *c);

/* Does share() in every one of f->jobs processes, each with a server and a tally of its own.  The
 * tallies, one after the other; NULL when one of the processes did not come to its end. */
void *orc_frame_run(const struct orc_frame *f, size_t tally_bytes,
                    void (*share)(void *self, uint32_t job, struct orc_server *server,
                                  void *tally),
                    void *self);

void *orc_take(size_t n, size_t size);

#endif
