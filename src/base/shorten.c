#include "base/shorten.h"

#include <ctype.h>
#include <string.h>

enum { LONG = 48, LONG_INSIDE = 24, DEEPEST = 64 };

/* What is left out wherever it stands. */
static size_t noise(const char *at)
{
    static const char *const words[] = { "[abi:cxx11]", "__cxx11::", "__1::" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hd_str_starts(at, words[i]))
            return strlen(words[i]);
    return 0;
}

static bool is_default(const char *argument)
{
    static const char *const words[] = { "std::allocator<",
                                         "std::char_traits<",
                                         "std::less<",
                                         "std::hash<",
                                         "std::equal_to<",
                                         "std::default_delete<",
                                         "(__gnu_cxx::_Lock_policy)",
                                         "__gnu_cxx::_S_" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hd_str_starts(argument, words[i]))
            return true;
    return false;
}

/* Is the `<` part of an operator's name?  `begin` is where the text begins. */
static bool of_operator(const char *begin, const char *at)
{
    while (at > begin && strchr("<=>-", at[-1]))
        at--;
    return at - begin >= 8 && memcmp(at - 8, "operator", 8) == 0;
}

static const char *append_list(struct hd_str *out, const char *begin, const char *at, int depth);

/* Appends up to the comma or bracket that ends it, which is returned; NULL: brackets do not
 * match. */
static const char *append_part(struct hd_str *out, const char *begin, const char *at, int depth)
{
    int round = 0;
    while (*at) {
        size_t n = noise(at);
        if (n) {
            at += n;
            continue;
        }
        round += *at == '(' || *at == '{' ? 1 : *at == ')' || *at == '}' ? -1 : 0;
        bool plain = (*at == '<' || *at == '>') && of_operator(begin, at);
        if (!plain && *at == '<') {
            at = depth < DEEPEST ? append_list(out, begin, at, depth) : NULL;
            if (!at)
                return NULL;
        } else if (!plain && depth && round <= 0 && (*at == ',' || *at == '>')) {
            return at;
        } else if (!plain && *at == '>' && at > begin && at[-1] != '-') {
            return NULL;
        } else {
            hd_str_append_char(out, *at++);
        }
    }
    return depth ? NULL : at;
}

static void make_string(struct hd_str *out, size_t before)
{
    static const char name[] = "std::basic_string";
    size_t n = sizeof name - 1;
    if (before >= n && memcmp(out->text + before - n, name, n) == 0 &&
        hd_str_starts(out->text + before, "<char,…>")) {
        hd_str_cut(out, before - n);
        hd_str_append(out, "std::string");
    }
}

/* `at` is the opening bracket; what follows the closing one is returned. */
static const char *append_list(struct hd_str *out, const char *begin, const char *at, int depth)
{
    struct hd_str list, one;
    size_t before = out->length, first = 0, limit = depth ? LONG_INSIDE : LONG;
    bool left_out = false;
    hd_str_init(&list);
    hd_str_init(&one);
    do {
        at += 1 + strspn(at + 1, " ");
        hd_str_clear(&one);
        bool skip = is_default(at);
        at = append_part(&one, begin, at, depth + 1);
        if (!at)
            break;
        while (one.length && one.text[one.length - 1] == ' ')
            hd_str_cut(&one, one.length - 1);
        left_out |= skip;
        if (skip)
            continue;
        hd_str_appendf(&list, "%s%s", list.length ? ", " : "", one.text);
        first = first ? first : list.length;
    } while (*at == ',');
    if (at && list.length > limit && (depth || first > limit)) {
        hd_str_append(out, "<…>");
    } else if (at) {
        bool cut = list.length > limit && first < list.length;
        hd_str_append_char(out, '<');
        hd_str_append_bytes(out, list.text, cut ? first : list.length);
        hd_str_append(out, !(cut || left_out) ? ">" : list.length ? ",…>" : "…>");
        make_string(out, before);
    }
    hd_str_release(&list);
    hd_str_release(&one);
    return at ? at + 1 : NULL;
}

void hd_shorten(struct hd_str *out, const char *name)
{
    size_t before = out->length;
    if (!append_part(out, name, name, 0)) {
        hd_str_cut(out, before);
        hd_str_append(out, name);
    }
}
