/* A toy check: it counts the locks that the first execution takes, and ends the exploration with
 * their number.  It looks with --depth 777 only, so that other tests do not meet it. */
#include "explore/loop/run_checks.h"

#include <stdio.h>

struct toy {
    uint32_t locks;
};

static void *create(struct hd_explorer *ex)
{
    if (ex->opt->depth != 777)
        return NULL;
    hd_check_hears(ex, HD_CHECK_TOY, HD_SPACE_SYNC);
    return hd_arena_take(&ex->arena, sizeof(struct toy));
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct toy *toy = self;
    toy->locks += ex->path.nodes[depth].action.op == HD_OP_LOCK;
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct toy *toy = self;
    char text[80];
    snprintf(text, sizeof text, "the toy check has heard of %u locks%s", toy->locks,
             finding ? " and a violation" : "");
    hd_explorer_give_up(ex, text);
}

const struct hd_check hd_check_toy = {
    .create = create,
    .ran = ran,
    .ended = ended,
};
