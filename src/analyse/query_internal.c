#include "analyse/query_internal.h"

#include "analyse/member.h"

#include "base/demangle.h"
#include "base/nearest.h"
#include "compile/unused.h"
#include "core/abi.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

const char *hd_query_text(struct hd_query *q, const char *text)
{
    uint64_t *slot = hd_strmap_put(&q->texts, text);
    if (*slot == 0)
        *slot = (uint64_t)(uintptr_t)hd_strdup(text);
    return (const char *)(uintptr_t)*slot;
}

const char *hd_query_file(struct hd_query *q, const struct hd_code_place *place)
{
    char *path;
    if (place->directory_n == 0 || (place->directory_n == 1 && place->directory[0] == '.') ||
        (place->file_n && place->file[0] == '/'))
        path = hd_str_format("%.*s", (int)place->file_n, place->file);
    else
        path = hd_str_format("%.*s/%.*s", (int)place->directory_n, place->directory,
                             (int)place->file_n, place->file);
    const char *kept = hd_query_text(q, path);
    free(path);
    return kept;
}

struct hd_line hd_query_line(struct hd_query *q, uint32_t point)
{
    struct hd_code_place place = hd_code_place(q->facts.code.insts[point]);
    return (struct hd_line){ hd_query_file(q, &place), place.line };
}

/* As the source calls the function; HD_MAIN_BEHIND is main. */
static const char *readable(struct hd_query *q, const char *symbol)
{
    struct hd_str name;
    if (strcmp(symbol, HD_MAIN_BEHIND) == 0)
        return "main";
    hd_str_init(&name);
    hd_demangle_function(&name, symbol, strlen(symbol));
    const char *kept = hd_query_text(q, name.text);
    hd_str_release(&name);
    return kept;
}

const char *hd_query_function(struct hd_query *q, uint32_t function)
{
    return readable(q, q->facts.code.functions[function].name);
}

const char *hd_query_entry(struct hd_query *q, uint32_t entry)
{
    return readable(q, hd_threads_name(&q->facts.threads, entry));
}

/* What the source calls the object, with the offset when it is not the beginning. */
const char *hd_query_location(struct hd_query *q, uint32_t location)
{
    const struct hd_objects *objects = &q->facts.points_to.objects;
    struct hd_location at = objects->locations[location];
    const struct hd_abstract *object = &objects->items[at.object];
    size_t n;
    char *text;
    if (object->kind == HD_OBJECT_HEAP) {
        struct hd_code_place place = hd_code_place(object->value);
        text = hd_str_format("memory from %s:%u", hd_query_file(q, &place), place.line);
    } else if (object->value == NULL) {
        text = hd_strdup("memory that is not known");
    } else {
        text = hd_strdup(LLVMGetValueName2(object->value, &n));
    }
    struct hd_str whole;
    hd_str_init(&whole);
    hd_str_append(&whole, text);
    bool named = at.offset != HD_ANYWHERE && object->kind != HD_OBJECT_HEAP && object->value &&
                 hd_member_of(&whole, object->value, at.offset);
    if (!named && at.offset != 0 && at.offset != HD_ANYWHERE)
        hd_str_appendf(&whole, "+%u", at.offset);
    const char *kept = hd_query_text(q, whole.text);
    hd_str_release(&whole);
    free(text);
    return kept;
}

/* What the source calls the memory that the instruction accesses, which instrument/names.h has
 * attached; NULL: not known. */
static const char *expression(LLVMValueRef inst, unsigned *length)
{
    static const char kind[] = "heddle.name";
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(inst));
    LLVMValueRef node = LLVMGetMetadata(inst,
                                        LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1));
    LLVMValueRef first = NULL;
    if (node && LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &first);
    const char *text = first ? LLVMGetMDString(first, length) : NULL;
    return text && *length ? text : NULL;
}

const char *hd_query_accessed(struct hd_query *q, uint32_t point, uint32_t location)
{
    const struct hd_objects *objects = &q->facts.points_to.objects;
    struct hd_location at = objects->locations[location];
    const struct hd_abstract *object = &objects->items[at.object];
    unsigned n;
    const char *text = object->kind == HD_OBJECT_HEAP ? expression(q->facts.code.insts[point], &n)
                                                      : NULL;
    if (!text)
        return hd_query_location(q, location);
    struct hd_code_place place = hd_code_place(object->value);
    char *whole = hd_str_format("%.*s (memory from %s:%u)", (int)n, text,
                                hd_query_file(q, &place), place.line);
    const char *kept = hd_query_text(q, whole);
    free(whole);
    return kept;
}

/* ---- targets ---- */

static bool same_file(const char *path, const char *asked)
{
    size_t n = strlen(path), m = strlen(asked);
    if (n < m || strcmp(path + n - m, asked) != 0)
        return false;
    return n == m || path[n - m - 1] == '/';
}

static void add_point(struct hd_points *points, uint32_t point)
{
    if (points->n == points->room) {
        points->room = points->room ? points->room * 2 : 16;
        points->items = hd_realloc(points->items, points->room * sizeof *points->items);
    }
    points->items[points->n++] = point;
}

static int no_code(struct hd_query *q, const char *file, uint32_t line, struct hd_err *err)
{
    uint32_t nearest = 0, distance = UINT32_MAX;
    bool seen = false;
    const char *known = NULL;
    for (uint32_t i = 0; i < q->facts.code.n_insts; i++) {
        struct hd_line at = hd_query_line(q, i);
        if (at.line == 0)
            continue;
        known = at.file;
        if (!same_file(at.file, file))
            continue;
        seen = true;
        uint32_t away = at.line > line ? at.line - line : line - at.line;
        if (away < distance) {
            distance = away;
            nearest = at.line;
        }
    }
    if (seen)
        return hd_err_set(
            err, "%s:%u holds no code that main reaches: the nearest line that does is %s:%u",
            file, line, file, nearest);
    if (known == NULL)
        return hd_err_set(err,
                          "%s has no debug information, so no line can be found in it: build "
                          "it with heddle cc, which adds it",
                          q->name);
    return hd_err_set(err, "%s is not a source file of %s (%s is one)", file, q->name, known);
}

static int find_line(struct hd_query *q, const char *file, uint32_t line,
                     struct hd_points *points, struct hd_err *err)
{
    uint32_t before = points->n;
    for (uint32_t i = 0; i < q->facts.code.n_insts; i++) {
        struct hd_line at = hd_query_line(q, i);
        if (at.line == line && same_file(at.file, file) &&
            !LLVMIsAPHINode(q->facts.code.insts[i]))
            add_point(points, i);
    }
    return points->n == before ? no_code(q, file, line, err) : 0;
}

/* Was it removed because no thread can get there? */
static bool is_unused(const struct hd_query *q, const char *function)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(q->module, HD_UNUSED_FUNCTIONS);
    LLVMValueRef *nodes = hd_alloc((n + 1) * sizeof *nodes);
    bool found = false;
    LLVMGetNamedMetadataOperands(q->module, HD_UNUSED_FUNCTIONS, nodes);
    for (unsigned i = 0; i < n && !found; i++) {
        LLVMValueRef text;
        unsigned length;
        LLVMGetMDNodeOperands(nodes[i], &text);
        const char *name = LLVMGetMDString(text, &length);
        found = strlen(function) == length && strncmp(name, function, length) == 0;
    }
    free(nodes);
    return found;
}

static int find_function(struct hd_query *q, const char *name, struct hd_points *points,
                         struct hd_err *err)
{
    const struct hd_code *code = &q->facts.code;
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    for (uint32_t f = 0; f < code->n_functions; f++) {
        if (!hd_code_is_defined(code, f))
            continue;
        hd_nearest_try(&nearest, code->functions[f].name);
        if (strcmp(code->functions[f].name, name) == 0) {
            add_point(points, code->functions[f].first);
            return 0;
        }
    }
    if (is_unused(q, name))
        return hd_err_set(err,
                          "%s: no thread gets there: nothing that main reaches calls it or "
                          "takes its address",
                          name);
    if (nearest.best)
        return hd_err_set(err, "%s: neither FILE:LINE nor a function of %s (did you mean %s?)",
                          name, q->name, nearest.best);
    return hd_err_set(err, "%s: neither FILE:LINE nor a function of %s", name, q->name);
}

int hd_query_target(struct hd_query *q, const char *text, struct hd_points *points,
                    struct hd_err *err)
{
    const char *colon = strrchr(text, ':');
    char *end;
    if (colon == NULL)
        return find_function(q, text, points, err);
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end || line == 0 || line > UINT32_MAX || colon == text)
        return hd_err_set(err, "%s is not a place in the source: give FILE:LINE or a function",
                          text);
    char *file = hd_str_format("%.*s", (int)(colon - text), text);
    int failed = find_line(q, file, (uint32_t)line, points, err);
    free(file);
    return failed;
}
