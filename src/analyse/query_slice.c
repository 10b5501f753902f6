#include "analyse/query_internal.h"
#include "analyse/slice.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_line(const void *a, const void *b)
{
    const struct hd_sliced_line *x = a, *y = b;
    int files = strcmp(x->at.file, y->at.file);
    if (files)
        return files;
    return x->at.line < y->at.line ? -1 : x->at.line > y->at.line;
}

/* One line for all points of it. */
static void merge_lines(struct hd_sliced_thread *t)
{
    uint32_t n = 0;
    if (t->n_lines == 0)
        return;
    qsort(t->lines, t->n_lines, sizeof *t->lines, by_line);
    for (uint32_t i = 0; i < t->n_lines; i++) {
        if (n && by_line(&t->lines[n - 1], &t->lines[i]) == 0) {
            t->lines[n - 1].visible |= t->lines[i].visible;
            t->lines[n - 1].target |= t->lines[i].target;
        } else {
            t->lines[n++] = t->lines[i];
        }
    }
    t->n_lines = n;
}

static void add_influences(struct hd_query *q, struct hd_sliced_thread *t, uint32_t entry,
                           uint32_t point)
{
    uint32_t n, set_n;
    struct hd_interference *list = hd_slice_interference(&q->facts, entry, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_accesses *a = &q->facts.accesses;
        const char *variable = "";
        for (uint32_t k = a->first[list[i].point]; k < a->first[list[i].point + 1]; k++) {
            if (!(a->items[k].flags & HD_MEM_WRITE) || a->items[k].pointer == NULL)
                continue;
            const uint32_t *set = hd_solver_get(q->facts.points_to.solver, a->items[k].node,
                                                &set_n);
            uint32_t named = set_n > 1 && set[0] == HD_UNKNOWN_LOCATION ? 1 : 0;
            variable = set_n ? hd_query_accessed(q, list[i].point, set[named]) : "";
        }
        struct hd_sliced_influence item = {
            .read = hd_query_line(q, point),
            .write = hd_query_line(q, list[i].point),
            .variable = variable,
            .thread = hd_query_entry(q, list[i].entry),
        };
        bool known = false;
        for (uint32_t k = 0; k < t->n_influences && !known; k++)
            known = t->influences[k].write.line == item.write.line &&
                    t->influences[k].read.line == item.read.line &&
                    t->influences[k].thread == item.thread &&
                    t->influences[k].write.file == item.write.file &&
                    t->influences[k].variable == item.variable;
        if (known)
            continue;
        t->influences = hd_realloc(t->influences, (t->n_influences + 1) * sizeof *t->influences);
        t->influences[t->n_influences++] = item;
    }
    free(list);
}

static void add_function(struct hd_query *q, struct hd_sliced_thread *t, uint32_t function)
{
    const struct hd_code_function *f = &q->facts.code.functions[function];
    struct hd_sliced_function item = { .name = hd_query_function(q, function) };
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f->value);
    for (uint32_t i = f->first; i < f->end; i++) {
        struct hd_line at = hd_query_line(q, i);
        if (at.line == 0)
            continue;
        if (item.file == NULL)
            item.file = at.file;
        if (at.file != item.file)
            continue;
        if (item.first == 0 || at.line < item.first)
            item.first = at.line;
        if (at.line > item.last)
            item.last = at.line;
    }
    if (item.file == NULL)
        return;
    if (subprogram && LLVMDISubprogramGetLine(subprogram) &&
        LLVMDISubprogramGetLine(subprogram) < item.first)
        item.first = LLVMDISubprogramGetLine(subprogram);
    t->functions = hd_realloc(t->functions, (t->n_functions + 1) * sizeof *t->functions);
    t->functions[t->n_functions++] = item;
}

static void describe(struct hd_query *q, const struct hd_slice *slice, uint32_t entry,
                     struct hd_sliced_thread *t)
{
    const struct hd_code *code = &q->facts.code;
    *t = (struct hd_sliced_thread){ .many = q->facts.threads.entries[entry].many };
    t->entry = hd_query_entry(q, entry);
    t->lines = hd_alloc((code->n_insts + 1) * sizeof *t->lines);
    for (uint32_t f = 0; f < code->n_functions; f++) {
        bool any = false;
        for (uint32_t i = code->functions[f].first; i < code->functions[f].end; i++) {
            unsigned flags = hd_slice_at(slice, entry, i);
            struct hd_line at = { 0 };
            if (flags & HD_SLICE_IN)
                at = hd_query_line(q, i);
            if (at.line == 0)
                continue;
            t->lines[t->n_lines++] = (struct hd_sliced_line){
                .at = at,
                .visible = hd_slice_is_visible(&q->facts, i),
                .target = flags & HD_SLICE_TARGET,
            };
            any = true;
            add_influences(q, t, entry, i);
        }
        if (any)
            add_function(q, t, f);
    }
    merge_lines(t);
}

int hd_query_slice(struct hd_query *q, const struct hd_strs *targets, bool whole,
                   struct hd_sliced *sliced, struct hd_err *err)
{
    struct hd_points points = { 0 };
    struct hd_slice slice;
    int failed = 0;
    double begin = now();
    *sliced = (struct hd_sliced){ 0 };
    for (size_t i = 0; i < targets->n && !failed; i++)
        failed = hd_query_target(q, targets->items[i], &points, err);
    if (!failed) {
        hd_slice_init(&slice, &q->facts, whole);
        hd_slice_add(&slice, HD_NO_POINT, points.items, points.n);
        sliced->threads = hd_alloc((q->facts.threads.n + 1) * sizeof *sliced->threads);
        for (uint32_t e = 0; e < q->facts.threads.n; e++) {
            describe(q, &slice, e, &sliced->threads[sliced->n]);
            if (sliced->threads[sliced->n].n_lines)
                sliced->n++;
            else
                free(sliced->threads[sliced->n].lines);
        }
        hd_slice_release(&slice);
        if (sliced->n == 0) {
            failed = hd_err_set(err, "%s: no thread of %s can get there", targets->items[0],
                                q->name);
            hd_sliced_release(sliced);
        }
    }
    free(points.items);
    sliced->seconds = q->seconds + now() - begin;
    return failed;
}

void hd_sliced_release(struct hd_sliced *sliced)
{
    for (uint32_t i = 0; i < sliced->n; i++) {
        free(sliced->threads[i].lines);
        free(sliced->threads[i].influences);
        free(sliced->threads[i].functions);
    }
    free(sliced->threads);
    *sliced = (struct hd_sliced){ 0 };
}
