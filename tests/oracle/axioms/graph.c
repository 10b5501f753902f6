#include "graph.h"

#include <string.h>

void ax_graph_init(struct ax_graph *g, const struct ax_program *p)
{
    memset(g, 0, sizeof *g);
    g->p = p;
    for (uint8_t i = 0; i < p->n_places; i++)
        g->e[i] = (struct ax_event){ .thread = AX_NOBODY,
                                     .place = i,
                                     .kind = AX_WRITE,
                                     .order = AX_PLAIN,
                                     .writes = p->places[i].initial };
    g->n = p->n_places;
    for (uint32_t t = 0; t < p->n_threads; t++) {
        g->last[t] = (uint8_t)(g->n ? g->n - 1 : 0);
        ax_advance(&p->threads[t], &g->cpu[t]);
    }
}

void ax_graph_append(struct ax_graph *g, uint32_t thread, const struct ax_effect *effect,
                     uint8_t from)
{
    const struct ax_instr *in = ax_next(&g->p->threads[thread], &g->cpu[thread]);
    g->e[g->n] = (struct ax_event){ .thread = (uint8_t)thread,
                                    .index = g->count[thread]++,
                                    .statement = in->statement,
                                    .op = in->op,
                                    .place = in->place,
                                    .kind = effect->kind,
                                    .order = effect->order,
                                    .full = effect->full,
                                    .from = from,
                                    .reads = effect->kind & AX_READ ? g->e[from].writes : 0,
                                    .writes = effect->writes,
                                    .choice = effect->choice };
    g->last[thread] = (uint8_t)g->n++;
    ax_step(&g->p->threads[thread], &g->cpu[thread], effect);
}

/* The write with which the thread began to wait: the last one that it has made to the place. */
static uint32_t entry(const struct ax_graph *g, uint32_t thread, uint8_t place)
{
    uint32_t i = g->n;
    while (i > 0 && (g->e[i - 1].thread != thread || g->e[i - 1].place != place))
        i--;
    return i - 1;
}

/* Writes of objects are read-modify-writes, so what they read is what stands before them. */
bool ax_wakes(const struct ax_graph *g, uint32_t thread, uint32_t event)
{
    const struct ax_event *e = &g->e[event];
    if (e->thread == AX_NOBODY)
        return false;
    bool last = e->op == AX_ARRIVE && e->writes == g->p->places[e->place].initial;
    bool takes_out = (e->reads >> thread & 1) && !(e->writes >> thread & 1);
    if (e->op == AX_ARRIVE ? !last : !takes_out)
        return false;
    uint32_t begin = entry(g, thread, e->place);
    while (event != begin && g->e[event].thread != AX_NOBODY && !ax_begins_round(g, event))
        event = g->e[event].from;
    return event == begin;
}

static void put_event(const struct ax_graph *g, uint32_t i, FILE *out)
{
    if (g->e[i].thread == AX_NOBODY)
        fprintf(out, "init");
    else
        fprintf(out, "%u.%u", g->e[i].thread + 1u, g->e[i].index);
}

static void put_label(const struct ax_graph *g, const struct ax_event *e, FILE *out)
{
    static const char *const kinds[] = { "F", "R", "W", "U" };
    fprintf(out, " %s", kinds[e->kind]);
    if (e->kind == AX_BARRIER)
        fprintf(out, "(%s)", ax_order_names[e->order]);
    else
        fprintf(out, "(%s)", g->p->places[e->place].name);
    if (e->kind & AX_WRITE)
        fprintf(out, "=%d", e->writes);
    if (e->choice)
        fprintf(out, "/%u", e->choice);
    if (e->kind & AX_READ) {
        fprintf(out, "<");
        put_event(g, e->from, out);
    }
}

void ax_graph_line(const struct ax_graph *g, FILE *out)
{
    for (uint32_t t = 0; t < g->p->n_threads; t++) {
        fprintf(out, "%s%u:", t ? "; " : "", t + 1);
        for (uint32_t i = g->p->n_places; i < g->n;
             i++) /* a thread's events are added in order */
            if (g->e[i].thread == t)
                put_label(g, &g->e[i], out);
    }
    for (uint32_t p = 0; p < g->p->n_places; p++) {
        if (g->n_mo[p] < 2)
            continue;
        fprintf(out, "; mo(%s)", g->p->places[p].name);
        for (uint32_t i = 1; i < g->n_mo[p]; i++) {
            fprintf(out, " ");
            put_event(g, g->mo[p][i], out);
        }
    }
}

static int32_t memory(const struct ax_graph *g, uint32_t place)
{
    return g->e[g->mo[place][g->n_mo[place] - 1]].writes;
}

bool ax_final_value(const struct ax_graph *g, uint32_t k, int32_t *value)
{
    for (uint32_t t = 0; t < g->p->n_threads; t++)
        for (uint32_t r = 0; r < AX_REGISTERS; r++)
            if ((g->p->threads[t].registers >> r & 1) && k-- == 0) {
                *value = g->cpu[t].r[r];
                return true;
            }
    if (k < g->p->n_locations)
        *value = memory(g, k);
    return k < g->p->n_locations;
}

bool ax_final_exists(const struct ax_graph *g)
{
    for (uint32_t i = 0; i < g->p->n_wishes; i++) {
        const struct ax_wish *w = &g->p->wishes[i];
        if ((w->thread ? g->cpu[w->thread - 1].r[w->which] : memory(g, w->which)) != w->value)
            return false;
    }
    return g->p->n_wishes > 0;
}

void ax_final_line(const struct ax_graph *g, FILE *out)
{
    const char *gap = "";
    for (uint32_t t = 0; t < g->p->n_threads; t++)
        for (uint32_t r = 0; r < AX_REGISTERS; r++)
            if (g->p->threads[t].registers >> r & 1) {
                fprintf(out, "%s%u:r%u=%d", gap, t + 1, r, g->cpu[t].r[r]);
                gap = " ";
            }
    for (uint32_t p = 0; p < g->p->n_locations; p++) {
        fprintf(out, "%s%s=%d", gap, g->p->places[p].name, memory(g, p));
        gap = " ";
    }
}
