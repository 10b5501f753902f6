#include "base/demangle.h"

#include "base/shorten.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *, char *, size_t *, int *);

/* The C++ library that LLVM uses can demangle.  It is loaded for the first name of C++. */
static demangle_fn *find_demangle(void)
{
    static void *library;
    if (!library)
        library = dlopen("libstdc++.so.6", RTLD_NOW);
    return library ? (demangle_fn *)(uintptr_t)dlsym(library, "__cxa_demangle") : NULL;
}

/* NULL: it is no name of C++, or that library is not there. */
static char *demangled(const char *symbol, size_t n)
{
    demangle_fn *demangle = NULL;
    char *mangled = hd_str_format("%.*s", (int)n, symbol), *readable = NULL;
    int status = -1;
    if (hd_str_starts(mangled, "_Z"))
        demangle = find_demangle();
    if (demangle)
        readable = demangle(mangled, NULL, NULL, &status);
    free(mangled);
    return status == 0 ? readable : NULL;
}

void hd_demangle(struct hd_str *out, const char *symbol, size_t n)
{
    char *readable = demangled(symbol, n);
    if (readable)
        hd_shorten(out, readable);
    else
        hd_str_appendf(out, "%.*s", (int)n, symbol);
    free(readable);
}

/* Behind the name of an operator or conversion, whose `operator` begins at `p`. */
static const char *behind_operator(const char *p)
{
    p += strlen("operator");
    return hd_str_starts(p, "()") ? p + 2 : p + strcspn(p, "(");
}

static bool is_word(const char *text, const char *p, const char *word)
{
    if (!hd_str_starts(p, word) || (p > text && !strchr(": ", p[-1])))
        return false;
    char next = p[strlen(word)];
    return !isalnum((unsigned char)next) && next != '_';
}

/* The name between the return type, which ends with a blank, and the parameters. */
static void cut_function(char *text)
{
    static const char unnamed[] = "(anonymous namespace)";
    const char *begin = text, *p = text;
    int depth = 0;
    while (*p) {
        if (!depth && is_word(text, p, "operator")) {
            p = behind_operator(p);
            continue;
        }
        if (!depth && hd_str_starts(p, unnamed)) {
            p += sizeof unnamed - 1;
            continue;
        }
        if (!depth && *p == '(')
            break;
        if (!depth && *p == ' ')
            begin = p + 1;
        depth += strchr("<{([", *p) != NULL;
        depth -= strchr(">})]", *p) != NULL;
        p++;
    }
    size_t length = (size_t)(p - begin);
    memmove(text, begin, length);
    text[length] = '\0';
}

/* main::{lambda(int)#1}::operator() is main::{lambda#1}, and main::$_0::operator(), as clang
 * calls one without a name in the ABI, is main::$_0. */
static void cut_lambdas(char *text)
{
    static const char lambda[] = "{lambda(", call[] = "::operator()";
    for (char *at = text; (at = strstr(at, lambda)) != NULL;) {
        char *open = at + sizeof lambda - 2, *close = open;
        int depth = 0;
        do {
            depth += *close == '(' ? 1 : *close == ')' ? -1 : 0;
        } while (*close++ && depth);
        if (depth)
            return;
        memmove(open, close, strlen(close) + 1);
        at = open;
    }
    size_t n = strlen(text), end = sizeof call - 1;
    if (n <= end || strcmp(text + n - end, call) != 0)
        return;
    n -= end;
    size_t digits = n;
    while (digits > 2 && isdigit((unsigned char)text[digits - 1]))
        digits--;
    bool numbered = digits < n && strncmp(text + digits - 2, "$_", 2) == 0;
    if (text[n - 1] == '}' || numbered)
        text[n] = '\0';
}

void hd_demangle_function(struct hd_str *out, const char *symbol, size_t n)
{
    char *readable = demangled(symbol, n);
    if (readable) {
        cut_function(readable);
        cut_lambdas(readable);
    }
    if (readable && *readable)
        hd_shorten(out, readable);
    else
        hd_str_appendf(out, "%.*s", (int)n, symbol);
    free(readable);
}
