#include "core/action.h"

typedef unsigned __int128 wide;

static wide number(const uint64_t words[2], uint32_t size)
{
    wide all = (wide)words[1] << 64 | words[0];
    return size < 16 ? all & (((wide)1 << 8 * size) - 1) : all;
}

void hd_action_combine(const struct hd_action *a, uint64_t value[2], const uint64_t operand[2])
{
    wide v = number(value, a->size), o = number(operand, a->size);
    wide sign = (wide)1 << (8 * a->size -
                            1); /* moves signed numbers into the order of unsigned */
    switch ((enum hd_commuting)a->size2) {
    case HD_COMMUTES_ADD:
        v += o;
        break;
    case HD_COMMUTES_AND:
        v &= o;
        break;
    case HD_COMMUTES_OR:
        v |= o;
        break;
    case HD_COMMUTES_XOR:
        v ^= o;
        break;
    case HD_COMMUTES_MAX:
        v = (v ^ sign) > (o ^ sign) ? v : o;
        break;
    case HD_COMMUTES_MIN:
        v = (v ^ sign) < (o ^ sign) ? v : o;
        break;
    case HD_COMMUTES_UMAX:
        v = v > o ? v : o;
        break;
    case HD_COMMUTES_UMIN:
        v = v < o ? v : o;
        break;
    case HD_COMMUTES_UNSEEN:
        v = o;
        break;
    case HD_COMMUTES_NOT:
        break;
    }
    uint64_t words[2] = { (uint64_t)v, (uint64_t)(v >> 64) };
    v = number(words, a->size);
    value[0] = (uint64_t)v;
    value[1] = (uint64_t)(v >> 64);
}
