#include "core/op.h"

#include <string.h>

const struct hd_op_row hd_op_table[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space)                                                         \
    [HD_OP_##name] = { text, HD_ACCESS_##access, HD_SPACE_##space },
#include "core/op.def"
#undef HD_OP
};

#define CLASS(op, access, space)                                                                 \
    ((op) == HD_OP_FREE || (op) == HD_OP_EXIT ? 0                                                \
     : (access) == HD_ACCESS_READ             ? 2 * (space)                                      \
     : (access) == HD_ACCESS_WRITE            ? 2 * (space) + 1                                  \
                                              : 0)
const uint8_t hd_op_class[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space)                                                         \
    [HD_OP_##name] = CLASS(HD_OP_##name, HD_ACCESS_##access, HD_SPACE_##space),
#include "core/op.def"
#undef HD_OP
};

const uint8_t hd_op_traits[HD_OP_COUNT] = {
    [HD_OP_LOCK] = HD_OP_BLOCKS,
    [HD_OP_RELOCK] = HD_OP_BLOCKS,
    [HD_OP_RDLOCK] = HD_OP_BLOCKS,
    [HD_OP_WRLOCK] = HD_OP_BLOCKS,
    [HD_OP_SPIN_LOCK] = HD_OP_BLOCKS,
    [HD_OP_SEM_WAIT] = HD_OP_BLOCKS | HD_OP_TURNS_OUT,
    [HD_OP_SEM_CANCELLED] = HD_OP_BLOCKS,
    [HD_OP_ONCE] = HD_OP_BLOCKS | HD_OP_TURNS_OUT,
    [HD_OP_ONCE_SEEN] = HD_OP_BLOCKS,
    [HD_OP_IO_READ] = HD_OP_BLOCKS | HD_OP_TURNS_OUT,
    [HD_OP_IO_READ_CANCELLED] = HD_OP_BLOCKS,
    [HD_OP_IO_WRITE] = HD_OP_BLOCKS | HD_OP_TURNS_OUT,
    [HD_OP_IO_WRITE_CANCELLED] = HD_OP_BLOCKS,
    [HD_OP_IO_AWAIT] = HD_OP_BLOCKS,
    [HD_OP_AWAIT_SYNC] = HD_OP_BLOCKS,
    [HD_OP_AWAIT] = HD_OP_BLOCKS, /* not the state of an object but memory decides */
    [HD_OP_CAS] = HD_OP_TURNS_OUT,
    [HD_OP_TRYLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_TIMEDLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_WAIT] = HD_OP_TURNS_OUT,
    [HD_OP_WAKE] = HD_OP_TURNS_OUT,
    [HD_OP_TRYRDLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_TIMEDRDLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_TRYWRLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_TIMEDWRLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_SPIN_TRYLOCK] = HD_OP_TURNS_OUT,
    [HD_OP_SEM_TRYWAIT] = HD_OP_TURNS_OUT,
    [HD_OP_SEM_TIMEDWAIT] = HD_OP_TURNS_OUT,
    [HD_OP_ARRIVE] = HD_OP_TURNS_OUT,
    [HD_OP_FUTEX_WAIT] = HD_OP_TURNS_OUT,
    [HD_OP_FUTEX_WAKE] = HD_OP_TURNS_OUT,
    [HD_OP_FUTEX_REQUEUE] = HD_OP_TURNS_OUT,
    [HD_OP_IO_TRYREAD] = HD_OP_TURNS_OUT,
    [HD_OP_IO_TRYWRITE] = HD_OP_TURNS_OUT,
    [HD_OP_IO_TIMEDAWAIT] = HD_OP_TURNS_OUT,
};

enum hd_op hd_op_by_text(const char *text)
{
    for (unsigned op = 0; op < HD_OP_COUNT; op++)
        if (strcmp(hd_op_table[op].text, text) == 0)
            return (enum hd_op)op;
    return HD_OP_COUNT;
}
