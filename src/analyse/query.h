/* Questions about a program's source, for callers without LLVM: slices and warnings, in files
 * and lines. */
#ifndef HD_ANALYSE_QUERY_H
#define HD_ANALYSE_QUERY_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_query;

/* The bitcode that the executable carries (core/site.h).  `name` is for messages. */
int hd_query_open(struct hd_query **query, const void *bitcode, size_t n, const char *name,
                  struct hd_err *err);
void hd_query_close(struct hd_query *query); /* NULL is fine */

/* Texts live as long as the query. */
struct hd_line {
    const char *file;
    uint32_t line;
};

/* ---- slices ---- */

struct hd_sliced_line {
    struct hd_line at;
    bool visible; /* it does something that other threads can see */
    bool target;
};

/* A read of the slice may see what another thread writes. */
struct hd_sliced_influence {
    struct hd_line read, write;
    const char *variable, *thread;
};

struct hd_sliced_function {
    const char *name, *file;
    uint32_t first, last; /* lines */
};

struct hd_sliced_thread {
    const char *entry;
    bool many;                    /* several threads may begin there */
    struct hd_sliced_line *lines; /* by file and line */
    uint32_t n_lines;
    struct hd_sliced_influence *influences;
    uint32_t n_influences;
    struct hd_sliced_function *functions; /* that hold lines of the slice */
    uint32_t n_functions;
};

struct hd_sliced {
    struct hd_sliced_thread *threads; /* those with something in the slice */
    uint32_t n;
    double seconds;
};

/* `targets`: "file:line" or a function.  `whole`: with what other threads contribute. */
int hd_query_slice(struct hd_query *query, const struct hd_strs *targets, bool whole,
                   struct hd_sliced *sliced, struct hd_err *err);
void hd_sliced_release(struct hd_sliced *sliced);

/* ---- warnings ---- */

struct hd_warned_site {
    struct hd_line at;
    const char *function, *thread;
    const char *what; /* the variable, or the lock taken */
    const char *held; /* the lock held meanwhile; "": none */
    bool writes;
};

struct hd_warned {
    bool deadlock; /* otherwise a race */
    bool mixed;    /* some of the places hold a lock, others none */
    struct hd_warned_site *sites;
    uint32_t n_sites;
};

struct hd_warned_list {
    struct hd_warned *items;
    uint32_t n;
    bool more;
};

void hd_query_warnings(struct hd_query *query, struct hd_warned_list *list);
void hd_warned_list_release(struct hd_warned_list *list);

/* ---- places, and ways to them ---- */

/* The points of the program's sites (core/site.h), UINT32_MAX: none; and which are of accesses
 * that are announced: the instrumenter may know more than the facts. */
struct hd_query_sites {
    const uint32_t *points;
    const bool *accesses;
    uint32_t n;
};

/* Sets `bit` in marks[site] for every site at which a thread can be seen to stand at the
 * place: "file:line", one with a visible action in that line; a function, any with one in it,
 * and calls that it makes. */
int hd_query_mark(struct hd_query *query, const char *place, const struct hd_query_sites *sites,
                  uint32_t bit, uint32_t *marks, struct hd_err *err);

/* How far every site is from those with the bit, or, when bit is 0, from where assertions fail
 * and heddle_target() stands.  False: there is no such place. */
struct hd_way;
bool hd_query_ways(struct hd_query *query, const struct hd_query_sites *sites,
                   const uint32_t *marks, uint32_t bit, struct hd_way *ways);

/* Appends the program without what the slice leaves out (analyse/cut.h), as bitcode.  The query
 * can answer nothing afterwards. */
int hd_query_cut(struct hd_query *query, const struct hd_query_sites *sites,
                 const struct hd_strs *targets, struct hd_str *bitcode, struct hd_err *err);
/* What may follow each site (core/foresight.h).  False: not known. */
struct hd_foresight;
bool hd_query_foresight(struct hd_query *query, const struct hd_query_sites *sites,
                        struct hd_foresight *out);

/* Does the program call the function? */
bool hd_query_calls(struct hd_query *query, const char *function);

/* ---- the facts against a run ---- */

enum hd_seen_where { HD_SEEN_GLOBAL, HD_SEEN_HEAP, HD_SEEN_STACK, HD_SEEN_THREAD };

/* An access that was made. */
struct hd_seen {
    uint32_t point;
    uint32_t line; /* of its site, to be compared; 0: not known */
    uint32_t thread;
    bool main, solo, writes;
    enum hd_seen_where where;
    const char *variable; /* GLOBAL: the symbol */
    uint64_t offset;      /* GLOBAL: in the variable */
};

/* A call that a thread stood in. */
struct hd_seen_call {
    uint32_t point;  /* of the call; HD_SEEN_NO_CALL: the thread began with what is inside */
    uint32_t inside; /* the point inside it: of the next call, or where the thread stood */
};
#define HD_SEEN_NO_CALL UINT32_MAX

/* Appends a line to `why` for every call that the call graph does not have.  Returns how
 * many. */
uint32_t hd_query_check_calls(struct hd_query *query, const struct hd_seen_call *calls,
                              uint32_t n, struct hd_str *why);

/* Appends a line to `why` for every fact that an access contradicts: what it touched must be
 * among what its pointer may point to, its function among what its thread may run, and a
 * variable that two threads touched, one writing, must be one that may be shared.  Returns how
 * many there were. */
uint32_t hd_query_check(struct hd_query *query, const struct hd_seen *seen, uint32_t n,
                        struct hd_str *why);

/* ---- numbers ---- */

struct hd_query_numbers {
    uint32_t functions, blocks, instructions, entries, objects, nodes, merged;
    uint32_t accesses, shared;
    double seconds;
};
struct hd_query_numbers hd_query_numbers(const struct hd_query *query);

#endif
