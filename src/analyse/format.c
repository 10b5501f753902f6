#include "analyse/format.h"

#include <stdlib.h>
#include <string.h>

/* One conversion, which begins after its '%'.  Returns the place after it, NULL when it is not
 * known. */
static const char *conversion(const char *p, unsigned *arg, struct hd_format_string *s,
                              char *letter)
{
    *s = (struct hd_format_string){ .limit = -1, .limit_arg = -1 };
    p += strspn(p, "-+ #0'I");
    if (*p == '*') {
        ++*arg;
        p++;
    } else {
        p += strspn(p, "0123456789");
    }
    if (*p == '$')
        return NULL;
    if (*p == '.') {
        p++;
        if (*p == '*') {
            s->limit_arg = (int)(*arg)++;
            p++;
        } else {
            s->limit = (int)strtol(p, NULL, 10);
            p += strspn(p, "0123456789");
        }
    }
    const char *length = p;
    p += strspn(p, "hlLqjzt");
    *letter = *p;
    if (*p == 0 || strchr("diouxXeEfFgGaAcspm%C", *p) == NULL)
        return NULL;
    if ((*p == 's' || *p == 'c') && p != length)
        return NULL;
    if (*p == 'C')
        return NULL;
    s->arg = *arg;
    if (*p != 'm' && *p != '%')
        ++*arg;
    return p + 1;
}

int hd_format_parse(const char *format, struct hd_format_string *strings, size_t room)
{
    unsigned arg = 0;
    size_t n = 0;
    for (const char *p = format; *p;) {
        if (*p++ != '%')
            continue;
        struct hd_format_string s;
        char letter;
        p = conversion(p, &arg, &s, &letter);
        if (p == NULL)
            return -1;
        if (letter != 's')
            continue;
        if (n == room)
            return -1;
        strings[n++] = s;
    }
    return (int)n;
}

const char *hd_format_literal(LLVMValueRef pointer)
{
    size_t n;
    if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer))
        return NULL;
    LLVMValueRef init = LLVMGetInitializer(pointer);
    if (init && LLVMIsNull(init))
        return "";
    if (init == NULL || !LLVMIsConstantString(init))
        return NULL;
    const char *text = LLVMGetAsString(init, &n);
    return n > 0 && text[n - 1] == 0 ? text : NULL;
}

bool hd_format_is_string(LLVMValueRef call, unsigned format, unsigned arg)
{
    enum { MOST_STRINGS = 32 };
    struct hd_format_string strings[MOST_STRINGS];
    const char *text = hd_format_literal(LLVMGetOperand(call, format));
    int n = text ? hd_format_parse(text, strings, MOST_STRINGS) : 0;
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    for (int i = 0; i < n; i++)
        if (strings[i].arg + fixed == arg)
            return true;
    return false;
}
