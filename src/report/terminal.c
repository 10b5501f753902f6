#include "report/terminal.h"

#include "base/str.h"

#include <stdarg.h>
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
    text.known = wanted > 0 && wanted <= WIDEST;
    if (!isatty(fileno(out)))
        return text;
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    text.colour = !(no_colour && *no_colour) && !(term && strcmp(term, "dumb") == 0);
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        text.width = size.ws_col > NARROWEST ? size.ws_col : NARROWEST;
    text.known = true;
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

static bool begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

/* Bytes of an escape sequence that begins here; 0: none does. */
static size_t escape_at(const char *text)
{
    return text[0] == '\033' && text[1] == '[' ? 2 + strcspn(text + 2, "m") + 1 : 0;
}

unsigned hd_terminal_length(const char *text)
{
    unsigned n = 0;
    for (; *text; text++) {
        text += escape_at(text);
        n += *text && begins_character(*text);
        if (!*text)
            break;
    }
    return n;
}

size_t hd_terminal_bytes(const char *text, unsigned width)
{
    size_t at = 0;
    for (unsigned n = 0; text[at]; at++) {
        at += escape_at(text + at);
        if (!text[at] || (begins_character(text[at]) && n++ == width))
            break;
    }
    return at;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Is it the end of a file's name, with the number of a line? */
static bool ends_file(const char *text)
{
    size_t n = strcspn(text, ": ,()");
    return text[n] == ':' && is_digit(text[n + 1]);
}

/* May a long name be broken in front of this character? */
static bool is_joint(const char *text, size_t at)
{
    bool dot = text[at] == '.' && text[at + 1] != '.' && text[at - 1] != '.';
    return (text[at] == '-' && text[at + 1] == '>') || text[at] == '[' || text[at] == '(' ||
           text[at] == '<' || (dot && !ends_file(text + at)) ||
           (text[at - 1] == ':' && text[at] != ':' && !is_digit(text[at])) ||
           text[at - 1] == ',' || text[at - 1] == '(';
}

/* A place inside a name, for one that is longer than a line. */
static bool is_seam(const char *text, size_t at)
{
    return at > 2 && text[at - 1] == '_' && text[at] != '_' && !strchr("->.:_", text[at - 2]);
}

/* A blank in the last half of the line, a joint there, any blank, any joint, a seam in the last
 * half, or no such place. */
size_t hd_terminal_break(const char *text, unsigned width)
{
    size_t all = strlen(text), most = hd_terminal_bytes(text, width), at = most, half = most / 2;
    if (most == all)
        return all;
    while (at > half && text[at] != ' ')
        at--;
    if (at > half) {
        if (at > 6 && memcmp(text + at - 6, " (step", 6) == 0)
            return at - 6; /* and a word with its number */
        bool sign = at > 2 && text[at - 1] == '=' && text[at - 2] == ' ';
        return sign ? at - 2 : at; /* the sign goes with its value */
    }
    for (at = most; at > half; at--)
        if (at > 1 && is_joint(text, at))
            return at;
    while (at > 0 && text[at] != ' ')
        at--;
    if (at > strspn(text, " "))
        return at;
    for (at = half; at > 1; at--)
        if (is_joint(text, at))
            return at;
    for (at = most; at > half && !is_seam(text, at);)
        at--;
    return at > half ? at : most;
}

/* One line, without its end. */
static void print_line(const struct hd_terminal *text, const char *line)
{
    unsigned begin = (unsigned)strspn(line, " "), margin = begin ? begin + 2 : 4, indent = 0;
    if (margin > text->width / 2)
        margin = 0;
    for (;;) {
        bool fits = !text->known || hd_terminal_length(line) + indent <= text->width;
        size_t end = fits ? strlen(line) : hd_terminal_break(line, text->width - indent);
        fprintf(text->out, "%*s%.*s\n", (int)indent, "", (int)end, line);
        line += end;
        line += strspn(line, " ");
        if (!*line)
            return;
        indent = margin;
    }
}

void hd_terminal_print(const struct hd_terminal *text, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        char *line = hd_str_format("%.*s", (int)n, lines);
        print_line(text, line);
        free(line);
        lines += n + (lines[n] == '\n');
    }
}

void hd_terminal_line(const struct hd_terminal *text, const char *format, ...)
{
    struct hd_str line;
    va_list args;
    hd_str_init(&line);
    va_start(args, format);
    hd_str_vappendf(&line, format, args);
    va_end(args);
    hd_terminal_print(text, line.text);
    hd_str_release(&line);
}
