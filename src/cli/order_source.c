/* How a memory order is written into the source.
 *
 *   atomic_store_explicit(&x, 1, OLD)      the last argument, or the last two
 *   atomic_store(&x, 1), x.store(1)        _explicit, and an argument more
 *   x = 1;  x++;  x += 2;  a + x           a call of the function that does the same
 *
 * The last kind is changed only where the text shows that the call means the same: the object
 * is a simple lvalue, and what an assignment returns is not used. */
#include "cli/order_source.h"

#include "base/fs.h"
#include "cli/source_scan.h"

#include <stdlib.h>
#include <string.h>

#define BY_MACRO "a macro or function hides the operation: change it by hand"
#define NOT_SIMPLE "the expression is not simple enough to be rewritten: change it by hand"

int hd_order_source_init(struct hd_order_source *s, const char *path, struct hd_err *err)
{
    static const char *const extensions[] = { ".cc",  ".cpp", ".cxx", ".C", ".hh",
                                              ".hpp", ".hxx", ".H",   ".ii" };
    *s = (struct hd_order_source){ .path = hd_strdup(path) };
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        s->cxx |= strcmp(hd_fs_extension(path), extensions[i]) == 0;
    hd_str_init(&s->text);
    int failed = hd_fs_read(path, &s->text, err);
    if (failed)
        hd_order_source_release(s);
    return failed;
}

void hd_order_source_release(struct hd_order_source *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->edits[i].inserted);
    free(s->edits);
    free(s->path);
    hd_str_release(&s->text);
}

/* ---- edits ---- */

/* Where several edits stand at one position, what opens first is outermost, and what closes
 * first is innermost: places come in the order of their columns. */
static void put_edit(struct hd_order_source *s, const struct hd_order_edit *edit, bool closes)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->edits = hd_realloc(s->edits, s->room * sizeof *s->edits);
    }
    size_t i = s->n++;
    for (; i > 0 && (s->edits[i - 1].at > edit->at || (closes && s->edits[i - 1].at == edit->at));
         i--)
        s->edits[i] = s->edits[i - 1];
    s->edits[i] = *edit;
}

/* Takes `inserted`.  Ends of lines that are removed stay. */
static void put(struct hd_order_source *s, uint32_t place, size_t at, size_t removed,
                char *inserted)
{
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, inserted);
    for (size_t i = at; i < at + removed; i++)
        if (s->text.text[i] == '\n')
            hd_str_append_char(&text, '\n');
    free(inserted);
    struct hd_order_edit edit = { at, removed, hd_str_detach(&text), place };
    put_edit(s, &edit, false);
}

static void put_close(struct hd_order_source *s, uint32_t place, size_t at, char *inserted)
{
    struct hd_order_edit edit = { at, 0, inserted, place };
    put_edit(s, &edit, true);
}

void hd_order_source_undo(struct hd_order_source *s, uint32_t place)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->edits[i].place == place)
            free(s->edits[i].inserted);
        else
            s->edits[kept++] = s->edits[i];
    }
    s->n = kept;
}

/* ---- how orders and functions are written ---- */

struct place {
    struct hd_order_source *source;
    struct hd_scan scan;
    uint32_t number;
    enum hd_op op;
    uint32_t order, failure; /* that it has */
    struct hd_order_wanted wanted;
};

static char *spelled(const struct place *p, uint32_t order, struct hd_scan_range like)
{
    static const char *const big[] = { [HD_ORDER_RELAXED] = "RELAXED",
                                       [HD_ORDER_ACQUIRE] = "ACQUIRE",
                                       [HD_ORDER_RELEASE] = "RELEASE",
                                       [HD_ORDER_ACQ_REL] = "ACQ_REL",
                                       [HD_ORDER_TOP] = "SEQ_CST" };
    const char *text = p->scan.text + like.begin;
    size_t n = like.end - like.begin;
    if (n > 9 && strncmp(text, "__ATOMIC_", 9) == 0)
        return hd_str_format("__ATOMIC_%s", big[order]);
    bool standard = n > 5 ? strncmp(text, "std::", 5) == 0 : n == 0 && p->source->cxx;
    return hd_str_format("%smemory_order_%s", standard ? "std::" : "",
                         hd_order_name(HD_ORDERED_RMW, order));
}

static const struct hd_scan_range nothing;

static bool named(const struct place *p, const struct hd_scan_call *call, const char *name)
{
    size_t n = call->name.end - call->name.begin;
    return strlen(name) == n && strncmp(p->scan.text + call->name.begin, name, n) == 0;
}

/* ---- calls ---- */

static void replace(const struct place *p, struct hd_scan_range what, uint32_t order)
{
    put(p->source, p->number, what.begin, what.end - what.begin, spelled(p, order, what));
}

/* A fence that is not needed: the statement goes, and its line with it if there is nothing
 * else. */
static const char *remove_fence(const struct place *p, const struct hd_scan_call *call, size_t at)
{
    const char *text = p->scan.text;
    size_t end = hd_scan_skip(&p->scan, call->close + 1);
    size_t before = hd_scan_before(&p->scan, at);
    bool alone = text[end] == ';' && before > 0 && strchr(";{}", text[before - 1]);
    if (!alone) {
        if (call->n != 1)
            return BY_MACRO;
        replace(p, call->arguments[0], HD_ORDER_RELAXED); /* which is no fence */
        return NULL;
    }
    put(p->source, p->number, at, end + 1 - at, hd_strdup(""));
    return NULL;
}

/* The last argument, or the last two, are orders. */
static const char *explicit_call(const struct place *p, const struct hd_scan_call *call)
{
    bool cas = p->op == HD_OP_CAS;
    if (call->n < (cas ? 4 : 1))
        return BY_MACRO;
    const struct hd_scan_range *last = &call->arguments[call->n - 1];
    if (cas && p->wanted.failure != p->failure)
        replace(p, last[0], p->wanted.failure);
    if (p->wanted.order != p->order)
        replace(p, cas ? last[-1] : last[0], p->wanted.order);
    return NULL;
}

/* Orders become arguments after those that are there. */
static void append_orders(const struct place *p, const struct hd_scan_call *call)
{
    char *first = spelled(p, p->wanted.order, nothing);
    const char *comma = call->n ? ", " : "";
    char *text = p->op == HD_OP_CAS ? NULL : hd_str_format("%s%s", comma, first);
    if (!text) {
        char *second = spelled(p, p->wanted.failure, nothing);
        text = hd_str_format("%s%s, %s", comma, first, second);
        free(second);
    }
    free(first);
    put_close(p->source, p->number, call->close, text);
}

/* Functions of <stdatomic.h> that have a form with an order. */
static bool is_function(const struct place *p, const struct hd_scan_call *call, bool *takes_order)
{
    static const char *const names[] = {
        "atomic_load",      "atomic_store",
        "atomic_exchange",  "atomic_compare_exchange_strong",
        "atomic_fetch_add", "atomic_compare_exchange_weak",
        "atomic_fetch_sub", "atomic_flag_test_and_set",
        "atomic_fetch_and", "atomic_flag_clear",
        "atomic_fetch_or",  "atomic_fetch_xor",
        "atomic_flag_test", "atomic_fetch_nand",
    };
    size_t n = call->name.end - call->name.begin;
    const char *text = p->scan.text + call->name.begin;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) != 0)
            continue;
        *takes_order = n == length + 9 && strncmp(text + length, "_explicit", 9) == 0;
        if (n == length || *takes_order)
            return true;
    }
    return false;
}

/* __sync_fetch_and_add(p, v), __sync_add_and_fetch(p, v), __sync_synchronize(): builtins that
 * are seq_cst always.  Their names as those of builtins with an order; NULL: there is none.
 * */
static char *sync_name(const struct place *p, const struct hd_scan_call *call)
{
    char *name = hd_str_format("%.*s", (int)(call->name.end - call->name.begin),
                               p->scan.text + call->name.begin);
    static const char first[] = "__sync_fetch_and_", last[] = "_and_fetch";
    char *made = NULL;
    if (strcmp(name, "__sync_synchronize") == 0)
        made = hd_strdup("__atomic_thread_fence");
    else if (strcmp(name, "__sync_lock_test_and_set") == 0)
        made = hd_strdup("__atomic_exchange_n");
    else if (hd_str_starts(name, first))
        made = hd_str_format("__atomic_fetch_%s", name + sizeof first - 1);
    else if (hd_str_starts(name, "__sync_") && hd_str_ends(name, last))
        made = hd_str_format("__atomic_%.*s_fetch", (int)(strlen(name) - 7 - (sizeof last - 1)),
                             name + 7);
    free(name);
    return made;
}

static void edit_sync(const struct place *p, const struct hd_scan_call *call, char *name)
{
    static const struct hd_scan like = { "__ATOMIC_SEQ_CST", 16 };
    struct place as = *p;
    as.scan = like;
    char *order = spelled(&as, p->wanted.order, (struct hd_scan_range){ 0, like.length });
    put(p->source, p->number, call->name.begin, call->name.end - call->name.begin, name);
    put_close(p->source, p->number, call->close,
              hd_str_format("%s%s", call->n ? ", " : "", order));
    free(order);
}

/* Builtins of compilers, whose last arguments always are orders. */
static bool is_builtin(const struct place *p, const struct hd_scan_call *call)
{
    const char *text = p->scan.text + call->name.begin;
    return hd_str_starts(text, "__atomic_") || hd_str_starts(text, "__c11_atomic_");
}

/* Members of std::atomic; how many arguments they have without orders. */
static bool is_member(const struct place *p, const struct hd_scan_call *call, size_t *arguments)
{
    static const struct {
        const char *name;
        size_t arguments;
    } members[] = { { "load", 0 },
                    { "store", 1 },
                    { "exchange", 1 },
                    { "fetch_add", 1 },
                    { "fetch_sub", 1 },
                    { "fetch_and", 1 },
                    { "fetch_or", 1 },
                    { "fetch_xor", 1 },
                    { "test", 0 },
                    { "test_and_set", 0 },
                    { "clear", 0 },
                    { "compare_exchange_strong", 2 },
                    { "compare_exchange_weak", 2 } };
    for (size_t i = 0; p->source->cxx && i < sizeof members / sizeof *members; i++)
        if (named(p, call, members[i].name)) {
            *arguments = members[i].arguments;
            return true;
        }
    return false;
}

static const char *member_call(const struct place *p, const struct hd_scan_call *call,
                               size_t arguments)
{
    if (call->n == arguments) {
        append_orders(p, call);
        return NULL;
    }
    if (p->op == HD_OP_CAS && call->n == arguments + 1) { /* one order for both */
        char *first = spelled(p, p->wanted.order, call->arguments[arguments]);
        char *second = spelled(p, p->wanted.failure, call->arguments[arguments]);
        struct hd_scan_range was = call->arguments[arguments];
        put(p->source, p->number, was.begin, was.end - was.begin,
            hd_str_format("%s, %s", first, second));
        free(first);
        free(second);
        return NULL;
    }
    return explicit_call(p, call);
}

static const char *edit_call(const struct place *p, const struct hd_scan_call *call, size_t at)
{
    bool takes_order;
    size_t arguments;
    char *sync = p->op == HD_OP_CAS ? NULL : sync_name(p, call);
    if (sync && (p->op != HD_OP_FENCE || p->wanted.order != HD_ORDER_RELAXED)) {
        edit_sync(p, call, sync);
        return NULL;
    }
    bool is_sync = sync;
    free(sync);
    if (p->op == HD_OP_FENCE) {
        if (!is_sync && !named(p, call, "atomic_thread_fence") && !is_builtin(p, call))
            return BY_MACRO;
        return p->wanted.order == HD_ORDER_RELAXED ? remove_fence(p, call, at)
                                                   : explicit_call(p, call);
    }
    if (is_builtin(p, call))
        return explicit_call(p, call);
    if (is_member(p, call, &arguments))
        return member_call(p, call, arguments);
    if (!is_function(p, call, &takes_order))
        return BY_MACRO;
    if (takes_order)
        return explicit_call(p, call);
    put(p->source, p->number, call->name.end, 0, hd_strdup("_explicit"));
    append_orders(p, call);
    return NULL;
}

/* ---- operators ---- */

/* "atomic_store_explicit(&" x ", " 1 ", memory_order_release)", in C++ x ".store(" 1 ", …)".
 * */
static void wrap(const struct place *p, struct hd_scan_range object, const char *function,
                 size_t from, size_t removed, const char *value, size_t end)
{
    char *order = spelled(p, p->wanted.order, nothing);
    bool star = p->scan.text[object.begin] == '*';
    bool cxx = p->source->cxx, more = from != end || *value;
    char *open = cxx ? hd_strdup(star ? "(" : "")
                     : hd_str_format("atomic_%s_explicit(&", function);
    char *middle = cxx ? hd_str_format("%s.%s(%s", star ? ")" : "", function, value)
                       : hd_str_format("%s%s", more ? ", " : "", value);
    char *close = hd_str_format("%s%s)", cxx && !more ? "" : ", ", order);
    free(order);
    put(p->source, p->number, object.begin, 0, open);
    if (from == end) { /* all of it in one place */
        char *all = hd_str_format("%s%s", middle, close);
        free(middle);
        free(close);
        if (removed)
            put(p->source, p->number, from, removed, all);
        else
            put_close(p->source, p->number, from, all);
        return;
    }
    put(p->source, p->number, from, removed, middle);
    put_close(p->source, p->number, end, close);
}

/* x = 1; or x += 1; as a statement.  `at` is the operator, of `n` characters. */
static const char *edit_assignment(const struct place *p, size_t at, size_t n,
                                   const char *function)
{
    struct hd_scan_range object;
    const char *text = p->scan.text;
    if (!hd_scan_lvalue_before(&p->scan, at, &object))
        return NOT_SIMPLE;
    if (object.begin > 0 && text[object.begin - 1] == '*')
        object.begin--;
    size_t value = hd_scan_skip(&p->scan, at + n), end = hd_scan_semicolon(&p->scan, value);
    if (!hd_scan_begins(&p->scan, object.begin) || end == HD_SCAN_NOWHERE)
        return "the value of the assignment is used: change it by hand";
    end = hd_scan_back(&p->scan, end);
    wrap(p, object, function, object.end, value - object.end, "", end);
    return NULL;
}

/* x++ or ++x; what a postfix one returns is what the function returns. */
static const char *edit_step(const struct place *p, size_t at)
{
    struct hd_scan_range object;
    const char *function = p->scan.text[at] == '+' ? "fetch_add" : "fetch_sub";
    if (hd_scan_lvalue_before(&p->scan, at, &object)) {
        if (object.begin > 0 && strchr("*-+", p->scan.text[object.begin - 1]))
            return NOT_SIMPLE;
        wrap(p, object, function, object.end, at + 2 - object.end, "1", object.end);
        return NULL;
    }
    size_t begin = hd_scan_skip(&p->scan, at + 2), end = begin;
    for (;;) { /* as far as the lvalue goes */
        size_t word = hd_scan_word(&p->scan, end);
        if (word == end)
            return NOT_SIMPLE;
        end = word;
        while (p->scan.text[end] == '[') {
            size_t close = hd_scan_match(&p->scan, end);
            if (close == HD_SCAN_NOWHERE)
                return NOT_SIMPLE;
            end = close + 1;
        }
        if (p->scan.text[end] == '.')
            end++;
        else if (strncmp(p->scan.text + end, "->", 2) == 0)
            end += 2;
        else
            break;
    }
    size_t stop = hd_scan_skip(&p->scan, end);
    if (!hd_scan_begins(&p->scan, at) || p->scan.text[stop] != ';')
        return "the value of the operation is used: change it by hand";
    put(p->source, p->number, at, begin - at, hd_strdup(""));
    wrap(p, (struct hd_scan_range){ begin, end }, function, end, 0, "1", end);
    return NULL;
}

static const char *edit_operator(const struct place *p, size_t at)
{
    static const struct {
        const char *text, *function;
    } operators[] = { { "+=", "fetch_add" },
                      { "-=", "fetch_sub" },
                      { "&=", "fetch_and" },
                      { "|=", "fetch_or" },
                      { "^=", "fetch_xor" } };
    const char *text = p->scan.text + at;
    if (p->op == HD_OP_ATOMIC_WRITE)
        return text[0] == '=' && text[1] != '=' ? edit_assignment(p, at, 1, "store") : BY_MACRO;
    if (p->op != HD_OP_RMW)
        return BY_MACRO;
    if (strncmp(text, "++", 2) == 0 || strncmp(text, "--", 2) == 0)
        return edit_step(p, at);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(text, operators[i].text, 2) == 0)
            return edit_assignment(p, at, 2, operators[i].function);
    return BY_MACRO;
}

/* x where its value is wanted.  In C++ the place of a.b is that of a. */
static const char *edit_load(const struct place *p, size_t at)
{
    struct hd_scan_range object;
    size_t end = hd_scan_word(&p->scan, at);
    while (p->source->cxx && end != at) {
        while (p->scan.text[end] == '[') {
            size_t close = hd_scan_match(&p->scan, end);
            if (close == HD_SCAN_NOWHERE)
                return NOT_SIMPLE;
            end = close + 1;
        }
        size_t arrow = p->scan.text[end] == '.'                    ? 1
                       : strncmp(p->scan.text + end, "->", 2) == 0 ? 2
                                                                   : 0;
        if (!arrow)
            break;
        at = end + arrow;
        end = hd_scan_word(&p->scan, at);
    }
    if (p->source->cxx && end != at && p->scan.text[end - 1] == ']')
        at = end - 1;
    if (!hd_scan_lvalue(&p->scan, at, &object))
        return p->scan.text[at] == '(' ? NOT_SIMPLE : BY_MACRO;
    if (p->source->cxx && p->op == HD_OP_RMW) /* x++, whose place is that of x */
        return edit_step(p, hd_scan_skip(&p->scan, object.end));
    wrap(p, object, "load", object.end, 0, "", object.end);
    return NULL;
}

const char *hd_order_source_edit(struct hd_order_source *s, uint32_t number,
                                 const struct hd_order_place *place,
                                 struct hd_order_wanted wanted)
{
    struct place p = { .source = s,
                       .scan = { s->text.text, s->text.length },
                       .number = number,
                       .op = place->op,
                       .order = place->order & HD_ORDER_TOP,
                       .wanted = wanted };
    p.failure = hd_order_of_failure(place->order);
    if (p.failure & HD_ORDER_SEQ_CST)
        p.failure = HD_ORDER_TOP;
    struct hd_scan_call call;
    size_t at = hd_scan_at(&p.scan, place->at.line, place->at.column);
    if (at == HD_SCAN_NOWHERE)
        return "the file has no such place: it has changed since it was compiled";
    if (hd_scan_call(&p.scan, at, &call))
        return edit_call(&p, &call, at);
    bool word = hd_scan_word(&p.scan, at) != at;
    if (place->op == HD_OP_ATOMIC_READ || (s->cxx && word && place->op == HD_OP_RMW))
        return edit_load(&p, at);
    return word ? BY_MACRO : edit_operator(&p, at);
}

/* ---- the result ---- */

void hd_order_source_text(struct hd_order_source *s, struct hd_str *out)
{
    size_t at = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct hd_order_edit *e = &s->edits[i];
        if (e->at < at)
            continue; /* it lies in what another one replaces: the comparison will find out */
        hd_str_append_bytes(out, s->text.text + at, e->at - at);
        hd_str_append(out, e->inserted);
        at = e->at + e->removed;
    }
    hd_str_append_bytes(out, s->text.text + at, s->text.length - at);
}
