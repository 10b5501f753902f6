#include "report/because.h"

#include "report/cause.h"
#include "report/step.h"
#include "report/text.h"

void hd_because(const struct hd_run *run, struct hd_program *program, hd_because_fn *each,
                void *to)
{
    struct hd_causes causes;
    struct hd_str words;
    hd_str_init(&words);
    for (uint32_t i = 0; i < run->finding.n_origins; i++) {
        const struct hd_origin *o = &run->finding.origins[i];
        struct hd_place at = hd_program_site(program, o->site);
        if (o->what != HD_ORIGIN_MADE && o->what != HD_ORIGIN_FREED)
            continue;
        hd_str_clear(&words);
        hd_text_origin(&words, o, run, program);
        each(to, &at, words.text);
    }
    hd_causes_find(&causes, run, program);
    for (uint32_t i = 0; i < causes.n; i++) {
        const struct hd_step *read = &run->log[causes.items[i].read - 1];
        struct hd_place at = hd_step_at(read, run, program, NULL);
        hd_str_clear(&words);
        hd_cause_words(&words, &causes.items[i], run, program);
        each(to, &at, words.text);
    }
    hd_str_release(&words);
}

static void line(void *to, const struct hd_place *place, const char *words)
{
    (void)place;
    hd_str_appendf(to, "\n%s", words);
}

void hd_because_lines(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    hd_because(run, program, line, out);
}
