/* Take back what a frame has done to the graph, without a next alternative. */
#include "explore/graph/search.h"

static void take_out_load(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    hd_search_touch(s, hd_event(&s->g, f->event));
    hd_graph_pop(&s->g, f->event);
    hd_graph_unread(&s->g, f->event);
}

static void take_out_store(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t store)
{
    hd_revisit_undo(s, f, store);
    if (!f->forward)
        return;
    hd_grant_undo(s, f);
    hd_search_touch(s, hd_event(&s->g, f->event)); /* that of a store part is its load part */
    hd_graph_pop(&s->g, store);
    hd_graph_unlink(&s->g, store);
    f->forward = false;
}

void hd_search_unwind(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    switch (f->kind) {
    case HD_FRAME_LOAD:
        take_out_load(s, f);
        return;
    case HD_FRAME_STORE:
    case HD_FRAME_PLAIN:
        take_out_store(s, f, f->event);
        return;
    case HD_FRAME_RMW:
        take_out_store(s, f, f->part);
        if (f->entered)
            take_out_load(s, f);
        return;
    case HD_FRAME_PART:
        take_out_store(s, f, f->part);
        if (hd_event(&s->g, f->event)->breaks)
            hd_search_mend(hd_event(&s->g, f->event));
        hd_event(&s->g, f->event)->choice = 0;
        return;
    default:
        hd_search_touch(s, hd_event(&s->g, f->event));
        hd_graph_pop(&s->g, f->event);
    }
}
