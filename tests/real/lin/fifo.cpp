/* A queue, as a model for tests/real/lin/moodycamel.cpp. */
#include <heddle/lin_model.h>

static long values[16];
static int first, last;

HEDDLE_LIN_SETUP { first = last = 0; }
HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2))
{
    values[last++] = v;
    return 1;
}
HEDDLE_LIN_OP0(get) { return first == last ? -1 : values[first++]; }
