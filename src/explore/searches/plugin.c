/* A strategy from outside (docs/design/024-plugins.md): depth first, or walks from the root,
 * with the order of alternatives from the host, which is another process.  The answers are
 * checked here: whatever they are, a strategy that only orders leaves nothing out. */
#include "explore/loop/ask.h"
#include "explore/loop/search.h"

#include <stdio.h>
#include <string.h>

struct plugin {
    uint32_t since;     /* what is below this depth is known to the host */
    uint32_t preferred; /* the depth at which a reduction has asked, + 1; 0: none */
    uint32_t ending;    /* enum hd_ending of the execution that is over */
    uint8_t *once;      /* [HD_MOST_ALTERNATIVES]: is it in the answer? */
    uint32_t *had;      /* [HD_MOST_ALTERNATIVES]: the alternatives as they were */
};

static void *create(struct hd_explorer *ex)
{
    struct plugin *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self)
        return NULL;
    self->once = hd_arena_take(&ex->arena, HD_MOST_ALTERNATIVES);
    self->had = hd_arena_take(&ex->arena, HD_MOST_ALTERNATIVES * sizeof *self->had);
    self->ending = HD_ENDING_CUT;
    return self->once && self->had ? self : NULL;
}

/* Is it asked about nodes?  A checker that declares nothing else is not. */
static bool decides(const struct hd_explorer *ex)
{
    uint32_t judges = HD_PLUGIN_CHECKS | HD_PLUGIN_TRACES;
    return !(ex->opt->plugin.claims & HD_PLUGIN_CHECKS) || ex->opt->plugin.claims & ~judges;
}

static bool claims(const struct hd_explorer *ex, enum hd_plugin_claim claim)
{
    return ex->opt->plugin.claims & claim;
}

static bool ask(struct hd_explorer *ex, enum hd_question question, const uint32_t *alts,
                uint32_t n)
{
    struct plugin *self = ex->search_state;
    ex->shared->mailbox.ending = self->ending;
    bool answered = hd_ask_host(ex, question, self->since, alts, n);
    self->since = ex->path.depth;
    return answered;
}

static bool wrong(struct hd_explorer *ex, const char *what)
{
    char text[sizeof ex->error];
    const char *path = ex->opt->plugin.path, *name = strrchr(path, '/');
    snprintf(text, sizeof text, "%s: %s", name ? name + 1 : path, what);
    hd_explorer_give_up(ex, text);
    return false;
}

/* Does the answer name `kept` different alternatives of n, all of them unless the strategy
 * prunes? */
static bool is_order(struct hd_explorer *ex, uint32_t n)
{
    struct plugin *self = ex->search_state;
    const struct hd_mailbox *box = &ex->shared->mailbox;
    bool good = box->kept <= n && (box->kept == n || claims(ex, HD_PLUGIN_PRUNES));
    memset(self->once, 0, n);
    for (uint32_t i = 0; i < box->kept && good; i++) {
        good = box->order[i] < n && !self->once[box->order[i]];
        if (good)
            self->once[box->order[i]] = 1;
    }
    return good || wrong(ex, "the answer is no order of the alternatives");
}

static bool fits(struct hd_explorer *ex, uint32_t n)
{
    return n <= HD_MOST_ALTERNATIVES || wrong(ex, "a step has too many alternatives to choose "
                                                  "from");
}

/* Move what is kept to the front; what is not stays behind it, for hd_explorer_add. */
static void arrange(struct plugin *self, const struct hd_mailbox *box, uint32_t *alts, uint32_t n)
{
    uint32_t at = box->kept;
    memcpy(self->had, alts, n * sizeof *alts);
    for (uint32_t i = 0; i < box->kept; i++)
        alts[i] = self->had[box->order[i]];
    hd_search_together(alts, box->kept);
    for (uint32_t i = 0; i < n; i++)
        if (!self->once[i])
            alts[at++] = self->had[i];
}

static uint32_t choose(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct plugin *self = ex->search_state;
    struct hd_mailbox *box = &ex->shared->mailbox;
    bool asked = self->preferred == ex->path.depth + 1;
    self->preferred = 0;
    self->ending = HD_ENDING_CUT;
    if (ex->error[0])
        return 0;
    if (asked || !decides(ex) || hd_search_keeps_trees(ex) ||
        (n == 1 && !claims(ex, HD_PLUGIN_PRUNES)))
        return n;
    if (!fits(ex, n) || !ask(ex, HD_QUESTION_NODE, alts, n) || !is_order(ex, n))
        return 0;
    ex->cnt->left_out_by_plugin += n - box->kept;
    arrange(self, box, alts, n);
    return box->kept;
}

/* A reduction asks before `choose`, with what it could begin the node with. */
static uint32_t prefer(struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    struct plugin *self = ex->search_state;
    const struct hd_mailbox *box = &ex->shared->mailbox;
    if (ex->error[0] || n == 1 || !decides(ex))
        return 0;
    self->preferred = ex->path.depth + 1;
    if (!fits(ex, n) || !ask(ex, HD_QUESTION_NODE, alts, n) || !is_order(ex, n))
        return 0;
    return box->order[0];
}

static void back(struct hd_explorer *ex, uint32_t depth)
{
    struct plugin *self = ex->search_state;
    if (depth < self->since)
        self->since = depth;
    self->preferred = 0;
}

static void ended(struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct plugin *self = ex->search_state;
    self->ending = finding ? HD_ENDING_VIOLATION : HD_ENDING_COMPLETE;
}

/* The place of an objection is its last step. */
static bool objects(struct hd_explorer *ex, struct hd_finding *objection)
{
    const struct hd_mailbox *box = &ex->shared->mailbox;
    if (!claims(ex, HD_PLUGIN_CHECKS) || ex->error[0] || !ask(ex, HD_QUESTION_JUDGE, NULL, 0) ||
        !box->objects)
        return false;
    uint32_t n = box->judged;
    if (n > ex->path.depth)
        return wrong(ex, "it objects to a step that there is not");
    *objection = (struct hd_finding){ .kind = HD_KIND_OBJECTION, .judged = n };
    if (n) {
        objection->thread = HD_STEP_THREAD(ex->path.steps[n - 1]);
        objection->site = ex->path.nodes[n - 1].action.site;
    }
    snprintf(objection->message, sizeof objection->message, "%.*s", HD_OBJECTION_BYTES - 1,
             box->objection);
    return true;
}

/* Tell the host that the execution is over, and open what it asks for.  False: that was the
 * last one. */
static bool next(struct hd_explorer *ex)
{
    struct plugin *self = ex->search_state;
    const struct hd_mailbox *box = &ex->shared->mailbox;
    bool answered = ask(ex, HD_QUESTION_ENDED, NULL, 0);
    self->ending = HD_ENDING_CUT;
    if (!answered)
        return false;
    if (box->n_opened > HD_MOST_OPENED || (box->n_opened && !claims(ex, HD_PLUGIN_PRUNES)))
        return wrong(ex, "only a strategy that prunes can open what it has left out");
    for (uint32_t i = 0; i < box->n_opened; i++) {
        if (box->opened[i].depth >= ex->path.n_nodes || box->opened[i].thread >= HD_MAX_THREADS)
            return wrong(ex, "it opens an alternative at a step that there is not");
        hd_explorer_add(ex, box->opened[i].depth, box->opened[i].thread);
    }
    ex->cnt->plugin_stopped = box->stop != 0;
    return !box->stop;
}

static int64_t resume(struct hd_explorer *ex)
{
    struct plugin *self = ex->search_state;
    int64_t depth = next(ex) ? hd_search_deepest_open(ex) : -1;
    if (depth >= 0 && depth < self->since)
        self->since = (uint32_t)depth;
    return depth;
}

static int64_t resume_at_root(struct hd_explorer *ex)
{
    struct plugin *self = ex->search_state;
    bool more = next(ex);
    self->since = 0;
    return more ? hd_search_root_again(ex) : -1;
}

const struct hd_search_ops hd_search_plugin = {
    .create = create,
    .select = choose,
    .prefer = prefer,
    .back = back,
    .ended = ended,
    .objects = objects,
    .resume = resume,
};

const struct hd_search_ops hd_search_plugin_samples = {
    .create = create,
    .select = choose,
    .back = back,
    .ended = ended,
    .objects = objects,
    .resume = resume_at_root,
};
