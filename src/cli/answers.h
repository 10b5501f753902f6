/* Which warnings an exploration has confirmed, and which it has shown to be impossible: judged
 * by the JSON of `heddle check`. */
#ifndef HD_CLI_ANSWERS_H
#define HD_CLI_ANSWERS_H

#include "base/str.h"
#include "report/claims.h"

enum hd_answer_kind { HD_NOT_CONFIRMED, HD_CONFIRMED, HD_IMPOSSIBLE };

struct hd_answer {
    enum hd_answer_kind kind;
    char *message; /* CONFIRMED: of the violation */
    char *trace;   /* its trace; NULL: none was written */
    char *along;   /* places that a search for it passed, with commas; NULL: there was none */
};

/* Looks for violations that are what the warnings say, among those without an answer.  An
 * exploration of everything answers the rest.  `only` (UINT32_MAX: all): the one that was
 * looked for.  *found says whether it was one, and whether it met a data race: then
 * `impossible` holds as long as accesses take effect in the order of the program, and no
 * longer. */
struct hd_answers_found {
    bool exhaustive, races;
};
int hd_answers_take(struct hd_answer *answers, const struct hd_claims *claims, uint32_t only,
                    const char *name, const struct hd_str *json, struct hd_answers_found *found,
                    struct hd_err *err);
void hd_answers_release(struct hd_answer *answers, uint32_t n);

/* Of how many components at the end the two paths agree: tools differ in how much of a path
 * they print, and were perhaps run elsewhere. */
uint32_t hd_answers_same_end(const char *a, const char *b);

#endif
