#include "analyse/cut.h"
#include "analyse/query_internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <stdlib.h>

int hd_query_cut(struct hd_query *q, const struct hd_strs *targets, struct hd_str *bitcode,
                 struct hd_err *err)
{
    struct hd_points points = { 0 };
    struct hd_slice slice;
    char *why = NULL;
    for (size_t i = 0; i < targets->n; i++) {
        if (hd_query_target(q, targets->items[i], &points, err) == 0)
            continue;
        free(points.items);
        return -1;
    }
    hd_slice_init(&slice, &q->facts, true);
    hd_slice_add(&slice, HD_NO_POINT, points.items, points.n);
    free(points.items);
    hd_cut(&slice);
    hd_slice_release(&slice);
    if (LLVMVerifyModule(q->module, LLVMReturnStatusAction, &why))
        hd_bug("a program cut to its slice is not well formed: %s", why);
    LLVMDisposeMessage(why);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(q->module);
    hd_str_append_bytes(bitcode, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return 0;
}
