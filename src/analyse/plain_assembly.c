#include "analyse/plain_assembly.h"

#include <string.h>

struct text {
    const char *at, *end;
};

static bool begins(struct text t, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(t.end - t.at) >= n && memcmp(t.at, word, n) == 0;
}

static bool contains(struct text t, const char *word)
{
    for (; t.at < t.end; t.at++)
        if (begins(t, word))
            return true;
    return false;
}

static void skip_blanks(struct text *t)
{
    while (t->at < t->end && strchr(" \t\n;", *t->at))
        t->at++;
}

/* Instructions that compute with their operands only, whatever their suffix is. */
static bool is_plain(struct text name)
{
    static const char *const list[] = {
        "add",  "adc", "and",   "bsf",    "bsr",    "bswap",  "bt",     "cmov",    "cmp", "dec",
        "imul", "inc", "lea",   "lzcnt",  "mfence", "lfence", "sfence", "mov",     "neg", "nop",
        "not",  "or",  "pause", "popcnt", "rol",    "ror",    "sar",    "sbb",     "set", "shl",
        "shr",  "sub", "test",  "tzcnt",  "xadd",   "xchg",   "xor",    "prefetch"
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (begins(name, list[i]))
            return true;
    return false;
}

/* Registers, segments among them, are named with a percent sign: operands are not.  A fence may
 * add nothing to the top of the stack. */
static bool names_register(struct text statement)
{
    bool fence = (begins(statement, "add") || begins(statement, "or")) &&
                 (contains(statement, "$$0,") || contains(statement, "$$0x0,")) &&
                 (contains(statement, "(%rsp)") || contains(statement, "(%esp)"));
    return !fence && contains(statement, "%");
}

bool hd_assembly_is_plain(LLVMValueRef assembly)
{
    size_t n;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n);
    struct text rest = { code, code + n };
    code = LLVMGetInlineAsmConstraintString(assembly, &n);
    struct text constraints = { code, code + n };
    if (LLVMGetInlineAsmDialect(assembly) != LLVMInlineAsmDialectATT ||
        contains(constraints, "sp}") || contains(constraints, "bp}"))
        return false;
    for (skip_blanks(&rest); rest.at < rest.end; skip_blanks(&rest)) {
        struct text statement = rest;
        while (rest.at < rest.end && *rest.at != ';' && *rest.at != '\n')
            rest.at++;
        statement.end = rest.at;
        while (begins(statement, "lock") || begins(statement, "rep")) {
            while (statement.at < statement.end && *statement.at != ' ' && *statement.at != '\t')
                statement.at++;
            skip_blanks(&statement);
        }
        if (statement.at < statement.end && (!is_plain(statement) || names_register(statement)))
            return false;
    }
    return true;
}
