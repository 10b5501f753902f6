#include "analyse/query_internal.h"
#include "compile/bitcode.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int hd_query_open(struct hd_query **query, const void *bitcode, size_t n, const char *name,
                  struct hd_err *err)
{
    if (n == 0)
        return hd_err_set(err, "%s carries no module to analyse: build it again with heddle cc",
                          name);
    if (hd_bitcode_try(name, bitcode, n, err) != 0)
        return -1;
    double begin = now();
    struct hd_query *q = hd_alloc(sizeof *q);
    hd_strmap_init(&q->texts);
    q->context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, n, name);
    LLVMBool failed = LLVMParseBitcodeInContext2(q->context, buffer, &q->module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed) {
        LLVMContextDispose(q->context);
        hd_strmap_release(&q->texts);
        free(q);
        return hd_err_set(err, "%s: its module cannot be read: build it again with heddle cc",
                          name);
    }
    q->name = hd_strdup(name);
    hd_facts_init(&q->facts, q->module);
    hd_facts_add_locks(&q->facts);
    q->seconds = now() - begin;
    *query = q;
    return 0;
}

void hd_query_close(struct hd_query *q)
{
    if (q == NULL)
        return;
    hd_facts_release(&q->facts);
    LLVMDisposeModule(q->module);
    LLVMContextDispose(q->context);
    for (size_t i = 0; i < q->texts.room; i++)
        if (q->texts.slots[i].key)
            free((void *)(uintptr_t)q->texts.slots[i].value);
    hd_strmap_release(&q->texts);
    free(q->name);
    free(q);
}

struct hd_query_numbers hd_query_numbers(const struct hd_query *q)
{
    const struct hd_facts *f = &q->facts;
    struct hd_solver_stats stats = hd_solver_stats(f->points_to.solver);
    struct hd_query_numbers n = { .blocks = f->code.n_blocks,
                                  .instructions = f->code.n_insts,
                                  .entries = f->threads.n,
                                  .objects = f->points_to.objects.n,
                                  .nodes = stats.nodes,
                                  .merged = stats.merged,
                                  .seconds = q->seconds };
    for (uint32_t i = 0; i < f->code.n_functions; i++)
        n.functions += hd_code_is_defined(&f->code, i);
    for (uint32_t i = 0; i < f->accesses.n; i++) {
        uint32_t flags = f->accesses.items[i].flags;
        if (flags & (HD_MEM_SYNC | HD_MEM_OUTSIDE))
            continue;
        n.accesses++;
        n.shared += (flags & HD_MEM_SHARED) != 0;
    }
    return n;
}
