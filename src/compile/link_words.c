#include "compile/link_words.h"

#include "base/fs.h"
#include "base/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* One command of clang's account: words in quotes, with a backslash before special characters.
 * False: it is none. */
static bool split(const char *line, size_t n, struct hd_strs *words)
{
    struct hd_str word;
    const char *p = line, *end = line + n;
    bool closed = true;
    hd_str_init(&word);
    while (p < end && closed) {
        closed = false;
        if (end - p < 3 || p[0] != ' ' || p[1] != '"')
            break;
        hd_str_clear(&word);
        for (p += 2; p < end && *p != '"'; p++) {
            if (*p == '\\' && p + 1 < end)
                p++;
            hd_str_append_char(&word, *p);
        }
        if (p < end) {
            hd_strs_add(words, word.text);
            closed = true;
            p++;
        }
    }
    hd_str_release(&word);
    return closed && words->n > 0;
}

static size_t count(const struct hd_strs *words, const char *word)
{
    size_t n = 0;
    for (size_t i = 0; i < words->n; i++)
        n += strcmp(words->items[i], word) == 0;
    return n;
}

/* clang says who it is, and then a single command, the linker's.  False: anything else. */
static bool read_account(const char *said, struct hd_strs *words)
{
    bool found = false;
    for (const char *line = said; *line;) {
        size_t n = strcspn(line, "\n");
        if (*line == ' ') {
            if (found || !split(line, n, words))
                return false;
            found = true;
        }
        line += line[n] ? n + 1 : n;
    }
    return found && words->items[0][0] == '/' && access(words->items[0], X_OK) == 0 &&
           count(words, HD_LINK_OUTPUT) == 1 && count(words, HD_LINK_DIRECTORIES) == 1 &&
           count(words, HD_LINK_INPUTS) == 1;
}

static bool ask(const struct hd_toolchain *tools, bool cxx, struct hd_strs *words,
                bool *configured)
{
    char *argv[] = { tools->clang,
                     "-###",
                     "-pie",
                     "-o",
                     HD_LINK_OUTPUT,
                     HD_LINK_DIRECTORIES,
                     "-Xlinker",
                     HD_LINK_INPUTS,
                     "-pthread",
                     cxx ? "--driver-mode=g++" : NULL,
                     NULL };
    struct hd_str said;
    struct hd_err err;
    hd_str_init(&said);
    bool known = hd_run(argv, &said, &err) == 0 && !strstr(said.text, "warning: ") &&
                 read_account(said.text, words);
    *configured = strstr(said.text, "Configuration file:") != NULL;
    hd_str_release(&said);
    return known;
}

static void add_once(struct hd_strs *paths, const char *path)
{
    if (!hd_strs_has(paths, path))
        hd_strs_add(paths, path);
}

/* The place and the directories that it is in: what newly appears beside one of them may be
 * what clang would rather have taken, as a later version of gcc. */
static void add_place(struct hd_strs *paths, const char *path)
{
    char *rest = hd_strdup(path), *slash;
    add_once(paths, path);
    while ((slash = strrchr(rest, '/')) != NULL && slash != rest) {
        *slash = 0;
        add_once(paths, rest);
    }
    add_once(paths, "/");
    free(rest);
}

static void add_search_path(struct hd_strs *paths, const char *list)
{
    while (list && *list) {
        size_t n = strcspn(list, ":");
        char *directory = n ? hd_str_format("%.*s", (int)n, list) : hd_strdup(".");
        add_once(paths, directory);
        free(directory);
        list += list[n] ? n + 1 : n;
    }
}

/* Where clang looked: the distribution's name, the folders of libraries, its own folder and
 * what is beside it, where programs are, and all that the words name. */
static void list_places(struct hd_strs *paths, const struct hd_toolchain *tools,
                        const struct hd_strs *words)
{
    static const char *const always[] = { "/etc/os-release",     "/etc/lsb-release",
                                          "/etc/debian_version", "/usr/lib",
                                          "/usr/lib32",          "/usr/lib64",
                                          "/usr/libx32",         "/usr/lib/gcc" };
    static const char *const beside[] = { "", "/..", "/../lib", "/../lib/clang" };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add_once(paths, always[i]);
    char *clang = realpath(tools->clang, NULL), *folder = hd_fs_dir(clang ? clang : "");
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char *path = hd_str_format("%s%s", folder, beside[i]);
        add_once(paths, path);
        free(path);
    }
    free(folder);
    free(clang);
    add_search_path(paths, getenv("PATH"));
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->items[i];
        if (hd_str_starts(word, "-L/"))
            add_place(paths, word + 2);
        else if (word[0] == '/')
            add_place(paths, word);
    }
}

/* Returns when the latest change was. */
static int64_t look(const struct hd_strs *paths, struct hd_cache_digest *digest)
{
    struct hd_cache_key key;
    int64_t latest = 0;
    hd_cache_key_begin(&key, "places");
    for (size_t i = 0; i < paths->n; i++) {
        int64_t changed = hd_cache_key_place(&key, paths->items[i]);
        latest = changed > latest ? changed : latest;
    }
    *digest = hd_cache_key_end(&key);
    return latest;
}

static bool has_lines(const struct hd_strs *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        if (strchr(texts->items[i], '\n'))
            return true;
    return false;
}

/* An entry is how the places looked, and a line for each place and each word. */
static void keep(const struct hd_build_cache *cache, const struct hd_cache_digest *name,
                 const struct hd_strs *paths, const struct hd_strs *words, time_t begin)
{
    struct hd_cache_digest looked;
    struct hd_str entry;
    /* a change while clang looked, or so shortly before that the next one has the same time */
    if (look(paths, &looked) >= begin - 1 || has_lines(paths) || has_lines(words))
        return;
    hd_str_init(&entry);
    hd_str_append_bytes(&entry, looked.content, sizeof looked.content);
    for (size_t i = 0; i < paths->n; i++)
        hd_str_appendf(&entry, "P%s\n", paths->items[i]);
    for (size_t i = 0; i < words->n; i++)
        hd_str_appendf(&entry, "W%s\n", words->items[i]);
    hd_cache_put(&cache->store, name->content, entry.text, entry.length);
    hd_str_release(&entry);
}

static bool find(const struct hd_build_cache *cache, const struct hd_cache_digest *name,
                 struct hd_strs *words)
{
    struct hd_str entry;
    struct hd_strs paths;
    struct hd_cache_digest looked;
    hd_str_init(&entry);
    hd_strs_init(&paths);
    bool found = hd_cache_get(&cache->store, name->content, &entry) &&
                 entry.length > sizeof looked.content;
    for (char *line = found ? entry.text + sizeof looked.content : "", *end;
         (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        hd_strs_add(*line == 'P' ? &paths : words, line + 1);
    }
    if (found) {
        look(&paths, &looked);
        found = memcmp(looked.content, entry.text, sizeof looked.content) == 0;
    }
    hd_strs_release(&paths);
    hd_str_release(&entry);
    return found;
}

/* With these, clang looks in places that are not listed here. */
static bool has_own_places(void) { return getenv("COMPILER_PATH") || getenv("GCC_EXEC_PREFIX"); }

static struct hd_cache_digest name_of(const struct hd_build_cache *cache, bool cxx)
{
    struct hd_cache_key key;
    hd_cache_key_begin(&key, "linker");
    hd_cache_key_bytes(&key, cache->clang, sizeof cache->clang);
    hd_cache_key_text(&key, cxx ? "c++" : "c");
    hd_cache_key_text(&key, getenv("PATH"));
    hd_cache_key_text(&key, getenv("LIBRARY_PATH"));
    return hd_cache_key_end(&key);
}

bool hd_link_words(struct hd_build_cache *cache, const struct hd_toolchain *tools, bool cxx,
                   struct hd_strs *words)
{
    struct hd_cache_digest name = name_of(cache, cxx);
    bool stored = cache->store.folder >= 0 && !has_own_places(), configured;
    time_t begin = time(NULL);
    if (stored && find(cache, &name, words))
        return true;
    hd_strs_release(words);
    hd_strs_init(words);
    if (!ask(tools, cxx, words, &configured))
        return false;
    if (stored && !configured) {
        struct hd_strs paths;
        hd_strs_init(&paths);
        list_places(&paths, tools, words);
        keep(cache, &name, &paths, words, begin);
        hd_strs_release(&paths);
    }
    return true;
}
