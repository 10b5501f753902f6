#include "base/progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WORTH_TELLING 0.2 /* processor seconds before a line is shown */

static bool shown;

void hd_progress(const char *format, ...)
{
    const char *terminal = getenv("TERM");
    if (!isatty(2) || terminal == NULL || strcmp(terminal, "dumb") == 0 ||
        (double)clock() / CLOCKS_PER_SEC < WORTH_TELLING)
        return;
    va_list args;
    fputs("\r\033[Kheddle: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(" ...", stderr);
    fflush(stderr);
    shown = true;
}

void hd_progress_end(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
