/* sleep: sleep sets alone (Godefroid 1996).  All states are still visited, on fewer paths. */
#include "explore/loop/filter.h"

#include "explore/dpor/sleep.h"

static void *create(struct hd_explorer *ex)
{
    struct hd_sleep *s = hd_arena_take(&ex->arena, sizeof *s);
    return s && hd_sleep_init(s, &ex->arena) ? s : NULL;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    return hd_sleep_admit(self, ex, alts, n);
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    hd_sleep_ran(self, ex, depth, HD_STEP_THREAD(ex->path.steps[depth]), true);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    hd_sleep_ended(self, ex, finding);
}

static void share(void *self, struct hd_explorer *ex, uint32_t depth,
                  struct hd_shared_tree_node *node)
{
    hd_sleep_share(self, ex, depth, node);
}

static void adopt(void *self, struct hd_explorer *ex, uint32_t depth,
                  const struct hd_shared_tree_node *node, bool anew)
{
    hd_sleep_adopt(self, ex, depth, node, anew);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    hd_sleep_pack(self, ex, p);
}

const struct hd_filter hd_filter_sleep = {
    .index = HD_FILTER_INDEX_SLEEP,
    .create = create,
    .admit = admit,
    .ran = ran,
    .ended = ended,
    .share = share,
    .adopt = adopt,
    .pack = pack,
};
