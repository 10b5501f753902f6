/* Formatted text with the arguments in a va_list: the format, which is read when the call is
 * made, says which memory is accessed.  (If format and arguments are in the call itself, the
 * instrumenter does this, analyse/libc.def.)
 *
 * Every string is announced in a step of its own, and all are read in the step of the last.
 * That makes a difference only where another thread writes one of them in between without
 * synchronisation, which is a data race. */
#include "runtime/format.h"
#include "runtime/fdstream_find.h"

#include "runtime/memory.h"
#include "runtime/streams.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* <stdio.h> is left out: it gives sscanf() another name. */
int vsnprintf(char *text, size_t size, const char *fmt, va_list args);
int vsprintf(char *text, const char *fmt, va_list args);
int vasprintf(char **text, const char *fmt, va_list args);
int asprintf(char **text, const char *fmt, ...);

typedef int vsnprintf_fn(char *, size_t, const char *, va_list);
typedef int vsscanf_fn(const char *, const char *, va_list);
extern struct _IO_FILE *stdin;

int hd_vsnprintf(char *text, size_t size, const char *fmt, va_list args)
{
    void *real = hd_ready ? rt->real_vsnprintf : NULL;
    if (!real)
        real = hd_real("vsnprintf");
    if (hd_ready)
        rt->real_vsnprintf = real;
    return ((vsnprintf_fn *)(uintptr_t)real)(text, size, fmt, args);
}

/* The position after the next % of the format; NULL if there is none. */
static const char *conversion_in(const char *at)
{
    const char *percent = strchr(at, '%');
    return percent && percent[1] ? percent + 1 : NULL;
}

/* The length modifier at *at, which moves on: the size of an integer with it; 16 for L. */
static uint32_t length_of(const char **at)
{
    const char *c = *at;
    uint32_t bytes = 4;
    if (*c == 'h')
        bytes = c[1] == 'h' ? 1 : 2;
    else if (*c == 'L')
        bytes = 16;
    else if (*c && strchr("lqjzt", *c))
        bytes = 8;
    while (*c && strchr("hlqjztL", *c))
        c++;
    *at = c;
    return bytes;
}

/* A number, or * for an argument; -1 when there is none. */
static int64_t number(const char **at, va_list *args)
{
    int64_t value = -1;
    if (**at == '*') {
        ++*at;
        return va_arg(*args, int);
    }
    while (**at >= '0' && **at <= '9')
        value = (value < 0 ? 0 : value * 10) + *(*at)++ - '0';
    return value;
}

/* The next argument; `tell`: announce what it names. */
static void printed(char conversion, uint32_t bytes, int64_t most, va_list *args, bool tell,
                    uint32_t site)
{
    switch (conversion) {
    case 's': {
        const char *text = va_arg(*args, const char *);
        if (tell && text && bytes == 4) /* no wide characters */
            __heddle_will_read_string(text, most < 0 ? UINT64_MAX : (uint64_t)most, site);
        break;
    }
    case 'n': {
        void *to = va_arg(*args, void *);
        if (tell)
            __heddle_will_write(to, bytes, site);
        break;
    }
    case 'p':
        (void)va_arg(*args, void *);
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        (void)(bytes == 16 ? va_arg(*args, long double) : (long double)va_arg(*args, double));
        break;
    case '%':
    case 'm':
        break;
    default:
        (void)(bytes >= 8 ? va_arg(*args, long) : (long)va_arg(*args, int));
    }
}

/* How the processor passes arguments (System V ABI, 3.5.7). */
struct list {
    uint32_t gp, fp; /* offsets in `saved` of the next arguments in registers */
    char *stacked, *saved;
};

/* Where the next argument lies, which is a pointer. */
static char *next_pointer(const va_list *args)
{
    struct list l;
    memcpy(&l, args, sizeof l);
    return l.gp < 48 ? l.saved + l.gp : l.stacked;
}

/* Room at the end of the thread's bounce buffer; NULL: there is not enough. */
static char *take_room(struct hd_printed *p, uint64_t n)
{
    uint64_t bytes = (n + 15) & ~15ull;
    if (bytes > (size_t)HD_CHANNEL_BYTES - p->used)
        return NULL;
    p->used += (uint32_t)bytes;
    char *room = hd_bounce() + (size_t)HD_CHANNEL_BYTES - p->used;
    hd_log_range(room, bytes);
    return room;
}

/* The string has just been read: others may change it before the text is made. */
static void keep_string(struct hd_printed *p, char *argument, int64_t most)
{
    const char *text;
    memcpy(&text, argument, sizeof text);
    uint64_t n = strnlen(text, most < 0 ? SIZE_MAX : (size_t)most);
    char *copy = take_room(p, n + 1);
    if (!copy)
        hd_fatal("strings of more than %zu bytes are printed in one call",
                 (size_t)HD_CHANNEL_BYTES);
    hd_view_load(rt->cur, text, copy, n);
    copy[n] = 0;
    memcpy(argument, &copy, sizeof copy);
}

/* Go through the arguments.  Announces what they name if there is a `p`, and then keeps as many
 * strings as `keep` says.  Returns how many strings there are. */
static uint32_t walk(struct hd_printed *p, const char *fmt, va_list *args, uint32_t keep,
                     uint32_t site)
{
    uint32_t strings = 0;
    for (const char *at = conversion_in(fmt); at; at = conversion_in(at)) {
        at += strspn(at, "-+ #0'I");
        (void)number(&at, args);
        int64_t most = -1;
        if (*at == '.') {
            at++;
            most = number(&at, args);
            most = most < 0 && at[-1] != '*' ? 0 : most;
        }
        uint32_t bytes = length_of(&at);
        if (*at == '$' || !*at)
            break; /* numbered arguments: reads of their strings are not announced */
        char *argument = next_pointer(args);
        const char *text = NULL;
        if (*at == 's' && bytes == 4)
            memcpy(&text, argument, sizeof text);
        strings += text != NULL;
        printed(*at, bytes, most, args, p != NULL, site);
        if (p && text && strings <= keep)
            keep_string(p, argument, most);
        at++;
    }
    return strings;
}

/* A list of the same arguments, which can be changed.  `end`: the list behind the last one. */
static bool copy_list(struct hd_printed *p, const va_list *given, const va_list *end)
{
    struct list l, behind;
    memcpy(&l, given, sizeof l);
    memcpy(&behind, end, sizeof behind);
    uint64_t n = (uint64_t)(behind.stacked - l.stacked), shift = (uintptr_t)l.stacked & 15;
    char *room = take_room(p, n + shift);
    if (!room)
        return false;
    memcpy(room + shift, l.stacked, n);
    memcpy(p->saved, l.saved, sizeof p->saved);
    l.stacked = room + shift;
    l.saved = p->saved;
    memcpy(&p->args, &l, sizeof l);
    return true;
}

void hd_format_printed(struct hd_printed *p, const char *fmt, va_list given, uint32_t site)
{
    va_list args;
    p->used = 0;
    __heddle_will_read_string(fmt, UINT64_MAX, site);
    va_copy(args, given);
    va_copy(p->args, given);
    uint32_t strings = walk(NULL, fmt, &args, 0, site);
    bool copied = strings > 1 && copy_list(p, (const va_list *)&p->args, (const va_list *)&args);
    va_end(args);
    va_copy(args, p->args);
    walk(p, fmt, &args, copied ? strings - 1 : 0, site);
    va_end(args);
}

int vsnprintf(char *text, size_t size, const char *fmt, va_list args)
{
    uint32_t site = hd_take_site();
    if (!hd_ready)
        return hd_vsnprintf(text, size, fmt, args);
    struct hd_printed p;
    hd_format_printed(&p, fmt, args, site);
    va_list again;
    va_copy(again, p.args);
    int n = hd_vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0 || size == 0)
        return n;
    size_t bytes = (size_t)n < size ? (size_t)n + 1 : size;
    if (bytes > (size_t)HD_CHANNEL_BYTES - p.used)
        hd_fatal("a text of more than %zu bytes is printed into memory",
                 (size_t)HD_CHANNEL_BYTES - p.used);
    char *made = hd_bounce();
    hd_log_range(made, bytes);
    hd_vsnprintf(made, bytes, fmt, p.args); /* in the step that read the last string */
    __heddle_store_n(text, made, bytes, site);
    return n;
}

int vsprintf(char *text, const char *fmt, va_list args)
{
    return vsnprintf(text, (size_t)1 << 31, fmt, args);
}

int vasprintf(char **text, const char *fmt, va_list args)
{
    uint32_t site = hd_take_site();
    char *made = NULL;
    struct hd_printed p;
    if (hd_ready)
        hd_format_printed(&p, fmt, args, site);
    else
        va_copy(p.args, args);
    va_list again;
    va_copy(again, p.args);
    int n = hd_vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    made = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!made)
        return -1;
    hd_log_range(made, (size_t)n + 1);
    hd_vsnprintf(made, (size_t)n + 1, fmt, p.args);
    __heddle_store_n(text, &made, sizeof made, site);
    return n;
}

int asprintf(char **text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vasprintf(text, fmt, args);
    va_end(args);
    return n;
}

/* How many bytes a conversion of scanf may write. */
static uint64_t scanned(char conversion, uint32_t bytes, int64_t width, bool allocates,
                        size_t input)
{
    uint64_t unit = bytes == 8 ? sizeof(wchar_t) : 1;
    if (allocates)
        return sizeof(char *);
    switch (conversion) {
    case 'c':
        return (width < 0 ? 1 : (uint64_t)width) * unit;
    case 's':
    case 'S':
    case '[':
        return ((width < 0 ? input : (uint64_t)width) + 1) * unit;
    case 'p':
        return sizeof(void *);
    default:
        return bytes; /* integers, and reals: float, double with l, long double with L */
    }
}

/* The end of a conversion %[…]: what follows its closing bracket. */
static const char *behind_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    const char *end = strchr(at, ']');
    return end ? end + 1 : at + strlen(at);
}

/* Where the conversions of a call put what they find. */
struct target {
    char *at;
    char *made;     /* from a stream: where it is put first */
    uint64_t bytes; /* at most */
    uint32_t unit;  /* a string has characters of that size; 0: other */
    bool endless;   /* a string without a width */
    int place;      /* number of counted conversions before it */
    bool counts;    /* all but %n */
};

enum { MOST_TARGETS = 24, MOST_WORD = 4096 };

struct scanned {
    struct target targets[MOST_TARGETS];
    uint32_t n;
};

static void find_targets(struct scanned *to, size_t input, const char *fmt, va_list given)
{
    va_list args;
    int place = 0;
    va_copy(args, given);
    for (const char *at = conversion_in(fmt); at; at = conversion_in(at)) {
        bool dropped = *at == '*';
        at += dropped;
        int64_t width = number(&at, &args);
        bool allocates = *at == 'm';
        at += allocates;
        uint32_t bytes = length_of(&at);
        char conversion = *at;
        if (!conversion || conversion == '$')
            break;
        at++;
        if (conversion == '[')
            at = behind_set(at);
        if (conversion == '%' || dropped)
            continue;
        if (to->n == MOST_TARGETS)
            hd_fatal("more than %d conversions in one call of scanf's family", MOST_TARGETS);
        bool is_word = strchr("sS[", conversion) && !allocates;
        to->targets[to->n++] = (struct target){
            .at = va_arg(args, char *),
            .bytes = scanned(conversion, bytes, width, allocates, input),
            .unit = !is_word                          ? 0
                    : bytes == 8 || conversion == 'S' ? sizeof(wchar_t)
                                                      : 1,
            .endless = is_word && width < 0,
            .place = place,
            .counts = conversion != 'n',
        };
        place += conversion != 'n';
    }
    va_end(args);
}

/* Make room in the thread's own memory, filled with a value that no %n produces; false if there
 * is not enough. */
static bool make_room(struct scanned *to)
{
    char *room = hd_bounce();
    uint64_t used = 0;
    for (uint32_t i = 0; i < to->n; i++) {
        struct target *t = &to->targets[i];
        t->made = room + used;
        used += (t->bytes + 15) & ~15ull;
        if (used > (size_t)HD_CHANNEL_BYTES)
            return false;
    }
    hd_log_range(room, used);
    memset(room, 0xff, used);
    return true;
}

static uint64_t word_bytes(const struct target *t)
{
    static const char none[sizeof(wchar_t)];
    for (uint64_t n = 0; n < t->bytes; n += t->unit)
        if (memcmp(t->made + n, none, t->unit) == 0)
            return n + t->unit;
    hd_fatal("a word of %d bytes or more is read by scanf's family: give it a width", MOST_WORD);
}

static void put_target(const struct target *t, int n, uint32_t site)
{
    int64_t untouched = -1;
    bool found = t->counts ? t->place < n : memcmp(t->made, &untouched, t->bytes) != 0;
    if (found)
        __heddle_store_n(t->at, t->made, t->unit ? word_bytes(t) : t->bytes, site);
}

/* All arguments are pointers, and scanf ignores surplus ones. */
static int scan_into_room(const char *name, const void *from, const char *fmt,
                          const struct target *t)
{
    typedef int scanf_fn(const void *, const char *, ...); /* a text, or a stream */
    return ((scanf_fn *)(uintptr_t)hd_real(name))(
        from, fmt, t[0].made, t[1].made, t[2].made, t[3].made, t[4].made, t[5].made, t[6].made,
        t[7].made, t[8].made, t[9].made, t[10].made, t[11].made, t[12].made, t[13].made,
        t[14].made, t[15].made, t[16].made, t[17].made, t[18].made, t[19].made, t[20].made,
        t[21].made, t[22].made, t[23].made);
}

static void put_targets(const struct scanned *to, int n, uint32_t site)
{
    for (uint32_t i = 0; i < to->n; i++)
        put_target(&to->targets[i], n, site);
}

/* The length of a word depends on the text.  So results go to memory of the thread's own first,
 * and from there, in separate steps, to their destinations. */
static int scan(const char *name, const char *text, const char *fmt, va_list args, uint32_t site)
{
    struct scanned to = { .n = 0 };
    if (!hd_ready)
        return ((vsscanf_fn *)(uintptr_t)hd_real("vsscanf"))(text, fmt, args);
    __heddle_will_read_string(fmt, UINT64_MAX, site);
    __heddle_will_read_string(text, UINT64_MAX, site); /* last: it is scanned in this step */
    find_targets(&to, strlen(text), fmt, args);
    if (!make_room(&to))
        hd_fatal("one call of scanf's family may read more than %zu bytes: give words a width",
                 (size_t)HD_CHANNEL_BYTES);
    int n = scan_into_room(name, text, fmt, to.targets);
    put_targets(&to, n, site);
    return n;
}

/* The same from a stream, which is outside. */
static int scan_stream(const char *name, struct _IO_FILE *f, const char *fmt, va_list args,
                       uint32_t site)
{
    struct scanned to = { .n = 0 };
    hd_rt_prepare();
    hd_fdstream_refuse(f, "scanf", site);
    __heddle_will_read_string(fmt, UINT64_MAX, site);
    find_targets(&to, MOST_WORD - 1, fmt, args);
    __heddle_opaque(site);
    __heddle_open(f, site);
    if (!make_room(&to))
        hd_fatal("one call of scanf's family reads more than %zu bytes",
                 (size_t)HD_CHANNEL_BYTES);
    int n = scan_into_room(name, f, fmt, to.targets);
    put_targets(&to, n, site);
    return n;
}

/* scanf() and its family have other names, by the standard that the program was compiled
 * for. */
#define SCANF(prefix)                                                                            \
    int prefix##vsscanf(const char *text, const char *fmt, va_list args);                        \
    int prefix##sscanf(const char *text, const char *fmt, ...);                                  \
    int prefix##vfscanf(struct _IO_FILE *f, const char *fmt, va_list args);                      \
    int prefix##fscanf(struct _IO_FILE *f, const char *fmt, ...);                                \
    int prefix##vscanf(const char *fmt, va_list args);                                           \
    int prefix##scanf(const char *fmt, ...);                                                     \
    int prefix##vsscanf(const char *text, const char *fmt, va_list args)                         \
    {                                                                                            \
        return scan(#prefix "sscanf", text, fmt, args, hd_take_site());                          \
    }                                                                                            \
    int prefix##vfscanf(struct _IO_FILE *f, const char *fmt, va_list args)                       \
    {                                                                                            \
        return scan_stream(#prefix "fscanf", f, fmt, args, hd_take_site());                      \
    }                                                                                            \
    int prefix##vscanf(const char *fmt, va_list args)                                            \
    {                                                                                            \
        return prefix##vfscanf(stdin, fmt, args);                                                \
    }                                                                                            \
    int prefix##sscanf(const char *text, const char *fmt, ...)                                   \
    {                                                                                            \
        va_list args;                                                                            \
        va_start(args, fmt);                                                                     \
        int n = prefix##vsscanf(text, fmt, args);                                                \
        va_end(args);                                                                            \
        return n;                                                                                \
    }                                                                                            \
    int prefix##fscanf(struct _IO_FILE *f, const char *fmt, ...)                                 \
    {                                                                                            \
        va_list args;                                                                            \
        va_start(args, fmt);                                                                     \
        int n = prefix##vfscanf(f, fmt, args);                                                   \
        va_end(args);                                                                            \
        return n;                                                                                \
    }                                                                                            \
    int prefix##scanf(const char *fmt, ...)                                                      \
    {                                                                                            \
        va_list args;                                                                            \
        va_start(args, fmt);                                                                     \
        int n = prefix##vfscanf(stdin, fmt, args);                                               \
        va_end(args);                                                                            \
        return n;                                                                                \
    }
SCANF(__isoc99_)
SCANF(__isoc23_)
SCANF()
