/* Every changed place becomes edits of its file.  The changed files are laid over the real
 * ones (-ivfsoverlay of clang) and compiled; the program that comes out must have the orders
 * that were found, line by line, and be verified.  What stands in the way of that is left
 * out. */
#include "cli/order_patch.h"

#include "base/fs.h"
#include "base/json.h"
#include "cli/order_source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct patch {
    struct hd_orders_run *run;
    struct hd_order_source *sources;
    uint32_t n;
    char *directory; /* of the files that are laid over */
};

static struct hd_order_wanted wanted(const struct hd_orders_run *r,
                                     const struct hd_order_place *place)
{
    const uint8_t *found = r->assignment.found;
    return (struct hd_order_wanted){
        found[place->variable],
        place->failure == HD_NO_VARIABLE ? 0 : found[place->failure],
    };
}

static struct hd_order_source *source_of(struct patch *p, const char *path, const char **why)
{
    struct hd_err err;
    for (uint32_t i = 0; i < p->n; i++)
        if (strcmp(p->sources[i].path, path) == 0)
            return &p->sources[i];
    if (hd_str_starts(path, "/usr/") ||
        hd_order_source_init(&p->sources[p->n], path, &err) != 0) {
        *why = "the file cannot be changed";
        return NULL;
    }
    return &p->sources[p->n++];
}

static void edit_place(struct patch *p, uint32_t i)
{
    struct hd_orders_run *r = p->run;
    const struct hd_order_place *place = &r->places.items[i];
    const char *why = NULL;
    if (!hd_orders_changed(r, place))
        return;
    struct hd_order_source *s = source_of(p, place->real, &why);
    if (s)
        why = hd_order_source_edit(s, i, place, wanted(r, place));
    r->left[i] = why;
}

static void undo(struct patch *p, uint32_t place)
{
    for (uint32_t i = 0; i < p->n; i++)
        hd_order_source_undo(&p->sources[i], place);
}

/* ---- what the patched program has ---- */

/* The absolute path; the caller frees. */
static char *absolute(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : hd_strdup(path);
}

/* Writes the changed files and says where they belong. */
static int lay_over(struct patch *p, const char *overlay, struct hd_err *err)
{
    struct hd_str yaml, text;
    int failed = 0;
    hd_str_init(&yaml);
    hd_str_init(&text);
    hd_str_append(&yaml, "{\"version\": 0, \"use-external-names\": false, \"roots\": [");
    for (uint32_t i = 0; i < p->n && !failed; i++) {
        char *file = hd_str_format("%s/%u", p->directory, i);
        char *path = absolute(p->sources[i].path), *dir = hd_fs_dir(path);
        hd_str_clear(&text);
        hd_order_source_text(&p->sources[i], &text);
        failed = hd_fs_write(file, text.text, text.length, err);
        hd_str_append(&yaml, i ? ",\n" : "\n");
        hd_str_append(&yaml, "{\"type\": \"directory\", \"name\": ");
        hd_json_string(&yaml, dir);
        hd_str_append(&yaml, ", \"contents\": [{\"type\": \"file\", \"name\": ");
        hd_json_string(&yaml, hd_fs_base(path));
        hd_str_append(&yaml, ", \"external-contents\": ");
        hd_json_string(&yaml, file);
        hd_str_append(&yaml, "}]}");
        free(file);
        free(path);
        free(dir);
    }
    hd_str_append(&yaml, "]}\n");
    if (!failed)
        failed = hd_fs_write(overlay, yaml.text, yaml.length, err);
    hd_str_release(&yaml);
    hd_str_release(&text);
    return failed;
}

/* What the compiler says about a trial is not said to anybody. */
static int compile_quietly(struct patch *p, const char *overlay, struct hd_input *input,
                           struct hd_err *err)
{
    const struct hd_orders_request *q = p->run->request;
    struct hd_strs flags;
    hd_strs_init(&flags);
    hd_strs_add_all(&flags, &q->cc_flags);
    hd_strs_addf(&flags, "-ivfsoverlay%s", overlay);
    fflush(stderr);
    int saved = dup(2), null = open("/dev/null", O_WRONLY);
    if (saved >= 0 && null >= 0)
        dup2(null, 2);
    int failed = hd_input_open(input, &q->files, &flags, err);
    if (saved >= 0)
        dup2(saved, 2);
    if (saved >= 0)
        close(saved);
    if (null >= 0)
        close(null);
    hd_strs_release(&flags);
    return failed;
}

/* The order that the patched program should have at a place: as it was, unless it is patched.
 * */
static uint32_t expected(const struct hd_orders_run *r, uint32_t i, uint32_t *failure)
{
    const struct hd_order_place *place = &r->places.items[i];
    const struct hd_variable *v = r->places.variables;
    struct hd_order_wanted w = wanted(r, place);
    bool own = r->left[i] != NULL;
    *failure = place->failure == HD_NO_VARIABLE ? 0 : own ? v[place->failure].own : w.failure;
    return own ? v[place->variable].own : w.order;
}

/* Has the patched program the orders that it should have, line by line? */
static bool as_expected(const struct hd_orders_run *r, const struct hd_order_places *got)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->places.n; i++) {
        const struct hd_order_place *old = &r->places.items[i];
        uint32_t failure, order = expected(r, i, &failure);
        if (old->op == HD_OP_FENCE && order == HD_ORDER_RELAXED)
            continue;
        const struct hd_order_place *new = &got->items[k++];
        if (k > got->n || new->op != old->op || new->at.line != old->at.line ||
            strcmp(new->real, old->real) != 0 || new->varies != old->varies)
            return false;
        if (old->varies)
            continue;
        if (got->variables[new->variable].own != order ||
            (old->failure != HD_NO_VARIABLE && got->variables[new->failure].own != failure))
            return false;
    }
    return k == got->n;
}

/* Compiles the sources with the edits that there are.  1: they are not what they should be. */
static int try_edits(struct patch *p, struct hd_input *input, struct hd_err *err)
{
    struct hd_order_places got;
    struct hd_err ignored;
    char *overlay = hd_str_format("%s/overlay", p->directory);
    int failed = lay_over(p, overlay, err);
    if (!failed)
        failed = compile_quietly(p, overlay, input, &ignored) != 0;
    free(overlay);
    if (failed)
        return failed;
    failed = hd_order_places_init(&got, input->program, &ignored) != 0;
    if (!failed) {
        failed = !as_expected(p->run, &got);
        hd_order_places_release(&got);
    }
    if (failed)
        hd_input_close(input);
    return failed;
}

/* All edits at once, or else one after the other, without those that do harm. */
static int find_edits(struct patch *p, struct hd_input *input, struct hd_err *err)
{
    struct hd_orders_run *r = p->run;
    for (uint32_t i = 0; i < r->places.n; i++)
        edit_place(p, i);
    int failed = try_edits(p, input, err);
    if (failed <= 0)
        return failed;
    const char **why = hd_alloc((r->places.n + 1) * sizeof *why);
    for (uint32_t i = 0; i < r->places.n; i++) {
        why[i] = r->left[i];
        undo(p, i);
        if (hd_orders_changed(r, &r->places.items[i]))
            r->left[i] = "";
    }
    for (uint32_t i = 0; i < r->places.n && failed >= 0; i++) {
        if (why[i] || !hd_orders_changed(r, &r->places.items[i]))
            continue;
        edit_place(p, i);
        failed = try_edits(p, input, err);
        if (failed == 0) {
            hd_input_close(input);
        } else {
            undo(p, i);
            why[i] = "the rewritten line would not mean the same: change it by hand";
            r->left[i] = "";
        }
    }
    for (uint32_t i = 0; i < r->places.n; i++)
        r->left[i] = why[i];
    free(why);
    return failed < 0 ? -1 : try_edits(p, input, err);
}

/* ---- the patch ---- */

/* The name of the file in the patch: relative to the current directory, or to the root. */
static char *name_in_patch(const char *path)
{
    char here[PATH_MAX];
    char *full = absolute(path), *name;
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (n > 1 && strncmp(full, here, n) == 0 && full[n] == '/')
        name = hd_strdup(full + n + 1);
    else
        name = hd_strdup(full + 1);
    free(full);
    return name;
}

/* Text before the first file is not looked at by patch and git apply. */
static void write_left(struct hd_orders_run *r)
{
    for (uint32_t i = 0; i < r->places.n; i++) {
        const struct hd_order_place *place = &r->places.items[i];
        if (!r->left[i])
            continue;
        struct hd_order_wanted w = wanted(r, place);
        const struct hd_variable *v = r->places.variables;
        hd_str_appendf(&r->patch, "# %s:%u: %s", place->at.file, place->at.line,
                       hd_order_name(v[place->variable].kind, w.order));
        if (place->failure != HD_NO_VARIABLE)
            hd_str_appendf(&r->patch, ", if it fails %s",
                           hd_order_name(HD_ORDERED_FAILURE, w.failure));
        hd_str_appendf(&r->patch, " (%s)\n", r->left[i]);
    }
}

static void write_patch(struct patch *p)
{
    write_left(p->run);
    for (uint32_t i = 0; i < p->n; i++) {
        char *name = name_in_patch(p->sources[i].path);
        hd_order_source_diff(&p->sources[i], name, &p->run->patch);
        free(name);
    }
}

/* The patched program may have fewer weak orders than were found, and is explored as it is. */
static int verify(struct patch *p, struct hd_input *input, struct hd_err *err)
{
    struct hd_orders_run *r = p->run;
    struct hd_result result;
    enum hd_answered answer = hd_orders_explore(r, input->program, NULL, &result);
    if (answer == HD_ANSWER_VERIFIED || answer == HD_ANSWER_BROKEN)
        hd_result_release(&result);
    if (answer == HD_ANSWER_VERIFIED) {
        write_patch(p);
        return HD_EXIT_OK;
    }
    if (r->status != HD_EXIT_OK)
        return r->status;
    if (answer == HD_ANSWER_BROKEN && r->outcome == HD_ASSIGNED_RELAXED) {
        hd_err_set(err, "the patched program is broken, although its orders were verified");
        return HD_EXIT_INTERNAL;
    }
    hd_err_set(err, answer == HD_ANSWER_BROKEN
                        ? "no patch: it would not contain all that the repair needs (the table "
                          "without --patch names the orders)"
                        : "no patch: there was no time to verify the patched program");
    return HD_EXIT_INPUT;
}

int hd_order_patch(struct hd_orders_run *r, struct hd_err *err)
{
    struct patch p = { .run = r };
    struct hd_input input;
    int status = HD_EXIT_INPUT;
    bool found = r->outcome == HD_ASSIGNED_RELAXED || r->outcome == HD_ASSIGNED_REPAIRED;
    if (!found)
        return HD_EXIT_OK;
    if (!r->input.compiled) {
        hd_err_set(err, "--patch compiles the patched sources: give the C files instead of %s",
                   r->request->files.items[0]);
        return HD_EXIT_INPUT;
    }
    if (hd_fs_temp_dir(&p.directory, err) != 0)
        return HD_EXIT_INPUT;
    p.sources = hd_alloc((r->places.n + 1) * sizeof *p.sources);
    int failed = find_edits(&p, &input, err);
    if (failed == 0) {
        status = verify(&p, &input, err);
        hd_input_close(&input);
    } else if (failed > 0) {
        hd_err_set(err, "no patch: the sources cannot be compiled again as they were");
    }
    for (uint32_t i = 0; i < p.n; i++)
        hd_order_source_release(&p.sources[i]);
    free(p.sources);
    hd_fs_remove_tree(p.directory);
    free(p.directory);
    return status;
}
