#include "cli/answers.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

uint32_t hd_answers_same_end(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), same = 0;
    uint32_t components = 0;
    while (same < n && same < m && a[n - 1 - same] == b[m - 1 - same]) {
        components += a[n - 1 - same] == '/';
        same++;
    }
    bool cut = (same < n && a[n - 1 - same] != '/') || (same < m && b[m - 1 - same] != '/');
    return components + (same > 0 && !cut);
}

static bool is_at(const struct hd_json *location, const struct hd_claim_place *place)
{
    return hd_json_uint(hd_json_get(location, "line")) == place->line &&
           strcmp(hd_json_text_of(hd_json_get(location, "file")), place->file) == 0;
}

/* Both accesses, where the warning names two; one, where it names one. */
static bool is_race(const struct hd_json *v, const struct hd_claim *claim)
{
    const struct hd_json *one = hd_json_get(v, "location"),
                         *two = hd_json_get(v, "other_location");
    if (claim->n_places == 1)
        return is_at(one, &claim->places[0]) || is_at(two, &claim->places[0]);
    for (uint32_t i = 0; i < claim->n_places; i++)
        for (uint32_t k = 0; k < claim->n_places; k++)
            if (i != k && is_at(one, &claim->places[i]) && is_at(two, &claim->places[k]))
                return true;
    return false;
}

/* Does a thread wait there, or in a function called from there? */
static bool somebody_waits(const struct hd_json *v, const struct hd_claim_place *place)
{
    const struct hd_json *waiting = hd_json_get(v, "waiting");
    for (const struct hd_json *w = waiting ? waiting->first : NULL; w; w = w->next) {
        const struct hd_json *calls = hd_json_get(w, "calls");
        if (is_at(hd_json_get(w, "location"), place))
            return true;
        for (const struct hd_json *call = calls ? calls->first : NULL; call; call = call->next)
            if (is_at(call, place))
                return true;
    }
    return false;
}

/* Does a thread wait at every place that the warning names? */
static bool is_deadlock(const struct hd_json *v, const struct hd_claim *claim)
{
    for (uint32_t i = 0; i < claim->n_places; i++)
        if (!somebody_waits(v, &claim->places[i]))
            return false;
    return true;
}

static bool confirms(const struct hd_json *v, const struct hd_claim *claim)
{
    const char *kind = hd_json_text_of(hd_json_get(v, "kind"));
    if (claim->n_places == 0)
        return false;
    if (claim->kind == HD_CLAIM_RACE)
        return strcmp(kind, "data-race") == 0 && is_race(v, claim);
    if (claim->kind == HD_CLAIM_DEADLOCK)
        return strcmp(kind, "deadlock") == 0 && is_deadlock(v, claim);
    return strcmp(kind, "data-race") != 0 && is_at(hd_json_get(v, "location"), &claim->places[0]);
}

static void look_for(struct hd_answer *answer, const struct hd_claim *claim,
                     const struct hd_json *violations)
{
    for (const struct hd_json *v = violations ? violations->first : NULL; v; v = v->next) {
        if (answer->kind != HD_NOT_CONFIRMED || !confirms(v, claim))
            continue;
        const char *trace = hd_json_text_of(hd_json_get(v, "trace"));
        answer->kind = HD_CONFIRMED;
        answer->message = hd_strdup(hd_json_text_of(hd_json_get(v, "message")));
        answer->trace = *trace ? hd_strdup(trace) : NULL;
    }
}

int hd_answers_take(struct hd_answer *answers, const struct hd_claims *claims, uint32_t only,
                    const char *name, const struct hd_str *text, struct hd_answers_found *found,
                    struct hd_err *err)
{
    struct hd_json_text json;
    if (hd_json_parse(&json, name, text->text, text->length, err) != 0)
        return -1;
    const struct hd_json *whole = hd_json_get(json.root, "exhaustive"),
                         *downgrades = hd_json_get(json.root, "downgrades"),
                         *violations = hd_json_get(json.root, "violations");
    *found = (struct hd_answers_found){ .exhaustive = whole && whole->kind == HD_JSON_TRUE &&
                                                      downgrades && !downgrades->first };
    for (const struct hd_json *v = violations ? violations->first : NULL; v; v = v->next)
        found->races = found->races ||
                       strcmp(hd_json_text_of(hd_json_get(v, "kind")), "data-race") == 0;
    for (uint32_t i = 0; i < claims->n; i++) {
        if (only != UINT32_MAX && i != only)
            continue;
        look_for(&answers[i], &claims->items[i], violations);
        if (answers[i].kind == HD_NOT_CONFIRMED && found->exhaustive && claims->items[i].n_places)
            answers[i].kind = HD_IMPOSSIBLE;
    }
    hd_json_release(&json);
    return 0;
}

void hd_answers_release(struct hd_answer *answers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free(answers[i].message);
        free(answers[i].trace);
        free(answers[i].along);
    }
    free(answers);
}
