#include "report/name.h"

#include <stdlib.h>
#include <string.h>

void hd_name_thread(struct hd_str *out, const struct hd_threads *threads, uint32_t thread)
{
    if (thread >= threads->n) {
        hd_str_appendf(out, "thread %u", thread);
    } else if (thread == 0) {
        hd_str_append(out, "main");
    } else if (threads->names[thread].parent == 0) {
        hd_str_appendf(out, "T%u", threads->names[thread].nth);
    } else {
        /* A parent's id is lower than its child's: this ends. */
        hd_name_thread(out, threads, threads->names[thread].parent);
        hd_str_appendf(out, ".%u", threads->names[thread].nth);
    }
}

static int child_of(struct hd_threads *threads, int parent, uint16_t nth, bool add)
{
    for (uint32_t i = 1; i < threads->n; i++)
        if (threads->names[i].parent == parent && threads->names[i].nth == nth)
            return (int)i;
    if (!add || threads->n >= HD_MAX_THREADS)
        return -1;
    threads->names[threads->n] = (struct hd_thread_name){ (uint16_t)parent, nth };
    return (int)threads->n++;
}

int hd_name_find_thread(struct hd_threads *threads, const char *text, bool add)
{
    if (threads->n == 0)
        threads->n = 1;
    if (strcmp(text, "main") == 0)
        return 0;
    if (*text++ != 'T')
        return -2;
    /* The whole name is looked at before the table changes. */
    uint16_t path[64];
    size_t n = 0;
    for (;; text++) {
        char *end;
        if (*text < '1' || *text > '9')
            return -2;
        unsigned long nth = strtoul(text, &end, 10);
        if (nth > UINT16_MAX || n == sizeof path / sizeof *path)
            return -2;
        path[n++] = (uint16_t)nth;
        text = end;
        if (*text == 0)
            break;
        if (*text != '.')
            return -2;
    }
    int thread = 0;
    for (size_t i = 0; i < n && thread >= 0; i++)
        thread = child_of(threads, thread, path[i], add);
    return thread;
}

/* Whether a trace can hold the symbol as it is. */
static bool plain_symbol(const char *text)
{
    for (; *text; text++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$", *text))
            return false;
    return true;
}

static void global_name(struct hd_str *out, uint64_t address, const struct hd_program *program)
{
    uint64_t offset;
    bool unique;
    const char *symbol = program ? hd_program_object(program, address, &offset, &unique) : NULL;
    if (!symbol || !unique || !plain_symbol(symbol)) {
        hd_str_appendf(out, "global:0x%llx", (unsigned long long)address);
        return;
    }
    hd_str_append(out, symbol);
    if (offset)
        hd_str_appendf(out, "+%llu", (unsigned long long)offset);
}

void hd_name_object(struct hd_str *out, const struct hd_name *name,
                    const struct hd_program *program, const struct hd_threads *threads)
{
    unsigned long long offset = name->offset;
    switch (name->where) {
    case HD_WHERE_GLOBAL:
        global_name(out, name->offset, program);
        break;
    case HD_WHERE_HEAP:
        hd_str_append(out, "heap:");
        hd_name_thread(out, threads, name->thread);
        hd_str_appendf(out, "#%llu", (unsigned long long)name->index);
        if (offset)
            hd_str_appendf(out, "+%llu", offset);
        break;
    case HD_WHERE_STACK:
    case HD_WHERE_TLS:
        hd_str_append(out, name->where == HD_WHERE_STACK ? "stack:" : "tls:");
        hd_name_thread(out, threads, name->thread);
        hd_str_appendf(out, "-%llu", offset);
        break;
    case HD_WHERE_THREAD:
        hd_name_thread(out, threads, name->thread);
        break;
    case HD_WHERE_CLOCK:
        hd_str_append(out, "clock:");
        break;
    case HD_WHERE_RANDOM:
        hd_str_append(out, "random:");
        break;
    case HD_WHERE_OUTSIDE:
        hd_str_append(out, "outside:");
        break;
    case HD_WHERE_STDIN:
        hd_str_append(out, "stdin:");
        break;
    case HD_WHERE_OTHER:
        hd_str_appendf(out, "address:0x%llx", offset);
        break;
    default:
        break;
    }
}

bool hd_name_number(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t base = 10, value = 0;
    if (text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    if (!*text)
        return false;
    for (; *text; text++) {
        uint64_t digit = *text >= '0' && *text <= '9'   ? (uint64_t)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (uint64_t)(*text - 'a' + 10)
                         : *text >= 'A' && *text <= 'F' ? (uint64_t)(*text - 'A' + 10)
                                                        : base;
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *number = value;
    return value <= most;
}

/* Cuts `text` at the last `c` and reads the number after it. */
static bool cut_number(char *text, char c, uint64_t *number)
{
    char *at = strrchr(text, c);
    if (!at)
        return false;
    *at = 0;
    return hd_name_number(at + 1, UINT64_MAX, number);
}

static bool known_thread(struct hd_threads *threads, const char *text, struct hd_name *name)
{
    int thread = hd_name_find_thread(threads, text, false);
    name->thread = (uint32_t)thread;
    return thread >= 0;
}

static bool parse_heap(char *text, struct hd_threads *threads, struct hd_name *name)
{
    if (strchr(text, '+') && !cut_number(text, '+', &name->offset))
        return false;
    return cut_number(text, '#', &name->index) && known_thread(threads, text, name);
}

static bool parse_below(char *text, struct hd_threads *threads, struct hd_name *name)
{
    return cut_number(text, '-', &name->offset) && known_thread(threads, text, name);
}

bool hd_name_parse(char *text, enum hd_space space, struct hd_threads *threads,
                   struct hd_name *name, const char **symbol)
{
    static const struct {
        const char *prefix;
        enum hd_where where;
    } kinds[] = {
        { "heap:", HD_WHERE_HEAP },     { "stack:", HD_WHERE_STACK },
        { "tls:", HD_WHERE_TLS },       { "clock:", HD_WHERE_CLOCK },
        { "random:", HD_WHERE_RANDOM }, { "outside:", HD_WHERE_OUTSIDE },
        { "global:", HD_WHERE_GLOBAL }, { "address:", HD_WHERE_OTHER },
        { "stdin:", HD_WHERE_STDIN },
    };
    *name = (struct hd_name){ 0 };
    *symbol = NULL;
    if (space == HD_SPACE_THREAD) {
        name->where = HD_WHERE_THREAD;
        return known_thread(threads, text, name);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!hd_str_starts(text, kinds[i].prefix))
            continue;
        text += strlen(kinds[i].prefix);
        name->where = kinds[i].where;
        switch (kinds[i].where) {
        case HD_WHERE_HEAP:
            return parse_heap(text, threads, name);
        case HD_WHERE_STACK:
        case HD_WHERE_TLS:
            return parse_below(text, threads, name);
        case HD_WHERE_CLOCK:
        case HD_WHERE_RANDOM:
        case HD_WHERE_OUTSIDE:
        case HD_WHERE_STDIN:
            return *text == 0;
        default:
            return hd_name_number(text, UINT64_MAX, &name->offset);
        }
    }
    name->where = HD_WHERE_GLOBAL;
    if (strchr(text, '+') && !cut_number(text, '+', &name->offset))
        return false;
    *symbol = text;
    return *text != 0 && plain_symbol(text);
}

void hd_name_value(struct hd_str *out, uint64_t value, uint32_t size)
{
    unsigned bits = size >= 1 && size < 8 ? size * 8 : 64;
    if (bits < 64)
        value &= (1ull << bits) - 1;
    uint64_t negative = bits < 64 ? (1ull << bits) - value : 0 - value;
    if (value < 1000000000)
        hd_str_appendf(out, "%llu", (unsigned long long)value);
    else if (size >= 2 && negative <= 1000000)
        hd_str_appendf(out, "-%llu", (unsigned long long)negative);
    else
        hd_str_appendf(out, "0x%llx", (unsigned long long)value);
}
