#include "supervise/suppressions.h"

#include "base/fs.h"
#include "base/shown.h"

#include <string.h>
#include <sys/stat.h>

static const char *const kinds[] = {
    [HD_RULE_RACE] = "race:", [HD_RULE_VOLATILE] = "volatile-ok:"
};
static const char *const bys[] = {
    [HD_RULE_FILE] = "file:", [HD_RULE_FUNCTION] = "function:", [HD_RULE_VARIABLE] = "variable:"
};

/* Which of the words the text begins with; 0: none.  The text begins after it then. */
static uint32_t take_word(const char **text, size_t *n, const char *const *words, uint32_t last)
{
    for (uint32_t i = 1; i <= last; i++) {
        size_t length = strlen(words[i]);
        if (*n >= length && memcmp(*text, words[i], length) == 0) {
            *text += length;
            *n -= length;
            return i;
        }
    }
    return 0;
}

const char *hd_suppressions_add(struct hd_suppressions *s, const char *text, size_t n,
                                uint32_t line)
{
    if (s->n == HD_MAX_RULES)
        return "there are more than 128 rules: use patterns with *";
    struct hd_rule rule = { .line = line };
    rule.kind = take_word(&text, &n, kinds, HD_RULE_VOLATILE);
    if (!rule.kind)
        return "a rule begins with race: or volatile-ok:";
    rule.by = take_word(&text, &n, bys, HD_RULE_VARIABLE);
    if (!rule.by && rule.kind == HD_RULE_VOLATILE)
        return "after volatile-ok: comes file:, function: or variable:";
    rule.by = rule.by ? rule.by : HD_RULE_FILE;
    if (n == 0)
        return "the pattern is missing";
    if (n >= sizeof rule.pattern)
        return "the pattern has more than 123 characters: use * for a part of it";
    if (memchr(text, 0, n))
        return "the pattern contains a zero byte";
    memcpy(rule.pattern, text, n);
    s->rules[s->n++] = rule;
    *(rule.kind == HD_RULE_RACE ? &s->n_races : &s->n_volatile) += 1;
    return NULL;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

int hd_suppressions_parse(struct hd_suppressions *s, const char *name, const char *text, size_t n,
                          struct hd_err *err)
{
    if (n > HD_MAX_SUPPRESSION_BYTES)
        return hd_err_set(err, "%s: a suppression file has at most 1 MB", name);
    uint32_t line = 0;
    for (const char *at = text, *end = text + n; at < end; at++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *comment = memchr(at, '#', (size_t)(stop - at)), *last = comment;
        last = last ? last : stop;
        line++;
        while (at < last && is_blank(*at))
            at++;
        while (last > at && is_blank(last[-1]))
            last--;
        const char *wrong = at < last ? hd_suppressions_add(s, at, (size_t)(last - at), line)
                                      : NULL;
        if (wrong) {
            struct hd_str shown;
            hd_str_init(&shown);
            hd_shown_bytes(&shown, at, last - at > 60 ? 60 : (size_t)(last - at));
            hd_err_set(err, "%s:%u: '%s': %s", name, line, shown.text, wrong);
            hd_str_release(&shown);
            return -1;
        }
        at = stop;
    }
    return 0;
}

int hd_suppressions_read(struct hd_suppressions *s, const char *path, struct hd_err *err)
{
    struct stat is;
    if (stat(path, &is) == 0 && (!S_ISREG(is.st_mode) || is.st_size > HD_MAX_SUPPRESSION_BYTES))
        return hd_err_set(err, "%s: %s", path,
                          S_ISREG(is.st_mode) ? "a suppression file has at most 1 MB"
                                              : "not a regular file");
    struct hd_str text;
    hd_str_init(&text);
    int failed = hd_fs_read(path, &text, err);
    if (!failed)
        failed = hd_suppressions_parse(s, path, text.text, text.length, err);
    hd_str_release(&text);
    return failed;
}

/* ---- variables ---- */

/* A range of a rule; neighbours become one. */
static int add_range(struct hd_suppressions *s, uint32_t rule, uint64_t begin, uint64_t end,
                     struct hd_err *err)
{
    struct hd_rule_range *last = s->n_ranges ? &s->ranges[s->n_ranges - 1] : NULL;
    if (last && last->rule == rule && last->end == begin) {
        last->end = end;
        return 0;
    }
    if (s->n_ranges == HD_MAX_RULE_RANGES)
        return hd_err_set(err,
                          "the rules for variables mean more than %d pieces of memory, the last "
                          "one %s: use fewer, or name files and functions",
                          HD_MAX_RULE_RANGES, s->rules[rule].pattern);
    s->ranges[s->n_ranges++] = (struct hd_rule_range){ .begin = begin, .end = end, .rule = rule };
    return 0;
}

#define MOST_NAMED (1u << 16) /* bytes of a variable whose members are looked at */

/* The members or elements of the variable that the pattern names. */
static int add_members(struct hd_suppressions *s, uint32_t rule, const char *variable,
                       uint64_t address, uint64_t size, const struct hd_program *program,
                       struct hd_err *err)
{
    struct hd_str name;
    int failed = 0;
    hd_str_init(&name);
    for (uint64_t i = 0; i < size && i < MOST_NAMED && !failed; i++) {
        hd_str_clear(&name);
        hd_str_append(&name, variable);
        if (hd_program_element(program, address + i, 0, &name) &&
            hd_glob_matches(s->rules[rule].pattern, name.text))
            failed = add_range(s, rule, address + i, address + i + 1, err);
    }
    hd_str_release(&name);
    return failed;
}

/* Does the part of the pattern before the first member or element match the variable? */
static bool begins_with(const struct hd_rule *rule, const char *variable)
{
    char base[HD_MAX_RULE_PATTERN];
    size_t n = strcspn(rule->pattern, ".[");
    if (rule->pattern[n] == 0)
        return false;
    memcpy(base, rule->pattern, n);
    base[n] = 0;
    return hd_glob_matches(base, variable);
}

int hd_suppressions_resolve(struct hd_suppressions *s, const struct hd_program *program,
                            struct hd_err *err)
{
    s->n_ranges = 0;
    for (uint32_t rule = 0; rule < s->n; rule++) {
        uint64_t address, size;
        const char *variable;
        if (s->rules[rule].by != HD_RULE_VARIABLE)
            continue;
        for (size_t i = 0; hd_program_nth_variable(program, i, &variable, &address, &size); i++) {
            int failed = 0;
            if (hd_glob_matches(s->rules[rule].pattern, variable))
                failed = add_range(s, rule, address, address + size, err);
            else if (begins_with(&s->rules[rule], variable))
                failed = add_members(s, rule, variable, address, size, program, err);
            if (failed)
                return -1;
        }
    }
    return 0;
}

void hd_suppressions_rule(struct hd_str *out, const struct hd_rule *rule)
{
    hd_str_appendf(out, "%s%s", kinds[rule->kind],
                   rule->kind == HD_RULE_RACE && rule->by == HD_RULE_FILE ? "" : bys[rule->by]);
    hd_shown(out, rule->pattern);
}
