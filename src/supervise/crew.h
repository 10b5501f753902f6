/* The workers of one exploration: one, or several with the tree they share
 * (core/shared_tree.h).  After a checkpoint of more workers than there are now, the members
 * after the first n have no process: they keep the counters and findings of those workers. */
#ifndef HD_SUPERVISE_CREW_H
#define HD_SUPERVISE_CREW_H

#include "core/shared_tree.h"
#include "supervise/autopsy.h"

struct hd_plugin_host;

struct hd_crew {
    uint32_t n, n_running;
    uint32_t n_members; /* n, or more */
    struct hd_member {
        struct hd_worker worker;
        struct hd_vigil vigil;
        bool running;
    } *members;
    int memory; /* of the tree; -1: there is none */
    struct hd_shared_tree_head *tree;
    struct hd_plugin_host *host; /* of a strategy from outside; NULL: there is none */
};

/* Creates the memory of options->jobs workers. */
int hd_crew_init(struct hd_crew *crew, const struct hd_options *options,
                 const struct hd_route *route, struct hd_err *err);
void hd_crew_release(struct hd_crew *crew); /* ends those that run */

/* Before it starts: create the shared tree; make room for n_members. */
int hd_crew_share(struct hd_crew *crew, struct hd_err *err);
int hd_crew_keep(struct hd_crew *crew, uint32_t n_members, struct hd_err *err);

int hd_crew_start(struct hd_crew *crew, uint32_t who, const struct hd_program *program,
                  char *const *args, struct hd_err *err);

/* All workers have been stopped between two executions: write the rest of each one's work into
 * its memory, as a work unit (shared->unit_at).  They can go on afterwards.
 * hd_crew_forget_units() frees the memory.  Returns HD_PACK_FULL if a unit does not fit; after
 * any other value than 0 the exploration cannot go on. */
enum { HD_PACK_FULL = 1 };
int hd_crew_pack(struct hd_crew *crew, const struct hd_program *program, char *const *args,
                 struct hd_err *err);
void hd_crew_forget_units(struct hd_crew *crew);

/* The same as parts that wait in the memory of the crew, and the keys of all observations in
 * the first worker's memory (shared->unit_at).  `finished`: there are no parts.  They cannot
 * go on afterwards. */
int hd_crew_scatter(struct hd_crew *crew, bool finished, const struct hd_program *program,
                    char *const *args, struct hd_err *err);

/* All have been stopped between two executions: the next workers go on there. */
void hd_crew_go_on(struct hd_crew *crew);

/* Waits until one has ended, and says which and what it was. */
enum hd_outcome hd_crew_watch(struct hd_crew *crew, const struct hd_watch *watch,
                              struct hd_program *program, uint32_t *who, struct hd_err *err);

/* The first is to be started again with more threads.  If the others still wait for it to
 * execute the program once, ends those that are copies and gives them as many; `running` is
 * false then. */
void hd_crew_wait_anew(struct hd_crew *crew);

/* Ask all to stop; end all that run. */
void hd_crew_stop(struct hd_crew *crew);
void hd_crew_kill(struct hd_crew *crew);

/* The memory of a worker that has been damaged (err says how), or NULL. */
const struct hd_worker_memory *
hd_crew_damage(const struct hd_crew *crew, const struct hd_program *program, struct hd_err *err);

/* The sum over all workers; the maximum for counters that are maxima. */
struct hd_counters hd_crew_counters(const struct hd_crew *crew);

/* The same for two: counters of iterative bounding and the explored share exist with one worker
 * only; they are not added. */
void hd_counters_add(struct hd_counters *sum, const struct hd_counters *c);

/* The notes of all workers together. */
void hd_crew_notes(const struct hd_crew *crew, struct hd_notes *sum);

/* Peak memory of all together, at most. */
uint64_t hd_crew_peak_rss_kb(const struct hd_crew *crew);

#endif
