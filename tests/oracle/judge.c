#include "judge.h"

#include "json.h"

#include <string.h>

struct found {
    bool deadlock, partial;
    bool asserted[ORC_MAX_STMTS], misused[ORC_MAX_STMTS];
    struct orc_races races;
};

/* Which races a search must have found. */
enum due { DUE_NONE, DUE_BESIDE, DUE_ALL };

struct trial {
    const struct orc_program *p;
    const struct orc_result *r;
    FILE *why;
    bool agrees;
};

static void number(struct trial *t, const char *what, uint64_t expected, uint64_t got)
{
    if (expected == got)
        return;
    t->agrees = false;
    fprintf(t->why, "    %s: expected %llu, heddle says %lld\n", what,
            (unsigned long long)expected, (long long)got);
}

/* The statement at that line; ORC_MAX_STMTS when there is none. */
static uint32_t stmt_at(struct trial *t, const char *kind, uint64_t line)
{
    for (uint32_t i = 0; i < t->p->n_stmts; i++)
        if (t->p->stmts[i].line == line)
            return i;
    t->agrees = false;
    fprintf(t->why, "    %s at line %lld, where no statement is\n", kind, (long long)line);
    return ORC_MAX_STMTS;
}

static void mark(struct trial *t, bool *flags, const char *kind, uint64_t line)
{
    uint32_t stmt = stmt_at(t, kind, line);
    if (stmt < ORC_MAX_STMTS)
        flags[stmt] = true;
}

static uint64_t line_of(const char *violation, const char *location)
{
    return orc_json_number(orc_json_member(orc_json_member(violation, location), "line"));
}

static void mark_race(struct trial *t, struct found *f, const char *violation)
{
    uint32_t a = stmt_at(t, "data race", line_of(violation, "location"));
    uint32_t b = stmt_at(t, "data race", line_of(violation, "other_location"));
    if (a < ORC_MAX_STMTS && b < ORC_MAX_STMTS)
        orc_races_add(&f->races, a, b);
}

/* May the search miss races of accesses that never stand side by side?  Happens-before belongs to
 * an execution, and both kinds of search take executions for one that it may order differently: one
 * over states, and one by a finer dependence.  They must say so, unless nothing in the program orders
 * less than it seems to: then every race shows in a state. */
static bool merges_orders(const struct orc_chain *chain, const struct orc_program *p)
{
    static const char *const merging[] = { "states",    "stateful",   "hybrid", "hr",
                                           "observers", "best-first", "hgs" };
    bool merges = p->finer;
    for (size_t i = 0; i < sizeof merging / sizeof *merging; i++)
        merges = merges || strstr(chain->reduce, merging[i]);
    return merges && orc_program_weak(p);
}

/* Must that pair have been found?  Of races after another one nothing is promised: what the program
 * does there is not defined. */
static bool is_due(const struct orc_result *all, enum due due, uint32_t a, uint32_t b)
{
    return due != DUE_NONE && (orc_races_has(&all->beside, a, b) ||
                               (due == DUE_ALL && orc_races_has(&all->first, a, b)));
}

static void races(struct trial *t, const struct orc_result *all, enum due due,
                  const struct orc_races *got)
{
    for (uint32_t a = 0; a < t->p->n_stmts; a++)
        for (uint32_t b = a; b < t->p->n_stmts; b++) {
            bool found = orc_races_has(got, a, b);
            if (found ? orc_races_has(&all->races, a, b) : !is_due(all, due, a, b))
                continue;
            t->agrees = false;
            fprintf(t->why, "    data race of lines %u and %u: %s\n", t->p->stmts[a].line,
                    t->p->stmts[b].line,
                    found ? "found, but happens-before orders them in every execution"
                          : "not found");
        }
}

static void collect(struct trial *t, const char *root, struct found *f)
{
    memset(f, 0, sizeof *f);
    for (const char *v = orc_json_first(orc_json_member(root, "violations")); v;
         v = orc_json_next(v)) {
        const char *kind = orc_json_member(v, "kind");
        uint64_t line = line_of(v, "location");
        if (orc_json_is(kind, "deadlock"))
            *(orc_json_true(orc_json_member(v, "partial")) ? &f->partial : &f->deadlock) = true;
        else if (orc_json_is(kind, "data-race"))
            mark_race(t, f, v);
        else if (orc_json_is(kind, "assertion"))
            mark(t, f->asserted, "assertion", line);
        else if (orc_json_is(kind, "misuse"))
            mark(t, f->misused, "misuse", line);
        else {
            t->agrees = false;
            fprintf(t->why, "    an unexpected violation: %.60s\n", v);
        }
    }
}

static void flags(struct trial *t, const char *what, const bool *expected, const bool *got)
{
    for (uint32_t i = 0; i < t->p->n_stmts; i++) {
        if (expected[i] == got[i])
            continue;
        t->agrees = false;
        fprintf(t->why, "    %s at line %u: %s\n", what, t->p->stmts[i].line,
                got[i] ? "found, but no interleaving has it" : "not found");
    }
}

static void verdict(struct trial *t, const char *root, bool broken, bool exhaustive, int status)
{
    const char *v = orc_json_member(root, "verdict");
    const char *expected = broken ? "violation" : exhaustive ? "verified" : "no-violation-found";
    if (!orc_json_is(v, expected)) {
        t->agrees = false;
        fprintf(t->why, "    verdict: expected %s, heddle says %.24s\n", expected,
                v ? v : "none");
    }
    if (orc_json_true(orc_json_member(root, "exhaustive")) != exhaustive) {
        t->agrees = false;
        fprintf(t->why, "    heddle says it was %sexhaustive\n", exhaustive ? "not " : "");
    }
    number(t, "exit status", broken, (uint64_t)status);
}

/* Does it say that weak atomic accesses were explored as seq_cst?  It must where one is executed
 * beside another thread, and where the program has none it must not. */
static bool says_weak(struct trial *t, const char *root)
{
    bool says = orc_json_has(orc_json_member(root, "undischarged"), "orders");
    if (says ? !orc_program_weak(t->p) : t->r->weak) {
        t->agrees = false;
        fprintf(t->why, "    weak atomic accesses are %snamed\n", says ? "" : "not ");
    }
    return says;
}

/* Nothing else may be missing, but the races of executions that are taken for one. */
static void says_only(struct trial *t, const char *root, bool races_too)
{
    const char *e = orc_json_first(orc_json_member(root, "undischarged"));
    for (; e; e = orc_json_next(e)) {
        if (orc_json_is(e, "orders") || (races_too && orc_json_is(e, "races")))
            continue;
        t->agrees = false;
        fprintf(t->why, "    not shown, it says: %.24s\n", e);
    }
}

static void observations(struct trial *t, const char *root)
{
    const char *count = orc_json_member(root, "observations");
    const char *hash = orc_json_member(root, "observations_hash");
    char expected[17];
    if (t->r->n_finals == 0 && !count)
        return; /* the program never came to its observation */
    number(t, "final states", t->r->n_finals, orc_json_number(count));
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)t->r->finals_hash);
    if (!orc_json_is(hash, expected)) {
        t->agrees = false;
        fprintf(t->why, "    hash of the final states: expected %s, heddle says %.18s\n",
                expected, hash ? hash : "none");
    }
}

static void executions(struct trial *t, const struct orc_chain *chain, const char *root)
{
    const struct orc_result *r = t->r;
    uint64_t got = orc_json_number(orc_json_member(root, "executions"));
    uint64_t cut = r->ends[ORC_ASSERTED] + r->ends[ORC_MISUSED];
    bool passes = chain->count == ORC_COUNT_PASSES || chain->count == ORC_COUNT_BOUNDED;
    bool states = passes || chain->count == ORC_COUNT_STATES;
    bool repeats = states || chain->count == ORC_COUNT_REPEATS ||
                   chain->count == ORC_COUNT_OBSERVERS || chain->count == ORC_COUNT_WITHIN ||
                   (chain->count == ORC_COUNT_RACES && cut > 0 && orc_program_chooses(t->p));
    if (repeats || (chain->count == ORC_COUNT_RACES && cut > 0)) {
        uint64_t least = cut > 0 || states || chain->fewer ? r->interleavings > 0 : r->traces,
                 most = repeats ? r->interleavings : r->traces;
        if (got < least || (got > most && !passes)) {
            t->agrees = false;
            fprintf(t->why, "    executions: expected %llu to %llu, heddle says %lld\n",
                    (unsigned long long)least, (unsigned long long)most, (long long)got);
        }
    } else {
        number(t, "executions",
               chain->count == ORC_COUNT_INTERLEAVINGS ? r->interleavings : r->traces, got);
    }
    /* A step that breaks the program hides what comes after it, so that what it was matched with
     * is begun again beside it, and sometimes blocked. */
    bool exact = chain->count == ORC_COUNT_TRACES || chain->count == ORC_COUNT_RACES;
    const char *assumed = orc_json_member(root, "assumed");
    if (exact && cut == 0 && !chain->fewer && !t->p->undoes)
        number(t, "executions against an assumption", r->assumed,
               assumed ? orc_json_number(assumed) : 0);
    uint64_t blocked = orc_json_number(orc_json_member(root, "blocked"));
    if (chain->unblocked && cut == 0)
        number(t, "blocked", 0, blocked);
}

static bool any_beyond(const bool *got, const bool *there)
{
    for (uint32_t i = 0; i < ORC_MAX_STMTS; i++)
        if (got[i] && !there[i])
            return true;
    return false;
}

/* A bound has kept something from it: nothing is claimed, and nothing is found that is not there. */
static bool judge_bounded(struct trial *t, const char *root, int status)
{
    struct found f;
    collect(t, root, &f);
    bool broken = orc_json_first(orc_json_member(root, "violations")) != NULL;
    verdict(t, root, broken, false, status);
    number(t, "assertions that are none", 0, any_beyond(f.asserted, t->r->asserted));
    number(t, "misuses that are none", 0, any_beyond(f.misused, t->r->misused));
    number(t, "deadlocks that are none", 0, f.deadlock && t->r->deadlocks == 0);
    races(t, t->r, DUE_NONE, &f.races);
    return t->agrees;
}

bool orc_judge(const struct orc_chain *chain, const struct orc_program *p,
               const struct orc_result *r, const struct orc_result *within, const char *json,
               int status, FILE *why)
{
    const struct orc_result *all = r;
    const char *root = orc_json_root(json);
    bool bounded = chain->count == ORC_COUNT_WITHIN && root &&
                   !orc_json_true(orc_json_member(root, "exhaustive"));
    if (bounded) /* otherwise it says that the bound kept nothing from it */
        r = within;
    struct trial t = { p, r, why, true };
    if (!root) {
        fprintf(why, "    no JSON on stdout, exit status %d\n", status);
        return false;
    }
    if (chain->count == ORC_COUNT_INCOMPLETE)
        return judge_bounded(&t, root, status);
    if (chain->count == ORC_COUNT_BOUNDED && !orc_json_true(orc_json_member(root, "exhaustive")))
        return judge_bounded(&t, root, status);
    struct found f;
    collect(&t, root, &f);
    bool broken = r->deadlocks > 0 || r->circles || r->ends[ORC_ASSERTED] > 0 ||
                  r->ends[ORC_MISUSED] > 0;
    bool cut = r->ends[ORC_ASSERTED] + r->ends[ORC_MISUSED] > 0;
    /* Two accesses are a race also where standing before both takes one preemption more. */
    bool some = bounded || chain->races == ORC_RACES_SOME ||
                (chain->races != ORC_RACES_ALL && cut);
    /* Who may miss races says so, and nothing else is missing; who does not must find them all. */
    bool modest = merges_orders(chain, p) &&
                  orc_json_has(orc_json_member(root, "undischarged"), "races");
    broken = broken || orc_races_any(some || modest ? &f.races : &all->races);
    bool weak = says_weak(&t, root), claims = !some && !chain->modest;
    if (claims)
        says_only(&t, root, modest);
    verdict(&t, root, broken, claims && !modest && !weak, status);
    executions(&t, chain, root);
    observations(&t, root);
    number(&t, "a deadlock", r->deadlocks > 0, f.deadlock);
    /* A partial one that can grow into one of all threads is told as that. */
    if (f.partial || r->deadlocks == 0)
        number(&t, "a partial deadlock", r->circles, f.partial);
    flags(&t, "assertion", r->asserted, f.asserted);
    flags(&t, "misuse", r->misused, f.misused);
    races(&t, all, some ? DUE_NONE : modest ? DUE_BESIDE : DUE_ALL, &f.races);
    return t.agrees;
}
