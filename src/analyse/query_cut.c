#include "analyse/cut.h"
#include "analyse/query_internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <stdlib.h>

/* Where a thread can be seen to stand at the target, as for --target; all of the line when
 * nowhere. */
static bool *find_marks(struct hd_query *q, const struct hd_query_sites *sites,
                        const struct hd_points *targets)
{
    uint32_t n = q->facts.code.n_insts;
    bool *marked = hd_alloc(n + 1), *wanted = hd_alloc(n + 1), any = false;
    for (uint32_t i = 0; i < targets->n; i++)
        wanted[targets->items[i]] = true;
    for (uint32_t i = 1; i < sites->n; i++)
        if (hd_query_is_seen(q, sites, i) && wanted[sites->points[i]])
            any = marked[sites->points[i]] = true;
    if (!any && targets->n)
        marked[targets->items[0]] = true;
    free(wanted);
    return marked;
}

int hd_query_cut(struct hd_query *q, const struct hd_query_sites *sites,
                 const struct hd_strs *targets, struct hd_str *bitcode, struct hd_err *err)
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
    bool *marked = find_marks(q, sites, &points);
    hd_slice_init(&slice, &q->facts, true);
    hd_slice_add(&slice, HD_NO_POINT, points.items, points.n);
    hd_cut(&slice, marked);
    hd_slice_release(&slice);
    free(points.items);
    free(marked);
    if (LLVMVerifyModule(q->module, LLVMReturnStatusAction, &why))
        hd_bug("a program cut to its slice is not well formed: %s", why);
    LLVMDisposeMessage(why);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(q->module);
    hd_str_append_bytes(bitcode, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return 0;
}
