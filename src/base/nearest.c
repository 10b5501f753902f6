/* Edit distance with transpositions of neighbours (optimal string alignment), three rows. */
#include "base/nearest.h"

#include <string.h>

#define LONGEST 80

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            row[j] = least(least(above[j] + 1, row[j - 1] + 1),
                           above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], above2[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

void hd_nearest_init(struct hd_nearest *nearest, const char *wanted)
{
    /* A third of the letters may be wrong; anything farther is no help. */
    *nearest = (struct hd_nearest){ .wanted = wanted, .distance = strlen(wanted) / 3 + 2 };
}

void hd_nearest_try(struct hd_nearest *nearest, const char *candidate)
{
    size_t na = strlen(nearest->wanted), nb = strlen(candidate);
    if (na > LONGEST || nb > LONGEST)
        return;
    size_t d = distance(nearest->wanted, na, candidate, nb);
    if (d < nearest->distance) {
        nearest->distance = d;
        nearest->best = candidate;
    }
}
