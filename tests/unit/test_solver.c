/* The solver against Andersen's rules applied by the book: random constraints, all rules in turn
 * until nothing changes.  Sets of bits, too. */
#include "analyse/bits.h"
#include "analyse/solver.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_OBJECTS = 40,
    MOST_BYTES = 24,
    PLACES = MOST_BYTES + 2, /* offsets 0 to the end, and anywhere */
    NODES = 40,              /* 0 and 1 are HD_NO_NODE and HD_ESCAPE */
    CALLS = 4,
    FUNCTIONS = 4, /* the first objects behind the unknown */
    MOST_RULES = 120,
    WORDS = MOST_BYTES / 8 + 1,
};

enum rule_kind { ADD, COPY, LOAD, STORE, MOVE, SMEAR };

struct rule {
    enum rule_kind kind;
    uint32_t a, b;
    uint64_t bytes;
    struct hd_offset by;
};

struct program {
    struct hd_abstract objects[MOST_OBJECTS];
    uint32_t n_objects;
    struct rule rules[MOST_RULES];
    uint32_t n_rules;
    uint32_t callee[CALLS], arg[CALLS], result[CALLS]; /* nodes of indirect calls */
    uint32_t param[FUNCTIONS], returned[FUNCTIONS];
};

/* ---- by the book ---- */

struct place_set {
    uint64_t places[MOST_OBJECTS]; /* a bit for each */
};

static bool has(const struct place_set *set, uint32_t object, uint32_t place)
{
    return set->places[object] >> place & 1;
}

struct book {
    const struct program *p;
    struct hd_objects objects; /* for where moves lead and what accesses touch */
    struct place_set nodes[NODES], any[MOST_OBJECTS], words[MOST_OBJECTS][WORDS];
    bool escaped[MOST_OBJECTS];
    bool changed;
};

static uint32_t place_of(uint32_t offset) { return offset == HD_ANYWHERE ? PLACES - 1 : offset; }

static uint32_t location_of(struct book *b, uint32_t object, uint32_t place)
{
    int64_t offset = place == PLACES - 1 ? (int64_t)HD_ANYWHERE : (int64_t)place;
    return hd_objects_location(&b->objects, object, offset);
}

static void put(struct book *b, struct place_set *set, uint32_t object, uint32_t place)
{
    b->changed |= !has(set, object, place);
    set->places[object] |= 1ull << place;
}

static void put_location(struct book *b, struct place_set *set, uint32_t location)
{
    struct hd_location at = b->objects.locations[location];
    put(b, set, at.object, place_of(at.offset));
}

static void include(struct book *b, struct place_set *into, const struct place_set *from)
{
    for (uint32_t o = 0; o < b->p->n_objects; o++) {
        b->changed |= (from->places[o] & ~into->places[o]) != 0;
        into->places[o] |= from->places[o];
    }
}

static bool is_function(uint32_t object) { return object >= 1 && object <= FUNCTIONS; }

static void put_unknown(struct book *b, struct place_set *set) { put(b, set, 0, PLACES - 1); }

static void book_load(struct book *b, uint32_t o, uint32_t place, const struct rule *r)
{
    uint64_t begin, end;
    if (o == 0)
        put_unknown(b, &b->nodes[r->b]);
    if (o == 0 || is_function(o))
        return;
    bool exact = hd_objects_range(&b->objects, location_of(b, o, place), r->bytes, &begin, &end);
    include(b, &b->nodes[r->b], &b->any[o]);
    for (uint32_t w = 0; w < WORDS; w++)
        if (!exact || (w * 8 < end && begin < w * 8 + 8))
            include(b, &b->nodes[r->b], &b->words[o][w]);
}

static void book_store(struct book *b, uint32_t o, uint32_t place, const struct rule *r)
{
    uint64_t begin, end;
    if (o == 0)
        include(b, &b->nodes[HD_ESCAPE], &b->nodes[r->b]);
    if (o == 0 || is_function(o))
        return;
    if (!hd_objects_range(&b->objects, location_of(b, o, place), r->bytes, &begin, &end)) {
        include(b, &b->any[o], &b->nodes[r->b]);
        return;
    }
    for (uint32_t w = 0; w < WORDS; w++)
        if (w * 8 < end && begin < w * 8 + 8)
            include(b, &b->words[o][w], &b->nodes[r->b]);
}

static void book_member(struct book *b, const struct rule *r, uint32_t o, uint32_t place)
{
    struct place_set *to = &b->nodes[r->b];
    switch (r->kind) {
    case LOAD:
        book_load(b, o, place, r);
        break;
    case STORE:
        book_store(b, o, place, r);
        break;
    case MOVE:
        put_location(b, to, hd_objects_move(&b->objects, location_of(b, o, place), &r->by));
        break;
    case SMEAR:
        put(b, to, o, PLACES - 1);
        break;
    default:
        put(b, to, o, place);
        break;
    }
}

static void book_rule(struct book *b, const struct rule *r)
{
    if (r->kind == ADD) {
        put_location(b, &b->nodes[r->b], location_of(b, r->a, r->a ? 0 : PLACES - 1));
        return;
    }
    for (uint32_t o = 0; o < b->p->n_objects; o++)
        for (uint32_t k = 0; k < PLACES; k++)
            if (has(&b->nodes[r->a], o, k))
                book_member(b, r, o, k);
}

static void book_calls(struct book *b)
{
    const struct program *p = b->p;
    for (uint32_t c = 0; c < CALLS; c++) {
        const struct place_set *callee = &b->nodes[p->callee[c]];
        if (has(callee, 0, PLACES - 1)) {
            include(b, &b->nodes[HD_ESCAPE], &b->nodes[p->arg[c]]);
            put_unknown(b, &b->nodes[p->result[c]]);
        }
        for (uint32_t f = 0; f < FUNCTIONS; f++)
            for (uint32_t k = 0; k < PLACES; k++)
                if (has(callee, f + 1, k)) {
                    include(b, &b->nodes[p->param[f]], &b->nodes[p->arg[c]]);
                    include(b, &b->nodes[p->result[c]], &b->nodes[p->returned[f]]);
                }
    }
}

static void book_escape(struct book *b)
{
    for (uint32_t o = 1; o < b->p->n_objects; o++) {
        b->escaped[o] |= b->nodes[HD_ESCAPE].places[o] != 0;
        if (!b->escaped[o])
            continue;
        if (is_function(o)) {
            put_unknown(b, &b->nodes[b->p->param[o - 1]]);
            include(b, &b->nodes[HD_ESCAPE], &b->nodes[b->p->returned[o - 1]]);
            continue;
        }
        put_unknown(b, &b->any[o]);
        include(b, &b->nodes[HD_ESCAPE], &b->any[o]);
        for (uint32_t w = 0; w < WORDS; w++)
            include(b, &b->nodes[HD_ESCAPE], &b->words[o][w]);
    }
}

static void book_solve(struct book *b)
{
    do {
        b->changed = false;
        for (uint32_t i = 0; i < b->p->n_rules; i++)
            book_rule(b, &b->p->rules[i]);
        book_calls(b);
        book_escape(b);
    } while (b->changed);
}

/* ---- the solver ---- */

struct solved {
    const struct program *p;
    struct hd_objects objects;
    struct hd_solver *solver;
};

static void on_location(void *context, uint32_t watch, uint32_t location)
{
    struct solved *s = context;
    uint32_t object = s->objects.locations[location].object;
    if (watch == CALLS) {
        if (!is_function(object))
            return;
        hd_solver_add(s->solver, s->p->param[object - 1], HD_UNKNOWN_LOCATION);
        hd_solver_copy(s->solver, s->p->returned[object - 1], HD_ESCAPE);
    } else if (location == HD_UNKNOWN_LOCATION) {
        hd_solver_copy(s->solver, s->p->arg[watch], HD_ESCAPE);
        hd_solver_add(s->solver, s->p->result[watch], HD_UNKNOWN_LOCATION);
    } else if (is_function(object)) {
        hd_solver_copy(s->solver, s->p->arg[watch], s->p->param[object - 1]);
        hd_solver_copy(s->solver, s->p->returned[object - 1], s->p->result[watch]);
    }
}

static void give_rule(struct solved *s, const struct rule *r)
{
    switch (r->kind) {
    case ADD:
        hd_solver_add(s->solver, r->b,
                      r->a ? hd_objects_location(&s->objects, r->a, 0) : HD_UNKNOWN_LOCATION);
        break;
    case COPY:
        hd_solver_copy(s->solver, r->a, r->b);
        break;
    case LOAD:
        hd_solver_load(s->solver, r->a, r->b, r->bytes);
        break;
    case STORE:
        hd_solver_store(s->solver, r->a, r->b, r->bytes);
        break;
    case MOVE:
        hd_solver_move(s->solver, r->a, r->b, &r->by);
        break;
    case SMEAR:
        hd_solver_smear(s->solver, r->a, r->b);
        break;
    }
}

static void solve(struct solved *s, uint32_t first_part, uint64_t budget)
{
    s->solver = hd_solver_create(&s->objects);
    while (hd_solver_node(s->solver) + 1 < NODES)
        continue;
    hd_solver_limit(s->solver, budget);
    hd_solver_watch(s->solver, HD_ESCAPE, CALLS);
    for (uint32_t c = 0; c < CALLS; c++)
        hd_solver_watch(s->solver, s->p->callee[c], c);
    for (uint32_t i = 0; i < s->p->n_rules; i++) {
        give_rule(s, &s->p->rules[i]);
        if (i == first_part)
            hd_solver_run(s->solver, on_location, s);
    }
    hd_solver_run(s->solver, on_location, s);
}

/* ---- random programs ---- */

static void make_objects(struct hd_objects *objects, const struct program *p)
{
    hd_objects_init(objects, NULL);
    for (uint32_t o = 1; o < p->n_objects; o++)
        hd_objects_add(objects, p->objects[o]);
}

static uint32_t below(struct hd_rng *seed, uint32_t n) { return hd_rng_below(seed, n); }

static uint32_t random_node(struct hd_rng *seed) { return 2 + below(seed, NODES - 2); }

static struct rule random_rule(struct hd_rng *seed, uint32_t n_objects)
{
    static const uint64_t sizes[] = { 0, 1, 8, 8, 16 };
    static const enum rule_kind kinds[] = { ADD,  ADD,  ADD,   COPY,  COPY, COPY,
                                            LOAD, LOAD, STORE, STORE, MOVE, SMEAR };
    struct rule r = { .kind = kinds[below(seed, sizeof kinds / sizeof *kinds)] };
    r.a = r.kind == ADD ? 1 + below(seed, n_objects - 1) : random_node(seed);
    r.b = random_node(seed);
    r.bytes = sizes[below(seed, 5)];
    r.by = (struct hd_offset){ .source = 1, .constant = (int64_t)below(seed, 5) * 4 - 8 };
    if (below(seed, 3) == 0) {
        r.by.n_strides = 1;
        r.by.strides[0] = 8 + 8 * below(seed, 2);
    }
    r.by.anywhere = below(seed, 8) == 0;
    if (below(seed, 40) == 0)
        r = (struct rule){ .kind = COPY, .a = r.b, .b = HD_ESCAPE };
    else if (below(seed, 40) == 0)
        r = (struct rule){ .kind = ADD, .a = HD_UNKNOWN_OBJECT, .b = r.b };
    return r;
}

static void random_program(struct program *p, struct hd_rng *seed)
{
    memset(p, 0, sizeof *p);
    p->n_objects = FUNCTIONS + 3 + below(seed, MOST_OBJECTS - FUNCTIONS - 3);
    for (uint32_t o = 1; o < p->n_objects; o++) {
        struct hd_abstract *object = &p->objects[o];
        object->kind = is_function(o) ? HD_OBJECT_FUNCTION : HD_OBJECT_HEAP;
        if (below(seed, 3) == 0)
            object->period = 8 + 8 * below(seed, 2);
        else
            object->bytes = 8 + 8 * below(seed, MOST_BYTES / 8 - 1);
    }
    p->n_rules = 10 + below(seed, MOST_RULES - 10);
    for (uint32_t i = 0; i < p->n_rules; i++)
        p->rules[i] = random_rule(seed, p->n_objects);
    for (uint32_t i = 0; i < CALLS; i++) {
        p->callee[i] = random_node(seed);
        p->arg[i] = random_node(seed);
        p->result[i] = random_node(seed);
    }
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        p->param[i] = random_node(seed);
        p->returned[i] = random_node(seed);
    }
}

/* ---- the comparison ---- */

/* A set with the unknown need not name what has escaped; nothing else may be missing, and
 * nothing may be there that the book does not have. */
static uint32_t compare_node(struct book *b, struct solved *s, uint32_t node)
{
    static struct place_set found;
    uint32_t n, left_out = 0;
    const uint32_t *set = hd_solver_get(s->solver, node, &n);
    memset(&found, 0, sizeof found);
    for (uint32_t i = 0; i < n; i++) {
        struct hd_location at = s->objects.locations[set[i]];
        found.places[at.object] |= 1ull << place_of(at.offset);
    }
    bool unknown = has(&found, 0, PLACES - 1);
    for (uint32_t o = 0; o < b->p->n_objects; o++)
        for (uint32_t k = 0; k < PLACES; k++) {
            bool expected = has(&b->nodes[node], o, k);
            if (has(&found, o, k))
                assert_true(expected);
            else if (expected)
                assert_true(unknown && b->escaped[o]);
            left_out += expected && !has(&found, o, k);
        }
    return left_out;
}

static uint32_t compare(const struct program *p, uint32_t first_part)
{
    struct book *b = calloc(1, sizeof *b);
    struct solved s = { .p = p };
    uint32_t left_out = 0;
    b->p = p;
    make_objects(&b->objects, p);
    make_objects(&s.objects, p);
    book_solve(b);
    solve(&s, first_part, UINT64_MAX);
    assert_false(hd_solver_is_coarse(s.solver));
    for (uint32_t o = 1; o < p->n_objects; o++)
        assert_int_equal(s.objects.items[o].escaped, b->escaped[o]);
    for (uint32_t i = 2; i < NODES; i++)
        left_out += compare_node(b, &s, i);
    hd_solver_destroy(s.solver);
    hd_objects_release(&s.objects);
    hd_objects_release(&b->objects);
    free(b);
    return left_out;
}

static void test_random(void **state)
{
    (void)state;
    static struct program p;
    struct hd_rng seed = { 2024 };
    uint64_t left_out = 0;
    for (uint32_t i = 0; i < 400; i++) {
        random_program(&p, &seed);
        left_out += compare(&p, below(&seed, p.n_rules));
    }
    assert_true(left_out > 100); /* the programs have sets that are large enough */
}

/* Past the budget: everything has escaped, and every node may be the unknown. */
static void test_budget(void **state)
{
    (void)state;
    static struct program p;
    struct hd_rng seed = { 7 };
    uint32_t coarse = 0;
    for (uint32_t i = 0; i < 200; i++) {
        struct solved s = { .p = &p };
        random_program(&p, &seed);
        make_objects(&s.objects, &p);
        solve(&s, below(&seed, p.n_rules), below(&seed, 400));
        coarse += hd_solver_is_coarse(s.solver);
        for (uint32_t o = 1; hd_solver_is_coarse(s.solver) && o < p.n_objects; o++)
            assert_true(s.objects.items[o].escaped);
        for (uint32_t k = 2; hd_solver_is_coarse(s.solver) && k < NODES; k++) {
            uint32_t n;
            const uint32_t *set = hd_solver_get(s.solver, k, &n);
            assert_true(n > 0 && set[0] == HD_UNKNOWN_LOCATION);
        }
        hd_solver_destroy(s.solver);
        hd_objects_release(&s.objects);
    }
    assert_true(coarse > 20 && coarse < 200);
}

/* ---- sets of bits ---- */

enum { UNIVERSE = 700 };

static void check_bits(const struct hd_bits *bits, const bool *expected)
{
    uint32_t number, n = 0, last = 0;
    for (struct hd_bits_at at = hd_bits_first(bits); hd_bits_next(&at, &number); n++) {
        assert_true(number < UNIVERSE && expected[number] && (n == 0 || number > last));
        last = number;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        count += expected[i];
        assert_int_equal(hd_bits_has(bits, i), expected[i]);
    }
    assert_int_equal(n, count);
    assert_int_equal(hd_bits_count(bits), count);
}

static void random_bits(struct hd_bits *bits, bool *model, struct hd_rng *seed)
{
    memset(model, 0, UNIVERSE * sizeof *model);
    for (uint32_t i = below(seed, 40); i > 0; i--) {
        uint32_t x = below(seed, UNIVERSE);
        assert_int_equal(hd_bits_add(bits, x), !model[x]);
        model[x] = true;
    }
}

static void test_bits(void **state)
{
    (void)state;
    static bool x[UNIVERSE], y[UNIVERSE], z[UNIVERSE];
    struct hd_rng seed = { 11 };
    for (uint32_t round = 0; round < 500; round++) {
        struct hd_bits a = { 0 }, b = { 0 }, c = { 0 };
        struct hd_bits_row row = { 0 };
        random_bits(&a, x, &seed);
        random_bits(&b, y, &seed);
        hd_bits_and(&a, &b, &c);
        for (uint32_t i = 0; i < UNIVERSE; i++)
            z[i] = x[i] && y[i];
        check_bits(&c, z);
        hd_bits_row_add(&row, below(&seed, UNIVERSE));
        hd_bits_row_add(&row, 3);
        hd_bits_minus(&a, &row, &b, &c);
        for (uint32_t i = 0; i < UNIVERSE; i++)
            z[i] = x[i] && !y[i] && !(i / 64 < row.n && row.words[i / 64] >> i % 64 & 1);
        check_bits(&c, z);
        hd_bits_or(&c, &b);
        for (uint32_t i = 0; i < UNIVERSE; i++)
            z[i] |= y[i];
        check_bits(&c, z);
        hd_bits_filter(&c, &row);
        for (uint32_t i = 0; i < UNIVERSE; i++)
            z[i] &= !(i / 64 < row.n && row.words[i / 64] >> i % 64 & 1);
        check_bits(&c, z);
        assert_true(hd_bits_equal(&c, &c));
        hd_bits_release(&a);
        hd_bits_release(&b);
        hd_bits_release(&c);
        free(row.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_bits),
                                        cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_budget) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
