#define _GNU_SOURCE
#include "report/trace.h"

#include "base/fs.h"

#include <stdlib.h>
#include <string.h>

/* Do the paths lead to the same file? */
static bool same_file(const char *a, const char *b)
{
    char *one = realpath(a, NULL), *other = realpath(b, NULL);
    bool same = strcmp(a, b) == 0 || (one && other && strcmp(one, other) == 0);
    free(one);
    free(other);
    return same;
}

bool hd_trace_changed(const struct hd_trace *trace, const struct hd_program *program)
{
    char build[33];
    hd_program_build(program, build);
    return !trace->bare && strcmp(build, trace->head.build) != 0 &&
           same_file(trace->head.program, hd_program_name(program));
}

static int same_program(const struct hd_trace *trace, const char *name,
                        const struct hd_program *program, struct hd_err *err)
{
    char build[33];
    hd_program_build(program, build);
    if (strcmp(build, trace->head.build) == 0)
        return 0;
    if (strcmp(hd_fs_base(trace->head.program), hd_fs_base(hd_program_name(program))) == 0)
        return hd_err_set(err,
                          "%s has changed since %s was recorded (its source, its options or "
                          "heddle: build %s, now %s), so the trace does not fit: check it again, "
                          "or replay the trace with the program as it was",
                          hd_program_name(program), name, trace->head.build, build);
    return hd_err_set(err,
                      "%s is a trace of another program: it was made with build %s, %s has build "
                      "%s; replay it with the program it came from (%s), or check again",
                      name, trace->head.build, hd_program_name(program), build,
                      trace->head.program);
}

static int bind_name(struct hd_name *name, const char *symbol, uint32_t line, const char *file,
                     const struct hd_program *program, struct hd_err *err)
{
    uint64_t address;
    if (!symbol)
        return 0;
    if (!hd_program_variable(program, symbol, &address))
        return hd_err_set(err, "%s:%u: the program has no variable '%.60s' (or more than one)",
                          file, line, symbol);
    name->offset += address;
    return 0;
}

int hd_trace_bind(const struct hd_trace *trace, const char *name,
                  const struct hd_program *program, struct hd_step **script, struct hd_err *err)
{
    if (!trace->bare && same_program(trace, name, program, err) != 0)
        return -1;
    struct hd_step *steps = hd_alloc((trace->n_steps + 1) * sizeof *steps);
    for (uint32_t i = 0; i < trace->n_steps; i++) {
        const struct hd_trace_step *from = &trace->steps[i];
        steps[i] = from->step;
        if (from->step.site >= hd_program_info(program)->n_sites && from->step.site != 0) {
            hd_err_set(err, "%s:%u: site %u: the program has %u sites", name, from->line,
                       from->step.site, hd_program_info(program)->n_sites);
            goto fail;
        }
        if (bind_name(&steps[i].object, from->symbol, from->line, name, program, err) != 0 ||
            bind_name(&steps[i].object2, from->symbol2, from->line, name, program, err) != 0)
            goto fail;
    }
    *script = steps;
    return 0;
fail:
    free(steps);
    return -1;
}
