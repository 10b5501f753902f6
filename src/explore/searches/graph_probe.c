/* How many executions will there be?  Knuth (Mathematics of Computation 29, 1975): a probe goes
 * down to a leaf of the search tree and takes at each frame a random one of its alternatives,
 * revisits included.  The product of the numbers of alternatives is its weight, and the mean
 * weight estimates the number of leaves, without bias.
 *
 * What is done is counted, so probes are made into the rest only: each leaves the path of the
 * search at one of its frames, for an alternative that has not been tried, or at its end.
 * Every frame that may have such alternatives gets as many probes; the sum of the mean weights
 * estimates the rest.  As alternatives have a fixed order, the numbers of a probe's
 * alternatives say later whether the search has been at its leaf; then its weight counts no
 * more.
 *
 * The search is interrupted for probes when the number of executions has doubled and somebody
 * may read the estimate.  It is kept as a script (graph/script.c), which probes follow up to
 * their frame, and the search follows afterwards.  Steps of probes count as replayed, their
 * ends as nothing. */
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

#define FIRST 256          /* executions before the first probes */
#define EVERY 64           /* executions the estimate is made anew */
#define ONE_IN 64          /* so many executions are made for one probe */
#define QUIET (1ull << 33) /* ticks in which nobody asks for an estimate */
#define SHARE 32           /* probes begin at the root: they may take this part of the time, */
#define FREE (1u << 28)    /* and so many ticks in any case */
#define FRAMES 64          /* of the path get probes, from the root on */
#define MOST 1024          /* probes at a time */
#define ROOM (1u << 21)    /* frames of all probes together */
#define LONGER 8           /* times the longest execution: the tree may have no end */

struct hd_probes {
    struct hd_rng rng;
    uint64_t began, since, spent;          /* ticks: of the search, of these probes, of all */
    uint64_t next;                         /* executions begun when the next ones are made */
    uint32_t n_frames, frames[FRAMES + 1]; /* that get probes */
    uint32_t each, made;
    uint32_t n_kept, used; /* of kept and tried */
    bool valid;            /* there has been room for all, and none was too long */
    struct hd_probe {
        double weight;
        uint32_t first, n; /* of its alternatives */
    } kept[MOST + FRAMES + 1];
    struct hd_alternative tried[ROOM];
};

/* Only for what probes may cost: nothing else depends on it. */
static uint64_t ticks(void) { return __builtin_ia32_rdtsc(); }

struct hd_probes *hd_graph_probes_create(struct hd_explorer *ex)
{
    struct hd_probes *p = ex->opt->no_estimate ? NULL : hd_arena_take(&ex->arena, sizeof *p);
    if (!p)
        return NULL;
    p->began = ticks();
    p->next = ex->opt->paranoid ? 1 : FIRST;
    return p;
}

/* Is the leaf of the probe still to come? */
static bool is_left(const struct hd_graph_search *s, const struct hd_probe *probe)
{
    const struct hd_alternative *tried = s->probes->tried + probe->first;
    for (uint32_t i = 0; i < probe->n && i < s->n_frames; i++) {
        if (hd_alternative_is_before(&tried[i], &s->frames[i].now))
            return false;
        if (hd_alternative_is_before(&s->frames[i].now, &tried[i]))
            return true;
    }
    return true;
}

static double rest(struct hd_graph_search *s)
{
    struct hd_probes *p = s->probes;
    double sum = 0;
    for (uint32_t i = 0; i < p->n_kept;)
        if (is_left(s, &p->kept[i]))
            sum += p->kept[i++].weight;
        else
            p->kept[i] = p->kept[--p->n_kept];
    return sum;
}

static void estimate(struct hd_explorer *ex)
{
    const struct hd_probes *p = mine(ex)->probes;
    double done = (double)ex->executions_begun;
    bool ends = hd_estimate_ends(&ex->estimate, ex->cnt->max_depth);
    ex->cnt->explored = ends && p->valid ? done / (done + rest(mine(ex))) : 0;
}

/* Will the estimate be read?  Progress is shown after a while, and an end before the last
 * execution is foreseen only if the number of executions is limited. */
static bool is_asked(const struct hd_explorer *ex)
{
    const struct hd_options *opt = ex->opt;
    bool near = opt->max_executions && 2 * ex->executions_begun > opt->max_executions;
    return near || opt->paranoid || ticks() - mine(ex)->probes->began > QUIET;
}

/* Have earlier probes taken too much time?  A program may do much before its first step. */
static bool too_dear(const struct hd_probes *p)
{
    return p->spent > FREE && p->spent > (ticks() - p->began) / SHARE;
}

bool hd_graph_probe(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    struct hd_probes *p = s->probes;
    s->look_at = ex->executions_begun + (ex->opt->paranoid ? 1 : EVERY);
    if (!p || ex->split)
        return false;
    estimate(ex);
    if (ex->executions_begun < p->next)
        return false;
    if (!is_asked(ex))
        return false;
    p->next = 2 * ex->executions_begun;
    if (too_dear(p))
        return false;
    p->n_frames = p->made = p->n_kept = p->used = 0;
    for (uint32_t i = 0; i < s->n_frames && p->n_frames < FRAMES; i++)
        if (hd_search_may_have_more(s, &s->frames[i]))
            p->frames[p->n_frames++] = i;
    p->frames[p->n_frames++] = s->n_frames; /* what follows on the path */
    uint64_t most = ex->executions_begun / ONE_IN < MOST ? ex->executions_begun / ONE_IN : MOST;
    p->each = most > p->n_frames ? (uint32_t)most / p->n_frames : 1;
    p->valid = true;
    p->since = ticks();
    hd_search_suspend(s);
    s->rng = &p->rng;
    s->probed = p->frames[0];
    s->weight = 1;
    return true;
}

bool hd_graph_probe_is_long(const struct hd_explorer *ex)
{
    if (ex->path.depth <= LONGER * ex->cnt->max_depth)
        return false;
    mine(ex)->probes->valid = false;
    return true;
}

static void keep(struct hd_graph_search *s)
{
    struct hd_probes *p = s->probes;
    if (s->n_frames <= s->probed &&
        s->probed < s->n_script) /* the frame had no alternatives left */
        return;
    if (s->n_frames > ROOM - p->used) {
        p->valid = false;
        return;
    }
    p->kept[p->n_kept++] = (struct hd_probe){ s->weight / p->each, p->used, s->n_frames };
    for (uint32_t i = 0; i < s->n_frames; i++)
        p->tried[p->used++] = s->frames[i].now;
}

int64_t hd_graph_probed(struct hd_explorer *ex, bool broke)
{
    struct hd_graph_search *s = mine(ex);
    struct hd_probes *p = s->probes;
    keep(s);
    hd_search_clear(s);
    if (broke) { /* the search will find that; and a worker that died has been replaced */
        p->valid = false;
        p->next = UINT64_MAX;
    } else {
        ex->executions_begun--;
    }
    if (++p->made < p->each * p->n_frames && p->valid) {
        s->probed = p->frames[p->made / p->each];
        s->weight = 1;
    } else {
        s->rng = NULL;
        p->spent += ticks() - p->since;
        estimate(ex);
    }
    ex->path.n_nodes = ex->marks.target = 0;
    return 0;
}
