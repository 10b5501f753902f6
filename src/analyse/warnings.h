/* Static warnings: conflicting accesses that no lock keeps apart, and locks taken in an order
 * that can end in a deadlock.  They are candidates, to be confirmed by running. */
#ifndef HD_ANALYSE_WARNINGS_H
#define HD_ANALYSE_WARNINGS_H

#include "analyse/facts.h"

enum hd_warning_kind { HD_WARNING_RACE, HD_WARNING_DEADLOCK };

enum { HD_MOST_WARNING_SITES = 8 };

struct hd_warning_site {
    uint32_t point, entry;
    uint32_t location; /* accessed; DEADLOCK: the lock that is taken */
    uint32_t held;     /* DEADLOCK: the lock that is held meanwhile */
    bool writes;
};

struct hd_warning {
    enum hd_warning_kind kind;
    struct hd_warning_site sites[HD_MOST_WARNING_SITES];
    uint32_t n_sites;
};

struct hd_warnings {
    struct hd_warning *items;
    uint32_t n, room;
    bool more; /* there were too many to list */
};

/* The facts must include the locks. */
void hd_warnings_init(struct hd_warnings *warnings, struct hd_facts *facts);
void hd_warnings_release(struct hd_warnings *warnings);

#endif
