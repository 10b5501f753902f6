/* axioms-selftest [PROGRAMS [SEED]]: the judge against what is known, against machines, and
 * against itself without cuts, on so many random programs (500). */
#include "test.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    ax_test_relations();
    ax_test_graphs();
    ax_test_objects();
    ax_test_counts();
    ax_test_classics();
    ax_test_shapes();
    ax_test_machines(argc > 1 ? strtoull(argv[1], NULL, 10) : 500,
                     argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    return ax_test_over();
}
