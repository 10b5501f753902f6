/* A call's site is its place and the function that it stands in; the innermost place of all is
 * the finding's own. */
#include "report/stack.h"

#include "report/lin_calls.h"
#include "report/step.h"

enum { MOST_SHOWN = 32 };

uint32_t hd_stack_places(const struct hd_run *run, struct hd_program *program, uint32_t stack,
                         struct hd_place *places, uint32_t most)
{
    uint32_t sites[HD_MAX_FRAMES], known = 0;
    uint32_t n = hd_run_stack(run, stack, sites);
    for (uint32_t i = 0; i < n && known < most; i++) {
        places[known] = hd_program_site(program, sites[i]);
        known += places[known].line != 0 && !hd_step_in_library(&places[known]) &&
                 !hd_lin_calls_around(&places[known]);
    }
    return known;
}

void hd_stack_words(struct hd_str *out, const struct hd_run *run, struct hd_program *program,
                    uint32_t stack, const char *before)
{
    struct hd_place places[MOST_SHOWN];
    uint32_t n = hd_stack_places(run, program, stack, places, MOST_SHOWN);
    for (uint32_t i = 0; i < n; i++) {
        hd_str_appendf(out, "%scalled at ", before ? before : ", ");
        hd_step_where(out, &places[i]);
        if (*places[i].function)
            hd_str_appendf(out, " (%s)", places[i].function);
    }
    if (n == MOST_SHOWN)
        hd_str_appendf(out, "%s…", before ? before : ", ");
}

bool hd_stack_any(const struct hd_run *run, struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    return hd_step_stack(run, program) != 0 ||
           (f->kind == HD_KIND_DATA_RACE && f->standings[1].stack != 0);
}
