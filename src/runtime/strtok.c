/* Cutting text into words: strtok, which keeps its place in one object for all threads, and
 * strsep, which keeps it where the program says. */
#include "runtime/memory.h"

#include <string.h>

static char *strtok_place; /* the program's: changed by announced writes only */

/* Announces a read of the text up to the byte that ends its next word. */
static void will_read_word(const char *text, const char *set, bool skips, uint32_t site)
{
    size_t skipped = skips ? strspn(text, set) : 0;
    __heddle_will_read(text, skipped + strcspn(text + skipped, set) + 1, site);
}

/* End the word.  Returns where the next one may begin, NULL at the end of the text. */
static char *cut(char *end, uint32_t site)
{
    char nul = 0, now;
    hd_view_load(rt->cur, end, &now, 1);
    if (!now)
        return NULL;
    __heddle_store_n(end, &nul, 1, site);
    return end + 1;
}

char *strtok(char *text, const char *set)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!text)
        __heddle_load_n(&strtok_place, &text, sizeof text, site);
    if (!text)
        return NULL;
    __heddle_will_read_string(set, UINT64_MAX, site);
    will_read_word(text, set, true, site);
    char *word = text + strspn(text, set);
    char *end = word + strcspn(word, set), *rest = cut(end, site);
    rest = rest ? rest : end;
    __heddle_store_n(&strtok_place, &rest, sizeof rest, site);
    return end == word ? NULL : word;
}

char *strsep(char **place, const char *set)
{
    uint32_t site = hd_take_site();
    char *word;
    hd_rt_prepare();
    __heddle_load_n(place, &word, sizeof word, site);
    if (!word)
        return NULL;
    __heddle_will_read_string(set, UINT64_MAX, site);
    will_read_word(word, set, false, site);
    char *rest = cut(word + strcspn(word, set), site);
    __heddle_store_n(place, &rest, sizeof rest, site);
    return word;
}
