#include "report/role.h"

#include "base/shown.h"
#include "report/name.h"
#include "report/step.h"

#include <string.h>

/* The step that created the thread; NULL: not known. */
static const struct hd_step *creation(const struct hd_run *run, uint32_t thread)
{
    for (uint32_t i = 0; i < run->n_log; i++)
        if (run->log[i].op == HD_OP_CREATE && run->log[i].object.where == HD_WHERE_THREAD &&
            run->log[i].object.thread == thread)
            return &run->log[i];
    return NULL;
}

/* The last name that it was given. */
static bool append_given(struct hd_str *out, const struct hd_run *run, uint32_t thread)
{
    for (uint32_t i = run->n_log; i-- > 0;) {
        const struct hd_step *s = &run->log[i];
        if (!(s->flags & HD_STEP_NAMES) || s->op == HD_OP_CREATE || s->woken != thread + 1)
            continue;
        char name[17] = { 0 };
        memcpy(name, &s->value_read, 8);
        memcpy(name + 8, &s->value_written, 8);
        hd_shown(out, name);
        return *name;
    }
    return false;
}

/* Is the function part of a library, which says nothing? */
static bool is_foreign(const char *function)
{
    return hd_str_starts(function, "heddle_lin_") || *function == '_' ||
           strstr(function, "std::") || strstr(function, "native_thread");
}

bool hd_role(struct hd_str *out, uint32_t thread, const struct hd_run *run,
             const struct hd_program *program)
{
    if (thread == 0)
        return false;
    if (append_given(out, run, thread))
        return true;
    const struct hd_step *s = creation(run, thread);
    struct hd_str function;
    if (!s || !(s->flags & HD_STEP_NAMES))
        return false;
    hd_str_init(&function);
    bool known = run->load_base && s->value_written > run->load_base &&
                 hd_program_address(program, s->value_written - run->load_base, &function) &&
                 *function.text != '&' && !is_foreign(function.text);
    struct hd_place place = hd_step_at(s, run, program, NULL);
    if (known)
        hd_shown(out, function.text);
    else if (place.line)
        hd_str_appendf(out, "(:%u)", place.line);
    hd_str_release(&function);
    return known || place.line;
}

void hd_role_thread(struct hd_str *out, uint32_t thread, const struct hd_run *run,
                    const struct hd_program *program)
{
    hd_name_thread(out, &run->threads, thread);
    size_t before = out->length;
    hd_str_append_char(out, ' ');
    if (!hd_role(out, thread, run, program))
        hd_str_cut(out, before);
}
