#include "instrument/assembly_text.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#if LLVM_VERSION_MAJOR >= 18

/* "={ax},=*m,r,0,*m,~{memory}": outputs come first; a place that is an output has an argument
 * too. */
static bool read_operands(struct hd_asm_text *t, const char *constraints, size_t n)
{
    unsigned arg = 0;
    for (const char *at = constraints, *end = at + n; at < end; at++) {
        size_t length = 0;
        while (at + length < end && at[length] != ',')
            length++;
        if (*at != '~') {
            if (t->n_operands == HD_ASM_OPERANDS || length >= HD_ASM_TEXT || *at == '!')
                return false;
            struct hd_asm_operand *o = &t->operands[t->n_operands];
            memcpy(o->text, at, length);
            o->place = memchr(at, '*', length) != NULL;
            o->output = *at == '=';
            o->same = t->n_operands++;
            o->arg = arg;
            if (!o->output || o->place)
                o->value = LLVMGetOperand(t->call, arg++);
        }
        at += length;
    }
    return arg == LLVMGetNumArgOperands(t->call);
}

/* An input "0" is in the register of output 0, and an input "{ax}" in that of "={ax}". */
static bool tie_operands(struct hd_asm_text *t)
{
    for (unsigned i = 0; i < t->n_operands; i++) {
        struct hd_asm_operand *o = &t->operands[i];
        if (o->output || o->place)
            continue;
        if (*o->text >= '0' && *o->text <= '9') {
            unsigned long k = strtoul(o->text, NULL, 10);
            if (k >= i || !t->operands[k].output)
                return false;
            o->same = (unsigned)k;
        }
        for (unsigned k = 0; k < i && *o->text == '{'; k++)
            if (t->operands[k].output && strcmp(t->operands[k].text + 1, o->text) == 0)
                o->same = k;
    }
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Copies the text without blanks around it. */
static bool copy(char *to, const char *from, const char *end)
{
    while (from < end && is_blank(*from))
        from++;
    while (end > from && is_blank(end[-1]))
        end--;
    if (end == from || end - from >= HD_ASM_TEXT)
        return false;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = 0;
    return true;
}

/* "$0, 4($1,$2)": commas inside parentheses do not separate. */
static bool read_args(struct hd_asm_instruction *i, const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    while (at < end) {
        const char *stop = at;
        for (int depth = 0; stop < end && (*stop != ',' || depth > 0); stop++)
            depth += *stop == '(' ? 1 : *stop == ')' ? -1 : 0;
        if (i->n == HD_ASM_ARGS || !copy(i->args[i->n], at, stop))
            return false;
        i->n++;
        at = stop < end ? stop + 1 : end;
    }
    return true;
}

static bool is_nothing(const char *name)
{
    static const char *const names[] = { "nop", "pause", "lfence", "sfence" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Prefixes may stand alone: "lock; incl $0", "rep; nop". */
struct prefixes {
    bool lock, repeat;
};

static bool read_instruction(struct hd_asm_text *t, struct prefixes *p, const char *at,
                             const char *end)
{
    while (at < end) {
        const char *stop = at;
        struct hd_asm_instruction i = { .n = 0 };
        while (stop < end && !is_blank(*stop))
            stop++;
        if (stop == at) {
            at++;
            continue;
        }
        if (!copy(i.name, at, stop))
            return false;
        bool lock = strcmp(i.name, "lock") == 0, repeat = strcmp(i.name, "rep") == 0;
        if (lock || repeat) {
            *(lock ? &p->lock : &p->repeat) = true;
            at = stop;
            continue;
        }
        i.locked = p->lock;
        if (!read_args(&i, stop, end) || (p->repeat && strcmp(i.name, "nop") != 0))
            return false;
        *p = (struct prefixes){ 0 };
        if (is_nothing(i.name))
            return !i.locked && i.n == 0;
        if (t->n == HD_ASM_INSTRUCTIONS)
            return false;
        t->instructions[t->n++] = i;
        return true;
    }
    return true;
}

static bool read_code(struct hd_asm_text *t, const char *code, size_t n)
{
    struct prefixes p = { 0 };
    for (const char *at = code, *end = code + n; at < end; at++) {
        const char *stop = at;
        while (stop < end && *stop != ';' && *stop != '\n' && *stop != '#')
            stop++;
        if (!read_instruction(t, &p, at, stop))
            return false;
        bool comment = stop < end && *stop == '#';
        while (comment && stop < end && *stop != '\n')
            stop++;
        at = stop;
    }
    return !p.lock && !p.repeat;
}

bool hd_asm_read(struct hd_asm_text *t, LLVMValueRef call)
{
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    size_t n_code, n_constraints;
    *t = (struct hd_asm_text){ .call = call };
    const char *code = LLVMGetInlineAsmAsmString(assembly, &n_code);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n_constraints);
    return LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectATT &&
           read_code(t, code, n_code) && read_operands(t, constraints, n_constraints) &&
           tie_operands(t);
}

#else
bool hd_asm_read(struct hd_asm_text *t, LLVMValueRef call)
{
    *t = (struct hd_asm_text){ .call = call };
    return false;
}
#endif
