#include "core/op.h"

#include <string.h>

const struct hd_op_row hd_op_table[HD_OP_COUNT] = {
#define HD_OP(name, text, access, space)                                                         \
    [HD_OP_##name] = { text, HD_ACCESS_##access, HD_SPACE_##space },
#include "core/op.def"
#undef HD_OP
};

enum hd_op hd_op_by_text(const char *text)
{
    for (unsigned op = 0; op < HD_OP_COUNT; op++)
        if (strcmp(hd_op_table[op].text, text) == 0)
            return (enum hd_op)op;
    return HD_OP_COUNT;
}
