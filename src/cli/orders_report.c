/* What heddle orders has found out, for people and as JSON. */
#include "base/json.h"
#include "base/shown.h"
#include "base/version.h"
#include "cli/orders_request.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

enum { PLACE, FUNCTION, OPERATION, OWN, FOUND, N_COLUMNS };

struct row {
    char *cells[N_COLUMNS];
};

struct grid {
    struct row *rows;
    uint32_t n;
    size_t width[N_COLUMNS];
};

static void add_row(struct grid *g, char *const cells[N_COLUMNS])
{
    struct row *row = &g->rows[g->n++];
    for (uint32_t i = 0; i < N_COLUMNS; i++) {
        size_t length = strlen(cells[i]);
        row->cells[i] = cells[i];
        g->width[i] = length > g->width[i] ? length : g->width[i];
    }
}

/* What is said of the order of a place in the last column. */
static char *found_cell(const struct hd_orders_run *r, const struct hd_order_place *place,
                        uint32_t variable)
{
    const struct hd_assignment *a = &r->assignment;
    const struct hd_variable *v = &r->places.variables[variable];
    const char *name = hd_order_name(v->kind, a->found[variable]);
    if (place->varies)
        return hd_strdup("- (chosen at run time)");
    if (place->at.line == 0)
        return hd_strdup("- (its place is not known)");
    if (r->outcome == HD_ASSIGNED_RELAXED && !place->executed)
        return hd_strdup("- (not executed)");
    if (a->undecided[variable])
        return hd_str_format("%s (weaker ones: not decided)", name);
    return hd_strdup(name);
}

static void add_variable(const struct hd_orders_run *r, struct grid *g, uint32_t i, bool failure)
{
    const struct hd_order_place *place = &r->places.items[i];
    uint32_t variable = failure ? place->failure : place->variable;
    const struct hd_variable *v = &r->places.variables[variable];
    struct hd_str operation;
    hd_str_init(&operation);
    hd_order_operation(&operation, place, failure);
    char *cells[N_COLUMNS] = {
        hd_str_format("%s:%u", place->at.file, place->at.line),
        hd_strdup(place->at.function),
        hd_str_detach(&operation),
        hd_strdup(place->varies ? "several" : hd_order_name(v->kind, v->own)),
        found_cell(r, place, variable),
    };
    add_row(g, cells);
}

static void print_grid(struct grid *g, FILE *out)
{
    for (uint32_t i = 0; i < g->n; i++) {
        struct hd_str line;
        hd_str_init(&line);
        for (uint32_t k = 0; k < N_COLUMNS; k++) {
            hd_str_appendf(&line, "%-*s%s", k + 1 < N_COLUMNS ? (int)g->width[k] : 0,
                           g->rows[i].cells[k], k + 1 < N_COLUMNS ? "  " : "");
            free(g->rows[i].cells[k]);
        }
        char *shown = hd_shown_dup(line.text);
        fprintf(out, "%s\n", shown);
        free(shown);
        hd_str_release(&line);
    }
    free(g->rows);
}

static void print_table(const struct hd_orders_run *r, FILE *out)
{
    struct grid g = { .rows = hd_alloc((2 * r->places.n + 1) * sizeof *g.rows) };
    char *const head[N_COLUMNS] = { hd_strdup("place"), hd_strdup("function"),
                                    hd_strdup("operation"), hd_strdup("today"),
                                    hd_strdup(r->broken ? "needed" : "weakest") };
    add_row(&g, head);
    for (uint32_t i = 0; i < r->places.n; i++) {
        add_variable(r, &g, i, false);
        if (r->places.items[i].failure != HD_NO_VARIABLE)
            add_variable(r, &g, i, true);
    }
    print_grid(&g, out);
}

/* ---- the words around it ---- */

static uint32_t n_changed(const struct hd_orders_run *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->places.n_variables; i++)
        n += r->assignment.found[i] != r->places.variables[i].own;
    return n;
}

static void print_effort(const struct hd_orders_run *r, FILE *out)
{
    fprintf(out, "  %u assignment%s explored, %u decided by earlier answers, %.1f s\n",
            r->assignment.n_asked, r->assignment.n_asked == 1 ? "" : "s",
            r->assignment.n_answered, hd_watch_now() - r->begun);
}

static void print_outcome(const struct hd_orders_run *r, FILE *out)
{
    uint32_t changed = n_changed(r);
    const char *plural = changed == 1 ? "" : "s";
    switch (r->outcome) {
    case HD_ASSIGNED_RELAXED:
        if (!r->places.n)
            fprintf(out, "verified; the program has no atomic accesses and no fences\n");
        else if (changed)
            fprintf(out, "verified; %u order%s can be weaker, all together\n", changed, plural);
        else
            fprintf(out, "verified; no order can be weaker\n");
        break;
    case HD_ASSIGNED_REPAIRED:
        fprintf(out, "violation; verified with %u stronger order%s\n", changed, plural);
        break;
    default:
        fprintf(out, "not decided\n");
        break;
    }
    if (!r->assignment.complete)
        fprintf(out, "  time was up: %s\n",
                r->request->answers ? "the same command goes on from here"
                                    : "give more --time, or --resume FILE to go on later");
}

void hd_orders_print(const struct hd_orders_run *r, FILE *out)
{
    bool found = r->outcome == HD_ASSIGNED_RELAXED || r->outcome == HD_ASSIGNED_REPAIRED;
    if (r->broken) {
        bool never = r->outcome == HD_ASSIGNED_NEVER;
        char *shown = hd_shown_dup(r->broken);
        fprintf(out, "%s%s\n", never ? "no memory orders verify the program: " : "", shown);
        free(shown);
        if (never)
            return;
        fputc('\n', out);
    }
    if (found && r->places.n) {
        print_table(r, out);
        fputc('\n', out);
    }
    print_outcome(r, out);
    print_effort(r, out);
    for (uint32_t i = 0; i < r->places.n; i++)
        if (r->left[i])
            fprintf(out, "  not in the patch: %s:%u: %s\n", r->places.items[i].at.file,
                    r->places.items[i].at.line, r->left[i]);
}

/* ---- JSON ---- */

static void json_variable(struct hd_str *out, const struct hd_orders_run *r, uint32_t i,
                          bool failure)
{
    const struct hd_order_place *place = &r->places.items[i];
    uint32_t variable = failure ? place->failure : place->variable;
    const struct hd_variable *v = &r->places.variables[variable];
    struct hd_str operation;
    hd_str_init(&operation);
    hd_order_operation(&operation, place, failure);
    hd_str_append(out, "{\"location\": {\"file\": ");
    hd_json_string(out, place->at.file);
    hd_str_appendf(out, ", \"line\": %u, \"column\": %u, \"function\": ", place->at.line,
                   place->at.column);
    hd_json_string(out, place->at.function);
    hd_str_append(out, "}, \"operation\": ");
    hd_json_string(out, operation.text);
    hd_str_append(out, ", \"order\": ");
    if (place->varies)
        hd_str_append(out, "null");
    else
        hd_json_string(out, hd_order_name(v->kind, v->own));
    bool found = r->outcome == HD_ASSIGNED_RELAXED || r->outcome == HD_ASSIGNED_REPAIRED;
    hd_str_append(out, ", \"weakest\": ");
    if (!found || v->fixed)
        hd_str_append(out, "null");
    else
        hd_json_string(out, hd_order_name(v->kind, r->assignment.found[variable]));
    hd_str_appendf(out, ", \"decided\": %s}",
                   found && !v->fixed && !r->assignment.undecided[variable] ? "true" : "false");
    hd_str_release(&operation);
}

static const char *verdict_word(const struct hd_orders_run *r)
{
    return r->broken                           ? "violation"
           : r->outcome == HD_ASSIGNED_RELAXED ? "verified"
                                               : "no-violation-found";
}

static const char *outcome_word(const struct hd_orders_run *r)
{
    switch (r->outcome) {
    case HD_ASSIGNED_RELAXED:
        return "relaxed";
    case HD_ASSIGNED_REPAIRED:
        return "repaired";
    case HD_ASSIGNED_NEVER:
        return "never";
    default:
        return "undecided";
    }
}

void hd_orders_json(struct hd_str *out, const struct hd_orders_run *r)
{
    hd_str_append(out, "{\"heddle\": ");
    hd_json_string(out, HD_VERSION);
    hd_str_append(out, ", \"program\": ");
    hd_json_string(out, r->request->files.items[0]);
    hd_str_appendf(out,
                   ", \"memory\": \"rc11\", \"verdict\": \"%s\", \"outcome\": \"%s\", "
                   "\"complete\": %s, \"explored\": %u, \"known\": %u, \"seconds\": %.3f",
                   verdict_word(r), outcome_word(r), r->assignment.complete ? "true" : "false",
                   r->assignment.n_asked, r->assignment.n_answered, hd_watch_now() - r->begun);
    hd_str_append(out, ", \"violation\": ");
    if (r->broken)
        hd_json_string(out, r->broken);
    else
        hd_str_append(out, "null");
    hd_str_append(out, ",\n \"accesses\": [");
    const char *comma = "\n  ";
    for (uint32_t i = 0; i < r->places.n; i++) {
        hd_str_append(out, comma);
        comma = ",\n  ";
        json_variable(out, r, i, false);
        if (r->places.items[i].failure == HD_NO_VARIABLE)
            continue;
        hd_str_append(out, comma);
        json_variable(out, r, i, true);
    }
    hd_str_append(out, "]}\n");
}
