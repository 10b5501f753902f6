/* Shared by the files of query.h. */
#ifndef HD_ANALYSE_QUERY_INTERNAL_H
#define HD_ANALYSE_QUERY_INTERNAL_H

#include "analyse/facts.h"
#include "analyse/query.h"
#include "base/strmap.h"

struct hd_query {
    LLVMContextRef context;
    LLVMModuleRef module;
    struct hd_facts facts;
    struct hd_strmap texts; /* text -> its copy, which lives as long as the query */
    char *name;
    double seconds; /* that the analysis took */
};

struct hd_points {
    uint32_t *items;
    uint32_t n, room;
};

/* The copy that is kept. */
const char *hd_query_text(struct hd_query *q, const char *text);
const char *hd_query_file(struct hd_query *q, const struct hd_code_place *place);
struct hd_line hd_query_line(struct hd_query *q, uint32_t point); /* line 0: not known */
const char *hd_query_location(struct hd_query *q, uint32_t location);

/* The same for what the instruction accesses: a block is called as the source does there. */
const char *hd_query_accessed(struct hd_query *q, uint32_t point, uint32_t location);

/* The readable name of a function, and of the one that a thread begins in. */
const char *hd_query_function(struct hd_query *q, uint32_t function);
const char *hd_query_entry(struct hd_query *q, uint32_t entry);

/* Adds the points of "file:line", or the first one of a function. */
int hd_query_target(struct hd_query *q, const char *text, struct hd_points *points,
                    struct hd_err *err);

/* Is a thread that executes the site's instruction visible there? */
bool hd_query_is_seen(const struct hd_query *q, const struct hd_query_sites *sites,
                      uint32_t site);

#endif
