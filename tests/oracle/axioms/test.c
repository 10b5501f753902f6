#include "test.h"

#include <stdarg.h>
#include <stdlib.h>

static uint64_t passed, failed;

void ax_expect(bool good, const char *name, const char *why, ...)
{
    va_list args;
    passed += good;
    failed += !good;
    printf("%s %s", good ? "ok" : "not ok", name);
    if (!good) {
        printf(": ");
        va_start(args, why);
        vprintf(why, args);
        va_end(args);
    }
    printf("\n");
}

void ax_must_parse(struct ax_program *p, const char *name, const char *text)
{
    if (ax_parse(p, name, text, stderr))
        return;
    printf("not ok %s: does not parse:\n%s", name, text);
    exit(1);
}

int ax_test_over(void)
{
    printf("# %llu passed, %llu failed\n", (unsigned long long)passed,
           (unsigned long long)failed);
    return failed != 0;
}
