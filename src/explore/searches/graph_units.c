/* Work units of the search over graphs: the explorer's side of graph/script.c. */
#include "core/pack.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

bool hd_graph_is_known(struct hd_explorer *ex, bool violation)
{
    struct hd_graph_search *s = mine(ex);
    if (hd_search_probes(s))
        return true;
    if (s->finished || !violation)
        return false;
    if (hd_search_follows_script(s))
        return true;
    bool known = s->breaks_follow != 0;
    s->breaks_follow -= known;
    return known;
}

void hd_graph_pack_part(struct hd_explorer *ex, struct hd_pack *p)
{
    bool raced = hd_explorer_has_raced(ex); /* then graphs may diverge (hd_graph_diverged) */
    hd_search_pack(mine(ex), p);
    hd_pack_bool(p, &raced);
    if (!p->reading)
        return;
    ex->raced = ex->raced || raced;
    ex->path.n_nodes = ex->marks.target = 0;
}

bool hd_graph_give(struct hd_explorer *ex)
{
    uint32_t frame = hd_search_to_give(mine(ex));
    mine(ex)->giving = frame + 1; /* 0: none */
    return frame != ~0u;
}

void hd_graph_gave(struct hd_explorer *ex, bool taken)
{
    struct hd_graph_search *s = mine(ex);
    if (taken)
        s->frames[s->giving - 1].closed = true;
    s->giving = 0;
}
