/* The estimate of the tree's size, on trees whose size is known. */
#include "explore/loop/estimate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define DEPTH 6

/* The next leaf in depth-first order; false when there is none. */
static bool advance(struct hd_path *p, struct hd_estimate *e)
{
    for (uint32_t d = DEPTH; d-- > 0;)
        if (p->nodes[d].taken + 1 < p->nodes[d].n_open) {
            hd_estimate_left(e, p, d + 1);
            p->nodes[d].taken++;
            for (uint32_t k = d + 1; k < DEPTH; k++)
                p->nodes[k].taken = 0;
            return true;
        }
    return false;
}

/* In a tree with the same branches everywhere at a depth the share is exact at every moment. */
static void regular(void **state)
{
    (void)state;
    static const uint32_t branches[DEPTH] = { 3, 1, 2, 4, 1, 2 };
    struct hd_node nodes[DEPTH] = { 0 };
    struct hd_path path = { .nodes = nodes, .n_nodes = DEPTH };
    struct hd_estimate *estimate = calloc(1, sizeof *estimate);
    uint32_t total = 1, done = 0;
    for (int d = 0; d < DEPTH; d++) {
        nodes[d].n_open = branches[d];
        total *= branches[d];
    }
    do {
        double share = hd_estimate_explored(estimate, &path);
        assert_true(share > (double)done / total - 1e-9 && share < (double)done / total + 1e-9);
        done++;
    } while (advance(&path, estimate));
    assert_int_equal(done, total);
    free(estimate);
}

/* Branches that are opened late: an open node counts as much as those before it at its depth. */
static void learned(void **state)
{
    (void)state;
    struct hd_node nodes[2] = { { .n_open = 2, .taken = 1 }, { .n_open = 1 } };
    struct hd_path path = { .nodes = nodes, .n_nodes = 2 };
    struct hd_estimate *estimate = calloc(1, sizeof *estimate);
    estimate->at[1].branches = 4;
    estimate->at[1].nodes = 1;
    nodes[1].taken = 0;
    assert_true(hd_estimate_explored(estimate, &path) == 0.5);
    nodes[1].n_open = 2;
    nodes[1].taken = 1;
    assert_true(hd_estimate_explored(estimate, &path) == 0.5 + 0.5 / 4);
    free(estimate);
}

/* Executions that become longer and longer are those of a tree that has no end. */
static void endless(void **state)
{
    (void)state;
    struct hd_estimate *estimate = calloc(1, sizeof *estimate);
    for (uint64_t i = 1; i <= 100; i++)
        assert_false(hd_estimate_ends(estimate, 10 * i));
    for (uint64_t i = 1; i < 100; i++)
        assert_false(hd_estimate_ends(estimate, 1000));
    assert_true(hd_estimate_ends(estimate, 1000));
    free(estimate);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(regular), cmocka_unit_test(learned),
                                        cmocka_unit_test(endless) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
