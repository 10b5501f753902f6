#include "cli/sequence.h"

#include "analyse/query.h"

#include <stdlib.h>
#include <string.h>

#define MOST 6    /* places: in the paper two or three are enough, one example needs five */
#define DEEPEST 4 /* writes that writes depend on */

struct sequence {
    struct hd_query *query;
    struct hd_strs places; /* in the order in which they are to be passed */
    struct hd_strs met;    /* that have been handled, or are being handled */
};

static char *text_of(const struct hd_line *at)
{
    return hd_str_format("%s:%u", at->file, at->line);
}

static void append(struct sequence *s, const struct hd_line *at)
{
    char *place = text_of(at);
    if (!hd_strs_has(&s->places, place))
        hd_strs_add(&s->places, place);
    free(place);
}

static bool is_met(const struct sequence *s, const struct hd_line *at)
{
    char *place = text_of(at);
    bool met = hd_strs_has(&s->met, place);
    free(place);
    return met;
}

static bool has_target(const struct hd_sliced_thread *thread)
{
    for (uint32_t i = 0; i < thread->n_lines; i++)
        if (thread->lines[i].target)
            return true;
    return false;
}

static bool same_line(const struct hd_line *a, const struct hd_line *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Of the writes that the read of influence `i` may see the last in the source that has not
 * been led to: of several it is the one that most depends on others.  NULL: none, or the read
 * has been looked at. */
static const struct hd_line *write_for(const struct sequence *s,
                                       const struct hd_sliced_thread *thread, uint32_t i)
{
    const struct hd_sliced_influence *list = thread->influences;
    const struct hd_line *best = NULL;
    for (uint32_t k = 0; k < i; k++)
        if (same_line(&list[k].read, &list[i].read))
            return NULL;
    for (uint32_t k = i; k < thread->n_influences; k++)
        if (same_line(&list[k].read, &list[i].read) && list[k].write.line &&
            !is_met(s, &list[k].write) && (!best || list[k].write.line > best->line))
            best = &list[k].write;
    return best;
}

/* A thread that is to reach the place has to read what others write: those writes come
 * first. */
static void lead_to(struct sequence *s, const char *place, uint32_t depth)
{
    struct hd_strs target;
    struct hd_sliced sliced;
    struct hd_err err;
    if (depth == DEEPEST || hd_strs_has(&s->met, place))
        return;
    hd_strs_add(&s->met, place);
    hd_strs_init(&target);
    hd_strs_add(&target, place);
    bool known = hd_query_slice(s->query, &target, false, &sliced, &err) == 0;
    for (uint32_t t = 0; known && t < sliced.n; t++) {
        const struct hd_sliced_thread *thread = &sliced.threads[t];
        for (uint32_t i = 0; has_target(thread) && i < thread->n_influences; i++) {
            const struct hd_line *read = &thread->influences[i].read;
            const struct hd_line *write = is_met(s, read) ? NULL : write_for(s, thread, i);
            if (!write)
                continue;
            char *there = text_of(write);
            lead_to(s, there, depth + 1);
            free(there);
            append(s, write);
            append(s, read);
        }
    }
    if (known)
        hd_sliced_release(&sliced);
    hd_strs_release(&target);
}

void hd_sequence(struct hd_strs *via, const struct hd_program *program,
                 const struct hd_claim *claim)
{
    struct sequence s = { 0 };
    struct hd_err err;
    size_t bytes;
    const void *module = hd_program_module(program, &bytes);
    if (hd_query_open(&s.query, module, bytes, hd_program_name(program), &err) != 0)
        return;
    hd_strs_init(&s.places);
    hd_strs_init(&s.met);
    for (uint32_t i = 0; i < claim->n_places; i++) {
        const struct hd_line at = { claim->places[i].file, claim->places[i].line };
        char *place = text_of(&at);
        lead_to(&s, place, 0);
        free(place);
    }
    for (size_t i = s.places.n > MOST ? s.places.n - MOST : 0; i < s.places.n; i++)
        hd_strs_add(via, s.places.items[i]);
    hd_strs_release(&s.places);
    hd_strs_release(&s.met);
    hd_query_close(s.query);
}
