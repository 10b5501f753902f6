#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40
#define WIDEST 1000

struct hd_terminal hd_terminal_for(FILE *out)
{
    struct hd_terminal text = { .out = out, .width = 100 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long wanted = columns ? strtol(columns, NULL, 10) : 0;
    if (wanted > 0 && wanted <= WIDEST)
        text.width = wanted > NARROWEST ? (unsigned)wanted : NARROWEST;
    if (!isatty(fileno(out)))
        return text;
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    text.colour = !(no_colour && *no_colour) && !(term && strcmp(term, "dumb") == 0);
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        text.width = size.ws_col > NARROWEST ? size.ws_col : NARROWEST;
    return text;
}

const char *hd_terminal_bold(const struct hd_terminal *text)
{
    return text->colour ? "\033[1m" : "";
}
const char *hd_terminal_bad(const struct hd_terminal *text)
{
    return text->colour ? "\033[1;31m" : "";
}
const char *hd_terminal_good(const struct hd_terminal *text)
{
    return text->colour ? "\033[1;32m" : "";
}
const char *hd_terminal_dim(const struct hd_terminal *text)
{
    return text->colour ? "\033[2m" : "";
}
const char *hd_terminal_plain(const struct hd_terminal *text)
{
    return text->colour ? "\033[0m" : "";
}
