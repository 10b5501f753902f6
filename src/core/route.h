/* Where a search is to go: places in the program, and how far every site is from each of them.
 * Made before the exploration from the program's code (analyse/distance.h), read by the
 * runtime and the searches.
 *
 * The first n_targets places are the targets: a violation of kind `target` is a state in which
 * as many different threads stand at them, each at one.  The n_via places after them are to
 * be passed, in this order, on the way there. */
#ifndef HD_CORE_ROUTE_H
#define HD_CORE_ROUTE_H

#include <stdint.h>

#define HD_MAX_PLACES 16
#define HD_MAX_GUIDED (1u << 16) /* sites */
#define HD_ROUTE_FAR UINT32_MAX

/* Least numbers of visible actions: from the site to the place inside its function and what
 * that calls, and to the function's return; the same from after the site, which is a call;
 * and from where the thread begins that the site starts. */
struct hd_way {
    uint32_t within, leave;
    uint32_t behind, behind_leave;
    uint32_t spawned;
};

struct hd_route {
    uint32_t n_sites; /* of the program; 0: there are no places */
    uint32_t n_targets, n_via;
    uint32_t atomic;     /* the program has atomic sections, in which no place is noticed */
    uint32_t assertions; /* place 0 is no target, but what fails: assertions and marks */
    char names[HD_MAX_PLACES][100];
    uint32_t marks[HD_MAX_GUIDED]; /* by site: bit i: it is at place i */
    struct hd_way ways[HD_MAX_PLACES][HD_MAX_GUIDED];
};

#endif
