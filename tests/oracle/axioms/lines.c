#include "lines.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "axioms: out of memory\n");
        exit(2);
    }
    return p;
}

static char **find(const struct ax_lines *s, const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *c = text; *c; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    size_t i = (size_t)(h ^ h >> 32) & (s->room - 1);
    while (s->slot[i] && strcmp(s->slot[i], text))
        i = (i + 1) & (s->room - 1);
    return &s->slot[i];
}

static void grow(struct ax_lines *s)
{
    struct ax_lines old = *s;
    s->room = s->room ? 2 * s->room : 64;
    s->slot = need(calloc(s->room, sizeof *s->slot));
    for (size_t i = 0; i < old.room; i++)
        if (old.slot[i])
            *find(s, old.slot[i]) = old.slot[i];
    free(old.slot);
}

bool ax_lines_add(struct ax_lines *s, const char *text)
{
    if (2 * s->n >= s->room)
        grow(s);
    char **at = find(s, text);
    if (*at) {
        s->repeated++;
        return false;
    }
    *at = need(strdup(text));
    s->n++;
    return true;
}

bool ax_lines_has(const struct ax_lines *s, const char *text) { return s->n && *find(s, text); }

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **ax_lines_sorted(const struct ax_lines *s)
{
    char **all = need(malloc((s->n + 1) * sizeof *all));
    size_t n = 0;
    for (size_t i = 0; i < s->room; i++)
        if (s->slot[i])
            all[n++] = s->slot[i];
    if (n)
        qsort(all, n, sizeof *all, compare);
    return all;
}

bool ax_lines_equal(const struct ax_lines *a, const struct ax_lines *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->room; i++)
        if (a->slot[i] && !ax_lines_has(b, a->slot[i]))
            return false;
    return true;
}

void ax_lines_release(struct ax_lines *s)
{
    for (size_t i = 0; i < s->room; i++)
        free(s->slot[i]);
    free(s->slot);
    *s = (struct ax_lines){ 0 };
}
