#include "strategy/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CALLS 64      /* different ones */
#define MOST_TRIES 1000000 /* until a random scenario keeps the tags */
#define MOST_RANDOM 7      /* calls together: more have too many sequential orders */

/* ---- calls ---- */

static int add_call(struct hd_scenarios *s, const char *tag, char *text, struct hd_err *err)
{
    hd_strs_adopt(&s->calls, text);
    hd_strs_add(&s->only, strcmp(tag, "-") == 0 ? "" : tag);
    return s->calls.n <= MOST_CALLS
               ? 0
               : hd_err_set(err,
                            "more than %d different calls: give the operations smaller "
                            "domains",
                            MOST_CALLS);
}

/* The values of a list that begins at *at, up to the next colon or the end. */
static uint32_t take_values(const char **at, long *values, uint32_t most)
{
    uint32_t n = 0;
    for (*at += strspn(*at, " "); **at && **at != ':'; *at += strspn(*at, " ")) {
        char *end;
        long value = strtol(*at, &end, 10);
        if (end == *at)
            break;
        if (n < most)
            values[n] = value;
        n++;
        *at = end;
    }
    return n < most ? n : most;
}

/* One line: an operation with all its arguments. */
static int add_operation(struct hd_scenarios *s, const char *line, struct hd_err *err)
{
    char name[128], tag[128];
    int used = 0;
    long first[MOST_CALLS], second[MOST_CALLS];
    uint32_t n_first = 0, n_second = 0;
    if (sscanf(line, "%127s %127s%n", name, tag, &used) != 2)
        return hd_err_set(err, "no operations can be read from the program: %.60s", line);
    const char *at = line + used + strspn(line + used, " ");
    if (hd_str_starts(at, "may-fail")) {
        s->may_fail = true;
        at += strlen("may-fail");
        at += strspn(at, " ");
    }
    bool has_first = *at == ':', has_second = false;
    if (has_first) {
        at++;
        n_first = take_values(&at, first, MOST_CALLS);
        has_second = *at == ':';
    }
    if (has_second) {
        at++;
        n_second = take_values(&at, second, MOST_CALLS);
    }
    if (!has_first)
        return add_call(s, tag, hd_strdup(name), err);
    if (n_first == 0 || (has_second && n_second == 0))
        return hd_err_set(err, "%s: HEDDLE_IN() names no value: give an argument one at least",
                          name);
    for (uint32_t i = 0; i < n_first; i++) {
        if (!has_second && add_call(s, tag, hd_str_format("%s(%ld)", name, first[i]), err) != 0)
            return -1;
        for (uint32_t k = 0; k < n_second; k++)
            if (add_call(s, tag, hd_str_format("%s(%ld,%ld)", name, first[i], second[k]), err) !=
                0)
                return -1;
    }
    return 0;
}

/* ---- shapes ---- */

static uint32_t together(const struct hd_shape *shape)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < shape->n_threads; t++)
        n += shape->length[t];
    return n;
}

static uint32_t size(const struct hd_shape *shape)
{
    return together(shape) + shape->before + shape->after;
}

/* Small ones first; of the same size those with more calls side by side, then with fewer
 * threads, then with fewer calls before.  No two shapes are equal: qsort() need not be
 * stable. */
static int smaller(const void *a, const void *b)
{
    const struct hd_shape *x = a, *y = b;
    if (size(x) != size(y))
        return size(x) < size(y) ? -1 : 1;
    if (together(x) != together(y))
        return together(x) > together(y) ? -1 : 1;
    int threads = memcmp(&x->n_threads, &y->n_threads, 1 + sizeof x->length);
    return threads ? threads : (int)x->before - (int)y->before;
}

static void add_shape(struct hd_scenarios *s, const struct hd_shape *shape)
{
    s->shapes = hd_realloc(s->shapes, (s->n_shapes + 1) * sizeof *s->shapes);
    s->shapes[s->n_shapes++] = *shape;
}

/* All shapes whose first threads are those of `shape`. */
static void add_shapes(struct hd_scenarios *s, struct hd_shape *shape,
                       const struct hd_scenario_bounds *b)
{
    uint32_t most = shape->n_threads ? shape->length[shape->n_threads - 1] : b->per_thread;
    for (uint32_t i = 0; shape->n_threads >= 2 && i <= b->before; i++)
        for (uint32_t k = 0; k <= b->after; k++) {
            shape->before = (uint8_t)i;
            shape->after = (uint8_t)k;
            add_shape(s, shape);
        }
    for (uint32_t n = 1; shape->n_threads < b->threads && n <= most; n++) {
        shape->length[shape->n_threads++] = (uint8_t)n;
        if (together(shape) <= b->together)
            add_shapes(s, shape, b);
        shape->length[--shape->n_threads] = 0;
    }
}

/* Can the calls of the shape be run in all orders? */
static bool few_orders(const struct hd_scenarios *s, const struct hd_shape *shape, bool any)
{
    uint64_t orders = 1, n = 0;
    for (uint32_t t = 0; t < shape->n_threads; t++)
        for (uint32_t i = 1; i <= shape->length[t]; i++) {
            orders = orders * ++n / (any ? 1 : i) * (s->may_fail ? 2 : 1);
            if (orders > (uint64_t)HD_LIN_ORDERS * 8) /* with a division to come at most */
                return false;
        }
    return orders <= HD_LIN_ORDERS;
}

int hd_scenarios_init(struct hd_scenarios *s, const char *operations,
                      const struct hd_scenario_bounds *bounds, struct hd_err *err)
{
    struct hd_shape shape = { 0 };
    *s = (struct hd_scenarios){ 0 };
    hd_strs_init(&s->calls);
    hd_strs_init(&s->only);
    while (*operations) {
        size_t length = strcspn(operations, "\n");
        char *line = hd_str_format("%.*s", (int)length, operations);
        int failed = length ? add_operation(s, line, err) : 0;
        free(line);
        if (failed) {
            hd_scenarios_release(s);
            return -1;
        }
        operations += length + (operations[length] == '\n');
    }
    if (s->calls.n == 0) {
        hd_scenarios_release(s);
        return hd_err_set(err, "the program has no operations: define some with HEDDLE_LIN_OP");
    }
    add_shapes(s, &shape, bounds);
    for (uint32_t i = 0; i < s->n_shapes; i++)
        if (!few_orders(s, &s->shapes[i], bounds->any_order)) {
            hd_err_set(err,
                       "scenarios with %u calls in %u threads have more than %d sequential "
                       "orders: give smaller --calls, --per-thread or --threads",
                       together(&s->shapes[i]), s->shapes[i].n_threads, HD_LIN_ORDERS);
            hd_scenarios_release(s);
            return -1;
        }
    qsort(s->shapes, s->n_shapes, sizeof *s->shapes, smaller);
    return 0;
}

void hd_scenarios_release(struct hd_scenarios *s)
{
    hd_strs_release(&s->calls);
    hd_strs_release(&s->only);
    free(s->shapes);
    *s = (struct hd_scenarios){ 0 };
}

/* ---- scenarios of a shape ---- */

/* Counts through the digits.  False: the shape is over. */
static bool count_on(struct hd_scenarios *s)
{
    const struct hd_shape *shape = &s->shapes[s->shape];
    for (uint32_t i = size(shape); i-- > 0;) {
        if (++s->digit[i] < s->calls.n)
            return true;
        s->digit[i] = 0;
    }
    return false;
}

/* Threads of the same length stand in the order of their calls: other orders are the same
 * scenario with other names. */
static bool is_first_of_equals(const struct hd_scenarios *s, const struct hd_shape *shape)
{
    const uint32_t *calls = s->digit + shape->before;
    for (uint32_t t = 0; t + 1 < shape->n_threads; calls += shape->length[t++]) {
        uint32_t n = shape->length[t], i = 0;
        if (n != shape->length[t + 1])
            continue;
        while (i < n && calls[i] == calls[n + i])
            i++;
        if (i < n && calls[i] > calls[n + i])
            return false;
    }
    return true;
}

/* The thread of the call at this place of the threads' part. */
static uint32_t thread_of(const struct hd_shape *shape, uint32_t at)
{
    uint32_t t = 0;
    while (at >= shape->length[t])
        at -= shape->length[t++];
    return t;
}

/* Calls of one tag stand in one thread. */
static bool keeps_tags(const struct hd_scenarios *s, const struct hd_shape *shape)
{
    const uint32_t *calls = s->digit + shape->before;
    for (uint32_t i = 0; i < together(shape); i++)
        for (uint32_t k = 0; k < i && *s->only.items[calls[i]]; k++)
            if (thread_of(shape, i) != thread_of(shape, k) &&
                strcmp(s->only.items[calls[i]], s->only.items[calls[k]]) == 0)
                return false;
    return true;
}

/* The next one, in digit[].  False: there is none. */
static bool advance(struct hd_scenarios *s)
{
    while (s->shape < s->n_shapes) {
        const struct hd_shape *shape = &s->shapes[s->shape];
        if (shape->left) {
            s->shape++;
            s->begun = false;
            continue;
        }
        if (!s->begun)
            memset(s->digit, 0, sizeof s->digit);
        else if (!count_on(s)) {
            s->shape++;
            s->begun = false;
            continue;
        }
        s->begun = true;
        if (is_first_of_equals(s, shape) && keeps_tags(s, shape))
            return true;
    }
    return false;
}

static void append_calls(const struct hd_scenarios *s, struct hd_str *text, uint32_t from,
                         uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        hd_str_appendf(text, "%s%s", i ? "; " : "", s->calls.items[s->digit[from + i]]);
}

static void append_scenario(const struct hd_scenarios *s, struct hd_str *text)
{
    const struct hd_shape *shape = &s->shapes[s->shape];
    uint32_t from = shape->before;
    append_calls(s, text, 0, shape->before);
    hd_str_append(text, shape->before ? " /" : "/");
    for (uint32_t t = 0; t < shape->n_threads; from += shape->length[t++]) {
        hd_str_append(text, t ? " | " : " ");
        append_calls(s, text, from, shape->length[t]);
    }
    hd_str_append(text, shape->after ? " / " : " /");
    append_calls(s, text, from, shape->after);
}

bool hd_scenarios_next(struct hd_scenarios *s, struct hd_str *text)
{
    if (!advance(s))
        return false;
    append_scenario(s, text);
    return true;
}

const struct hd_shape *hd_scenarios_next_shape(const struct hd_scenarios *s)
{
    struct hd_scenarios copy = *s; /* what it points to stays as it is */
    return advance(&copy) ? &s->shapes[copy.shape] : NULL;
}

void hd_scenarios_leave(struct hd_scenarios *s, const struct hd_shape *shape)
{
    for (uint32_t i = s->shape; i < s->n_shapes; i++)
        if (memcmp(s->shapes[i].length, shape->length, sizeof shape->length) == 0)
            s->shapes[i].left = true;
}

uint32_t hd_scenarios_complete(const struct hd_scenarios *s, uint64_t n, uint64_t *n_complete)
{
    struct hd_scenarios copy = *s;
    uint32_t last = 0, complete = 0;
    copy.shape = 0;
    copy.begun = false;
    *n_complete = 0;
    for (uint64_t i = 0;; i++) {
        uint32_t next = advance(&copy) ? size(&copy.shapes[copy.shape]) : 0;
        if (i && next != last) {
            complete = last;
            *n_complete = i;
        }
        if (next == 0 || i == n)
            return complete;
        last = next;
    }
}

/* A random shape with more calls than the bounds allow. */
static void random_shape(struct hd_shape *shape, const struct hd_scenario_bounds *b,
                         struct hd_rng *rng)
{
    uint32_t n = b->together + 1 + hd_rng_below(rng, 2);
    *shape = (struct hd_shape){ .before = (uint8_t)hd_rng_below(rng, 3),
                                .after = (uint8_t)hd_rng_below(rng, 3),
                                .n_threads = (uint8_t)(2 + hd_rng_below(rng, 3)) };
    n = n < MOST_RANDOM ? n : MOST_RANDOM;
    n = n < shape->n_threads ? shape->n_threads : n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = i < shape->n_threads ? i : hd_rng_below(rng, shape->n_threads);
        if (shape->length[t] < HD_LIN_CALLS)
            shape->length[t]++;
    }
}

bool hd_scenarios_random(struct hd_scenarios *s, const struct hd_scenario_bounds *bounds,
                         struct hd_rng *rng, struct hd_str *text)
{
    struct hd_scenarios one = *s; /* what it points to stays as it is */
    struct hd_shape shape;
    one.shapes = &shape;
    one.n_shapes = 1;
    one.shape = 0;
    for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
        random_shape(&shape, bounds, rng);
        for (uint32_t i = 0; i < size(&shape); i++)
            one.digit[i] = hd_rng_below(rng, (uint32_t)s->calls.n);
        if (keeps_tags(&one, &shape) && few_orders(s, &shape, bounds->any_order)) {
            append_scenario(&one, text);
            return true;
        }
    }
    return false;
}

/* The calls of a part, from `at` to a / or |. */
static void read_part(const char **at, struct hd_strs *part)
{
    hd_strs_init(part);
    while (**at && **at != '/' && **at != '|') {
        size_t length = strcspn(*at, ";/|");
        const char *from = *at + strspn(*at, " ");
        const char *to = *at + length;
        while (to > from && to[-1] == ' ')
            to--;
        if (to > from)
            hd_strs_adopt(part, hd_str_format("%.*s", (int)(to - from), from));
        *at += length + ((*at)[length] == ';');
    }
}

/* The scenario without call `call` of part `part`; NULL if there are less than two threads. */
static char *without(const struct hd_strs *parts, uint32_t n, uint32_t part, size_t call)
{
    struct hd_str out;
    uint32_t threads = 0;
    hd_str_init(&out);
    for (uint32_t p = 0; p < n; p++) {
        size_t left = parts[p].n - (p == part);
        bool alone = p == 0 || p + 1 == n;
        if (left == 0 && !alone)
            continue; /* a thread without calls is none */
        if (p)
            hd_str_append(&out, p + 1 == n ? " /" : threads++ ? " |" : "");
        for (size_t i = 0, said = 0; i < parts[p].n; i++)
            if (p != part || i != call)
                hd_str_appendf(&out, "%s%s", said++ ? "; " : p ? " " : "", parts[p].items[i]);
        if (p == 0)
            hd_str_append(&out, left ? " /" : "/");
    }
    char *text = threads >= 2 ? hd_strdup(out.text) : NULL;
    hd_str_release(&out);
    return text;
}

void hd_scenarios_smaller(const char *scenario, struct hd_strs *smaller)
{
    struct hd_strs parts[HD_LIN_THREADS + 2];
    uint32_t n = 0;
    for (const char *at = scenario; n < HD_LIN_THREADS + 2;) {
        read_part(&at, &parts[n++]);
        if (!*at++)
            break;
    }
    for (uint32_t p = 0; p < n; p++)
        for (size_t i = 0; i < parts[p].n; i++) {
            char *text = without(parts, n, p, i);
            if (text)
                hd_strs_adopt(smaller, text);
        }
    for (uint32_t p = 0; p < n; p++)
        hd_strs_release(&parts[p]);
}

uint64_t hd_scenarios_count(const struct hd_scenarios *s, uint64_t most)
{
    struct hd_scenarios copy = *s; /* what it points to stays as it is */
    uint64_t n = 0;
    while (n < most && advance(&copy))
        n++;
    return n;
}
