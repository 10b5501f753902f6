#include "instrument/flows.h"

#include "analyse/flow.h"
#include "compile/bitcode.h"

#include <stdlib.h>

/* Sources of a row that are not all. */
#define MORE 0x80000000u

static void put(struct hd_flows *flows, uint32_t word)
{
    if (flows->n == flows->room) {
        flows->room = flows->room ? flows->room * 2 : 1024;
        flows->words = hd_realloc(flows->words, flows->room * sizeof *flows->words);
    }
    flows->words[flows->n++] = word;
}

void hd_flows_find(struct hd_flows *flows, const struct hd_facts *facts)
{
    struct hd_sources sources;
    *flows = (struct hd_flows){ 0 };
    for (uint32_t point = 0; point < facts->code.n_insts; point++)
        for (uint32_t of = 0; of < HD_FLOWS; of++) {
            if (!hd_flow_find(facts, point, (enum hd_flow_of)of, &sources))
                continue;
            put(flows, point * HD_FLOWS + of);
            put(flows, sources.n | (sources.more ? MORE : 0));
            for (uint32_t i = 0; i < sources.n; i++)
                put(flows, sources.points[i]);
        }
}

/* The sites of every point, as lists: first[point], then next[site]; 0 ends one. */
struct of_points {
    uint32_t *first, *next;
};

static struct of_points sites_of_points(const struct hd_sites *sites, uint32_t n_points)
{
    struct of_points of = { hd_alloc((n_points + 1) * sizeof *of.first),
                            hd_alloc((sites->n + 1) * sizeof *of.next) };
    for (uint32_t site = sites->n; site-- > 1;)
        if (sites->points[site] < n_points) {
            of.next[site] = of.first[sites->points[site]];
            of.first[sites->points[site]] = site;
        }
    return of;
}

void hd_flows_tell(struct hd_flows *flows, struct hd_pass *p, uint32_t n_points)
{
    struct of_points of = sites_of_points(&p->sites, n_points);
    uint32_t n_rows = p->sites.n * HD_FLOWS;
    size_t *rows = hd_alloc((size_t)n_points * HD_FLOWS * sizeof *rows + 1);
    struct hd_flows table = { 0 };
    for (size_t i = 0; i < flows->n; i += 2 + (flows->words[i + 1] & ~MORE))
        rows[flows->words[i]] = i + 1;
    for (uint32_t i = 0; i <= n_rows; i++)
        put(&table, 0);
    for (uint32_t row = 0; row < n_rows; row++) {
        uint32_t point = p->sites.points[row / HD_FLOWS];
        size_t at = point < n_points ? rows[(size_t)point * HD_FLOWS + row % HD_FLOWS] : 0;
        uint32_t n = at ? flows->words[at] : MORE;
        table.words[row] = (uint32_t)table.n;
        for (uint32_t i = 0; i < (n & ~MORE); i++)
            for (uint32_t site = of.first[flows->words[at + 1 + i]]; site; site = of.next[site])
                put(&table, site);
        if (n & MORE)
            put(&table, 0);
    }
    table.words[n_rows] = (uint32_t)table.n;
    hd_bitcode_embed(p->module, HD_SECTION_FLOWS, table.words, table.n * sizeof *table.words, 4);
    hd_flows_release(&table);
    free(of.first);
    free(of.next);
    free(rows);
}

void hd_flows_release(struct hd_flows *flows) { free(flows->words); }
