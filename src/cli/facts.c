#include "cli/facts.h"

#include "analyse/query.h"
#include "core/enabled.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_memory(uint16_t op)
{
    const struct hd_op_row *row = &hd_op_table[op];
    return row->space == HD_SPACE_MEM && !hd_op_has((enum hd_op)op, HD_OPTRAIT_ENDS) &&
           !hd_op_blocks((enum hd_op)op) && !hd_op_is_outcome((enum hd_op)op);
}

/* False if the analysis has no such object. */
static bool place(struct hd_seen *seen, const struct hd_name *name, struct hd_program *program)
{
    bool unique;
    switch (name->where) {
    case HD_WHERE_GLOBAL:
        seen->where = HD_SEEN_GLOBAL;
        seen->variable = hd_program_object(program, name->offset, &seen->offset, &unique);
        return seen->variable != NULL;
    case HD_WHERE_HEAP:
        seen->where = HD_SEEN_HEAP;
        return name->made != 0; /* 0: the library's own, such as the buffer of a stream */
    case HD_WHERE_STACK:
        seen->where = HD_SEEN_STACK;
        return true;
    default:
        return false;
    }
}

struct calls {
    struct hd_seen_call *items;
    uint32_t n;
};

/* The calls that the step's thread stood in.  A step of no known place says nothing of its
 * stack, and a signal on its way is no thread of the program's. */
static void add_calls(struct calls *calls, const struct hd_run *run, const struct hd_step *step,
                      const struct hd_program *program)
{
    uint32_t sites[HD_MAX_FRAMES], n = hd_run_stack(run, step->stack, sites);
    uint32_t inside = hd_program_point(program, step->site);
    if (inside == HD_SEEN_NO_CALL || n == HD_MAX_FRAMES || step->op == HD_OP_SIGNAL_ARRIVE)
        return;
    calls->items = hd_realloc(calls->items, (calls->n + n + 1) * sizeof *calls->items);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t point = hd_program_point(program, sites[i]);
        calls->items[calls->n++] = (struct hd_seen_call){ point, inside };
        inside = point;
    }
    calls->items[calls->n++] = (struct hd_seen_call){ HD_SEEN_NO_CALL, inside };
}

int hd_facts_check(const struct hd_run *run, struct hd_program *program, struct hd_err *err)
{
    struct hd_query *query;
    struct hd_str why;
    size_t bytes;
    uint32_t n = 0;
    const void *module = hd_program_module(program, &bytes);
    if (hd_query_open(&query, module, bytes, hd_program_name(program), err) != 0)
        return HD_EXIT_INPUT;
    struct calls calls = { 0 };
    struct hd_seen *seen = hd_alloc((run->n_log * 2ul + 1) * sizeof *seen);
    for (uint32_t i = 0; i < run->n_log; i++) {
        const struct hd_step *step = &run->log[i];
        add_calls(&calls, run, step, program);
        for (int k = 0; k < 2 && is_memory(step->op); k++) {
            struct hd_seen one = { .thread = step->thread, .main = step->thread == 0 };
            one.point = hd_program_point(program, step->site);
            one.line = hd_program_site(program, step->site).line;
            one.solo = step->flags & HD_STEP_SOLO;
            one.writes = k == 0 && hd_op_table[step->op].access == HD_ACCESS_WRITE;
            if ((k && !hd_op_reads_second((enum hd_op)step->op)) ||
                !place(&one, k ? &step->object2 : &step->object, program))
                continue;
            seen[n++] = one;
        }
    }
    hd_str_init(&why);
    uint32_t bad = hd_query_check(query, seen, n, &why) +
                   hd_query_check_calls(query, calls.items, calls.n, &why);
    fputs(why.text, stdout);
    printf("%u accesses of the run and %u calls that it stood in, %u contradict the analysis\n",
           n, calls.n, bad);
    hd_str_release(&why);
    free(seen);
    free(calls.items);
    hd_query_close(query);
    if (bad == 0)
        return HD_EXIT_OK;
    hd_err_set(err, "internal error: the run does what the analysis rules out, %u times", bad);
    return HD_EXIT_INTERNAL;
}
