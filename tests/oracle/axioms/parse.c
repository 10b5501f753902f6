/* The text of a program (program.h), a line at a time. */
#include "program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 12
#define MOST_DEPTH 8

const char *const ax_order_names[] = { "plain",   "relaxed", "acquire",
                                       "release", "acq_rel", "seq_cst" };
const char *const ax_op_names[] = { "load",   "store",     "add",     "xchg",   "cas",
                                    "weak",   "fence",     "lock",    "unlock", "trylock",
                                    "post",   "wait",      "trywait", "cwait",  "leave",
                                    "signal", "broadcast", "arrive",  "pass" };

/* What stands behind the name: l location, m mutex, s semaphore, c condition variable, b barrier,
 * v value, o order, f order of a failure.  `to` says whether a register stands before it: + must, ? may.
 */
static const struct form {
    const char *words;
    char to;
    const char *orders; /* that are allowed, by number */
} forms[] = {
    [AX_LOAD] = { "lo", '+', "0125" },    [AX_STORE] = { "lvo", '-', "0135" },
    [AX_ADD] = { "lvo", '?', "12345" },   [AX_XCHG] = { "lvo", '?', "12345" },
    [AX_CAS] = { "lvvof", '?', "12345" }, [AX_WEAK] = { "lvvof", '?', "12345" },
    [AX_FENCE] = { "o", '-', "12345" },   [AX_LOCK] = { "m", '-', "" },
    [AX_UNLOCK] = { "m", '-', "" },       [AX_TRYLOCK] = { "m", '+', "" },
    [AX_POST] = { "s", '-', "" },         [AX_WAIT] = { "s", '-', "" },
    [AX_TRYWAIT] = { "s", '+', "" },      [AX_ENTER] = { "cm", '-', "" },
    [AX_SIGNAL] = { "c", '-', "" },       [AX_BROADCAST] = { "c", '-', "" },
    [AX_ARRIVE] = { "b", '-', "" },
};

struct reader {
    struct ax_program *p;
    struct ax_thread *t; /* NULL before the first */
    const char *file;
    FILE *err;
    uint32_t line, n_words, depth;
    char *words[MOST_WORDS];
    uint8_t open[MOST_DEPTH]; /* the branch, or the jump of an else, that waits for its end */
};

static bool wrong(const struct reader *r, const char *why, const char *word)
{
    fprintf(r->err, "axioms: %s:%u: %s%s%s\n", r->file, r->line, why, word ? ": " : "",
            word ? word : "");
    return false;
}

static bool number(const char *word, int32_t *to)
{
    char *end;
    errno = 0;
    long v = strtol(word, &end, 10);
    if (end == word || *end || errno || v < -1000000 || v > 1000000)
        return false;
    *to = (int32_t)v;
    return true;
}

static bool reg(const char *word, uint8_t *to)
{
    int32_t n;
    if (word[0] != 'r' || !number(word + 1, &n) || n < 0 || n >= AX_REGISTERS)
        return false;
    *to = (uint8_t)n;
    return true;
}

static bool value(const struct reader *r, const char *word, struct ax_value *to)
{
    uint8_t n;
    to->is_register = reg(word, &n);
    if (to->is_register) {
        to->number = n;
        return true;
    }
    return number(word, &to->number) ||
           wrong(r, "neither a number nor a register r0 to r15", word);
}

static bool place(const struct reader *r, const char *word, char what, uint8_t *to)
{
    static const char kinds[] = "lmscb";
    for (uint8_t i = 0; i < r->p->n_places; i++)
        if (!strcmp(r->p->places[i].name, word) && kinds[r->p->places[i].kind] == what) {
            *to = i;
            return true;
        }
    return wrong(r, "no such location or object of this kind was declared", word);
}

static bool order(const struct reader *r, const char *word, const char *allowed, uint8_t *to)
{
    if (!strcmp(word, "consume"))
        word = "acquire";
    for (uint8_t o = AX_PLAIN; o <= AX_SEQ_CST; o++)
        if (!strcmp(word, ax_order_names[o]) && strchr(allowed, '0' + o)) {
            *to = o;
            return true;
        }
    return wrong(r, "not an order that this operation may have", word);
}

static bool declare(struct reader *r, uint8_t kind)
{
    if (r->t)
        return wrong(r, "declarations come before the first thread", NULL);
    for (uint32_t i = 1; i < r->n_words; i++) {
        char *equals = strchr(r->words[i], '=');
        if (r->p->n_places == AX_PLACES)
            return wrong(r, "too many locations and objects", NULL);
        struct ax_place *at = &r->p->places[r->p->n_places];
        *at = (struct ax_place){ .kind = kind, .initial = kind == AX_ROUNDS };
        if (equals && (kind == AX_MUTEX || kind == AX_CONDITION))
            return wrong(r, "this object has no initial value", r->words[i]);
        if (equals && !number(equals + 1, &at->initial))
            return wrong(r, "not a number", equals + 1);
        if (kind == AX_SEMAPHORE && at->initial < 0)
            return wrong(r, "a semaphore is never negative", r->words[i]);
        if (kind == AX_ROUNDS && (at->initial < 1 || at->initial > AX_THREADS))
            return wrong(r, "not a number of threads", r->words[i]);
        if (equals)
            *equals = 0;
        if (strlen(r->words[i]) >= AX_NAME)
            return wrong(r, "the name is too long", r->words[i]);
        for (uint32_t k = 0; k < r->p->n_places; k++)
            if (!strcmp(r->p->places[k].name, r->words[i]))
                return wrong(r, "declared twice", r->words[i]);
        strcpy(at->name, r->words[i]);
        if (kind == AX_LOCATION && r->p->n_locations != r->p->n_places)
            return wrong(r, "locations are declared before objects", r->words[i]);
        r->p->n_locations += kind == AX_LOCATION;
        r->p->n_places++;
    }
    return r->n_words > 1 || wrong(r, "nothing is declared", NULL);
}

static bool append(struct reader *r, struct ax_instr in)
{
    if (r->t->n == AX_CODE)
        return wrong(r, "the thread is too long", NULL);
    in.depth = (uint8_t)r->depth;
    in.statement = r->t->statements;
    if (in.to != AX_NO_REGISTER)
        r->t->registers |= (uint16_t)(1u << in.to);
    r->t->code[r->t->n++] = in;
    return true;
}

/* A condition wait becomes its four parts, an arrival at a barrier two. */
static bool append_event(struct reader *r, struct ax_instr in, uint8_t mutex)
{
    r->t->statements++;
    if (in.op <= AX_WEAK) {
        struct ax_place *at = &r->p->places[in.place];
        *(in.order == AX_PLAIN ? &at->has_plain : &at->has_atomic) = true;
    }
    if (in.op == AX_ARRIVE) {
        struct ax_instr pass = in;
        in.a.number = r->p->places[in.place].initial;
        pass.op = AX_PASS;
        return append(r, in) && append(r, pass);
    }
    if (in.op != AX_ENTER)
        return append(r, in);
    in.a.number = mutex;
    struct ax_instr unlock = in, leave = in, lock = in;
    unlock.op = AX_UNLOCK;
    leave.op = AX_LEAVE;
    lock.op = AX_LOCK;
    unlock.place = lock.place = mutex;
    return append(r, in) && append(r, unlock) && append(r, leave) && append(r, lock);
}

static bool event(struct reader *r, uint8_t op, uint32_t first, uint8_t to)
{
    const struct form *f = &forms[op];
    struct ax_instr in = { .op = op, .to = to };
    uint8_t mutex = 0;
    uint32_t values = 0;
    if ((f->to == '+') > (to != AX_NO_REGISTER) || (f->to == '-' && to != AX_NO_REGISTER))
        return wrong(r, f->to == '+' ? "its result needs a register" : "it has no result",
                     r->words[first - 1]);
    if (r->n_words - first != strlen(f->words))
        return wrong(r, "too many or too few words", r->words[first - 1]);
    for (uint32_t i = 0; f->words[i]; i++) {
        const char *word = r->words[first + i];
        bool good;
        if (f->words[i] == 'v')
            good = value(r, word, values++ ? &in.b : &in.a);
        else if (f->words[i] == 'o')
            good = order(r, word, f->orders, &in.order);
        else if (f->words[i] == 'f')
            good = order(r, word, "125", &in.failure);
        else
            good = place(r, word, f->words[i], i ? &mutex : &in.place);
        if (!good)
            return false;
    }
    return append_event(r, in, mutex);
}

/* r3 = VALUE, r3 = VALUE + VALUE */
static bool local(struct reader *r, uint8_t to)
{
    struct ax_instr in = { .op = AX_LOCAL, .to = to, .sign = '+' };
    if (r->n_words != 3 && r->n_words != 5)
        return wrong(r, "not a statement (program.h lists them)", r->words[2]);
    if (!value(r, r->words[2], &in.a) || (r->n_words == 5 && !value(r, r->words[4], &in.b)))
        return false;
    if (r->n_words == 5 && (strlen(r->words[3]) != 1 || !strchr("+-^&", r->words[3][0])))
        return wrong(r, "not one of + - ^ &", r->words[3]);
    if (r->n_words == 5)
        in.sign = r->words[3][0];
    r->t->statements++;
    return append(r, in);
}

static bool branch(struct reader *r)
{
    struct ax_instr in = { .op = AX_BRANCH, .to = AX_NO_REGISTER };
    if (r->n_words != 4 || (strcmp(r->words[2], "==") && strcmp(r->words[2], "!=")))
        return wrong(r, "an if is `if r0 == VALUE` or `if r0 != VALUE`", NULL);
    in.sign = r->words[2][0];
    if (!value(r, r->words[1], &in.a) || !value(r, r->words[3], &in.b))
        return false;
    if (r->depth == MOST_DEPTH)
        return wrong(r, "too many ifs inside each other", NULL);
    uint8_t at = r->t->n;
    if (!append(r, in))
        return false;
    r->open[r->depth++] = at;
    return true;
}

static bool otherwise(struct reader *r, bool is_end)
{
    if (r->n_words != 1)
        return wrong(r, "too many words", r->words[0]);
    if (r->depth == 0 || (!is_end && r->t->code[r->open[r->depth - 1]].op == AX_JUMP))
        return wrong(r, "there is no if that is open", r->words[0]);
    uint8_t from = r->open[--r->depth];
    if (!is_end) {
        uint8_t at = r->t->n;
        if (!append(r, (struct ax_instr){ .op = AX_JUMP, .to = AX_NO_REGISTER }))
            return false;
        r->open[r->depth++] = at;
    }
    r->t->code[from].target = r->t->n;
    return true;
}

/* 1:r0=5 or x=5 */
static bool wish(struct reader *r, char *word)
{
    char *equals = strchr(word, '='), *colon = strchr(word, ':');
    struct ax_wish *w = &r->p->wishes[r->p->n_wishes];
    int32_t thread = 0;
    if (r->p->n_wishes == AX_WISHES)
        return wrong(r, "too many words", word);
    if (!equals || !number(equals + 1, &w->value))
        return wrong(r, "an outcome is 1:r0=VALUE or LOCATION=VALUE", word);
    *equals = 0;
    if (colon)
        *colon = 0;
    if (colon && (!number(word, &thread) || thread < 1 || thread > r->p->n_threads))
        return wrong(r, "there is no such thread", word);
    w->thread = (uint8_t)thread;
    r->p->n_wishes++;
    if (!colon)
        return place(r, word, 'l', &w->which);
    return (reg(colon + 1, &w->which) && r->p->threads[thread - 1].registers >> w->which & 1) ||
           wrong(r, "the thread has no such register", colon + 1);
}

static bool outcome(struct reader *r)
{
    for (uint32_t i = 1; i < r->n_words; i++)
        if (!wish(r, r->words[i]))
            return false;
    return r->n_words > 1 || wrong(r, "no outcome", NULL);
}

static bool statement(struct reader *r)
{
    uint8_t to = AX_NO_REGISTER;
    uint32_t first = 1;
    if (!strcmp(r->words[0], "if"))
        return branch(r);
    if (!strcmp(r->words[0], "else") || !strcmp(r->words[0], "end"))
        return otherwise(r, r->words[0][1] == 'n');
    if (r->n_words > 2 && !strcmp(r->words[1], "=")) {
        if (!reg(r->words[0], &to))
            return wrong(r, "not a register r0 to r15", r->words[0]);
        first = 3;
    }
    for (uint8_t op = 0; op < sizeof forms / sizeof forms[0]; op++)
        if (forms[op].words && !strcmp(r->words[first - 1], ax_op_names[op]))
            return event(r, op, first, to);
    if (first == 3)
        return local(r, to);
    return wrong(r, "not a statement (program.h lists them)", r->words[0]);
}

static bool close_thread(struct reader *r)
{
    return r->depth == 0 || wrong(r, "an if has no end", NULL);
}

static bool read_line(struct reader *r, char *line)
{
    char *comment = strchr(line, '#'), *rest;
    if (comment)
        *comment = 0;
    r->n_words = 0;
    for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
        if (r->n_words == MOST_WORDS)
            return wrong(r, "too many words", w);
        r->words[r->n_words++] = w;
    }
    if (r->n_words == 0)
        return true;
    static const char *const kinds[] = { "loc", "mutex", "sem", "cond", "barrier" };
    for (uint8_t k = 0; k < 5; k++)
        if (!strcmp(r->words[0], kinds[k]))
            return declare(r, k);
    if (r->p->n_wishes)
        return wrong(r, "nothing follows the outcome", r->words[0]);
    if (!strcmp(r->words[0], "exists"))
        return outcome(r);
    if (strcmp(r->words[0], "thread"))
        return r->t ? statement(r) : wrong(r, "a statement before the first thread", r->words[0]);
    if (r->n_words > 1)
        return wrong(r, "a thread has no name", r->words[1]);
    if (!close_thread(r))
        return false;
    if (r->p->n_threads == AX_THREADS)
        return wrong(r, "too many threads", NULL);
    r->t = &r->p->threads[r->p->n_threads++];
    return true;
}

bool ax_parse(struct ax_program *p, const char *name, const char *text, FILE *err)
{
    struct reader r = { .p = p, .file = name, .err = err };
    memset(p, 0, sizeof *p);
    char *copy = strdup(text), *rest = copy, *line;
    bool good = copy != NULL;
    while (good && (line = strsep(&rest, "\n"))) {
        r.line++;
        good = read_line(&r, line);
    }
    good = good && close_thread(&r) && (r.t || wrong(&r, "there is no thread", NULL)) &&
           (p->n_places || wrong(&r, "there is no location and no object", NULL));
    free(copy);
    return good;
}

char *ax_read(const char *path, FILE *err)
{
    FILE *f = !strcmp(path, "-") ? stdin : fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!f || getdelim(&text, &size, 0, f) < 0) {
        fprintf(err, "axioms: cannot read %s%s%s\n", path, f ? "" : ": ",
                f ? ": it is empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f && f != stdin)
        fclose(f);
    return text;
}
