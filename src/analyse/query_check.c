#include "analyse/query_internal.h"
#include "core/abi.h"

#include <string.h>

/* The abstract object of a variable, by its symbol; HD_NO_POINT: none of this module. */
static uint32_t variable(const struct hd_query *q, const char *name)
{
    LLVMValueRef global = LLVMGetNamedGlobal(q->module, name);
    return global ? hd_objects_find(&q->facts.points_to.objects, global) : HD_NO_POINT;
}

static bool covers(struct hd_objects *objects, uint32_t location, uint64_t bytes, uint64_t offset)
{
    uint64_t begin, end;
    uint32_t object = objects->locations[location].object;
    uint32_t folded = hd_objects_location(objects, object, (int64_t)offset);
    if (objects->locations[folded].offset == HD_ANYWHERE ||
        !hd_objects_range(objects, location, bytes, &begin, &end))
        return true;
    return begin <= objects->locations[folded].offset && objects->locations[folded].offset < end;
}

static bool is_of_kind(const struct hd_abstract *object, enum hd_seen_where where)
{
    switch (where) {
    case HD_SEEN_HEAP:
        return object->kind == HD_OBJECT_HEAP;
    case HD_SEEN_STACK:
        return object->kind == HD_OBJECT_STACK || object->kind == HD_OBJECT_VARIADIC;
    case HD_SEEN_THREAD:
        return object->kind == HD_OBJECT_THREAD;
    default:
        return false;
    }
}

/* May the access at the point touch what was touched? */
static bool may_touch(struct hd_query *q, const struct hd_seen *seen)
{
    struct hd_objects *objects = &q->facts.points_to.objects;
    const struct hd_accesses *a = &q->facts.accesses;
    uint32_t known = seen->where == HD_SEEN_GLOBAL ? variable(q, seen->variable) : HD_NO_POINT;
    bool any = false;
    for (uint32_t i = a->first[seen->point]; i < a->first[seen->point + 1]; i++) {
        const struct hd_mem_access *access = &a->items[i];
        uint32_t n;
        any = true;
        if (access->pointer == NULL)
            return true;
        const uint32_t *set = hd_solver_get(q->facts.points_to.solver, access->node, &n);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t object = objects->locations[set[k]].object;
            if (object == HD_UNKNOWN_OBJECT) {
                if (known == HD_NO_POINT || objects->items[known].escaped)
                    return true;
            } else if (known != HD_NO_POINT
                           ? object == known &&
                                 covers(objects, set[k], access->bytes, seen->offset)
                           : is_of_kind(&objects->items[object], seen->where)) {
                return true;
            }
        }
    }
    /* A variable that is not of this module, or an instruction that was not seen as an
     * access. */
    return !any || (seen->where == HD_SEEN_GLOBAL && known == HD_NO_POINT);
}

static bool may_run(const struct hd_query *q, const struct hd_seen *seen)
{
    const struct hd_entries *threads = &q->facts.threads;
    uint32_t function = hd_code_function_of(&q->facts.code, seen->point);
    if (seen->main)
        return hd_threads_runs(threads, 0, function);
    for (uint32_t e = 1; e < threads->n; e++)
        if (hd_threads_runs(threads, e, function))
            return true;
    return false;
}

static uint32_t tell(struct hd_query *q, const struct hd_seen *seen, const char *what,
                     struct hd_str *why)
{
    struct hd_line at = hd_query_line(q, seen->point);
    hd_str_appendf(why, "%s:%u: %s (%s)\n", at.file, at.line, what,
                   seen->where == HD_SEEN_GLOBAL ? seen->variable
                   : seen->where == HD_SEEN_HEAP ? "heap"
                                                 : "stack");
    return 1;
}

/* Touched by two threads while both were there, one of them writing. */
static uint32_t check_sharing(struct hd_query *q, const struct hd_seen *seen, uint32_t n,
                              uint32_t first, struct hd_str *why)
{
    uint32_t object = variable(q, seen[first].variable);
    bool written = false, several = false;
    for (uint32_t i = first; i < n; i++) {
        if (seen[i].where != HD_SEEN_GLOBAL || seen[i].solo ||
            strcmp(seen[i].variable, seen[first].variable) != 0)
            continue;
        written |= seen[i].writes;
        several |= seen[i].thread != seen[first].thread;
    }
    if (!written || !several || object == HD_NO_POINT ||
        q->facts.sharing.objects[object] == HD_SHARED)
        return 0;
    return tell(q, &seen[first], "taken for one thread's own, and shared", why);
}

uint32_t hd_query_check(struct hd_query *q, const struct hd_seen *seen, uint32_t n,
                        struct hd_str *why)
{
    struct hd_strmap told;
    uint32_t bad = 0;
    hd_strmap_init(&told);
    for (uint32_t i = 0; i < n; i++) {
        if (seen[i].point >= q->facts.code.n_insts) {
            hd_str_appendf(why, "a site has no instruction\n");
            bad++;
            continue;
        }
        uint32_t line = hd_query_line(q, seen[i].point).line;
        if (seen[i].line && line && line != seen[i].line)
            bad += tell(q, &seen[i], "the site stands in another line than its instruction", why);
        if (!may_touch(q, &seen[i]))
            bad += tell(q, &seen[i], "touches what its pointer cannot point to", why);
        if (!may_run(q, &seen[i]))
            bad += tell(q, &seen[i], "runs in a thread that cannot run it", why);
        if (seen[i].where != HD_SEEN_GLOBAL || seen[i].solo)
            continue;
        uint64_t *done = hd_strmap_put(&told, seen[i].variable);
        if (*done == 0)
            bad += check_sharing(q, seen, n, i, why);
        *done = 1;
    }
    hd_strmap_release(&told);
    return bad;
}

/* Code outside, or the end of a thread or of the process, may call it. */
static bool is_called_unseen(const struct hd_query *q, uint32_t function)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_callers(&q->facts.points_to, function, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind == HD_EDGE_LATER)
            return true;
    return q->facts.points_to.called_from_outside[function];
}

/* The linker's lists, and main, which the function that calls the constructors calls. */
static bool is_called_around_main(const struct hd_query *q, uint32_t function)
{
    const struct hd_code *code = &q->facts.code;
    return hd_code_is_listed(code, "llvm.global_ctors", function) ||
           hd_code_is_listed(code, "llvm.global_dtors", function) ||
           strcmp(code->functions[function].name, HD_MAIN_BEHIND) == 0;
}

static bool may_call(const struct hd_query *q, const struct hd_seen_call *call)
{
    const struct hd_points_to *p = &q->facts.points_to;
    uint32_t function = hd_code_function_of(&q->facts.code, call->inside), n;
    if (call->point == HD_SEEN_NO_CALL)
        return hd_threads_entry(&q->facts.threads, function) != HD_NO_POINT ||
               is_called_unseen(q, function) || is_called_around_main(q, function);
    const struct hd_edge *edges = hd_points_to_edges(p, call->point, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].function == function && edges[i].kind <= HD_EDGE_CALLBACK)
            return true;
    return is_called_unseen(q, function);
}

uint32_t hd_query_check_calls(struct hd_query *q, const struct hd_seen_call *calls, uint32_t n,
                              struct hd_str *why)
{
    uint32_t bad = 0, n_insts = q->facts.code.n_insts;
    for (uint32_t i = 0; i < n; i++) {
        if (calls[i].inside >= n_insts ||
            (calls[i].point != HD_SEEN_NO_CALL && calls[i].point >= n_insts)) {
            hd_str_appendf(why, "a call has no instruction\n");
            bad++;
            continue;
        }
        if (may_call(q, &calls[i]))
            continue;
        bool first = calls[i].point == HD_SEEN_NO_CALL;
        struct hd_line at = hd_query_line(q, first ? calls[i].inside : calls[i].point);
        hd_str_appendf(
            why, "%s:%u: %s %s\n", at.file, at.line,
            first ? "no thread is known to begin in" : "is not known to call",
            hd_query_function(q, hd_code_function_of(&q->facts.code, calls[i].inside)));
        bad++;
    }
    return bad;
}
