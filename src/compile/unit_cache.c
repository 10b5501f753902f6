/* An object file by its preprocessed source.  The preprocessor runs each time and sees every
 * header, macro and __has_include as the compiler would: a header that newly hides another
 * one, and __DATE__, change its output.  The bytes of all files that it read are in the key,
 * too, because columns and comments are not in the output. */
#include "base/fs.h"
#include "base/run.h"
#include "compile/build_cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TARGET "heddle" /* in clang's list of files */
#define SMALL 16384     /* bytes of a source in C that is compiled each time */

int hd_build_cache_open(struct hd_build_cache *cache, const struct hd_toolchain *tools,
                        const char *directory, struct hd_err *err)
{
    struct hd_cache_key key;
    struct hd_cache_digest digest;
    *cache = (struct hd_build_cache){ .directory = directory };
    if (hd_cache_open(&cache->store, err) != 0)
        return -1;
    if (cache->store.folder < 0)
        return 0;
    hd_cache_key_begin(&key, "clang");
    bool known = hd_cache_key_clang(&key, tools);
    digest = hd_cache_key_end(&key);
    memcpy(cache->clang, digest.content, sizeof cache->clang);
    hd_cache_key_begin(&key, "tools");
    hd_cache_key_bytes(&key, cache->clang, sizeof cache->clang);
    known = hd_cache_key_heddle(&key, tools) && known;
    digest = hd_cache_key_end(&key);
    memcpy(cache->tools, digest.content, sizeof cache->tools);
    if (!known) {
        hd_cache_say(&cache->store, "nothing is cached: clang is no program of its own, or the "
                                    "environment makes it write more files");
        hd_cache_close(&cache->store);
    }
    return 0;
}

void hd_build_cache_close(struct hd_build_cache *cache) { hd_cache_close(&cache->store); }

/* How many words an option about dependencies takes; 0: it is another one. */
static size_t dependency_words(const char *option)
{
    static const char *const with[] = { "-MF", "-MT", "-MQ" };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (hd_str_starts(option, with[i]))
            return option[3] ? 1 : 2;
    return strcmp(option, "-MD") == 0 || strcmp(option, "-MMD") == 0 ||
           strcmp(option, "-MP") == 0;
}

/* What clang calls the file of dependencies. */
static void find_dependencies(struct hd_unit *unit)
{
    const struct hd_strs *argv = unit->argv;
    char *file = NULL;
    bool wanted = false;
    unit->listed = true;
    for (size_t i = 1; i < argv->n; i++) {
        const char *option = argv->items[i];
        wanted |= strcmp(option, "-MD") == 0 || strcmp(option, "-MMD") == 0;
        if (dependency_words(option) == 0)
            continue;
        unit->listed = false;
        if (hd_str_starts(option, "-MF") && (option[3] || i + 1 < argv->n)) {
            free(file);
            file = hd_strdup(option[3] ? option + 3 : argv->items[i + 1]);
        }
    }
    if (wanted && file == NULL) {
        const char *extension = hd_fs_extension(unit->output);
        int stem = (int)(strlen(unit->output) - strlen(extension));
        file = hd_str_format("%.*s.d", stem, unit->output);
    }
    unit->dependencies = wanted ? file : NULL;
    if (!wanted)
        free(file);
}

static void add_source(const struct hd_unit *unit, struct hd_strs *argv)
{
    if (unit->item->language) {
        hd_strs_add(argv, "-x");
        hd_strs_add(argv, unit->item->language);
    }
    hd_strs_add(argv, unit->item->text);
}

static void list_files(struct hd_strs *argv, const char *file)
{
    hd_strs_add(argv, "-MD");
    hd_strs_addf(argv, "-MF%s", file);
    hd_strs_add(argv, "-MT" TARGET);
}

static char *list_name(const struct hd_build_cache *cache)
{
    return hd_str_format("%s/files.d", cache->directory);
}

/* The list is a rule for make: `TARGET: FILE FILE \` with a backslash before special
 * characters and a doubled dollar sign. */
static void add_files(struct hd_cache_key *key, const char *rule)
{
    struct hd_str name;
    const char *p = strchr(rule, ':');
    hd_str_init(&name);
    for (p = p ? p + 1 : ""; *p; p++) {
        if (*p == '\\' && (p[1] == ' ' || p[1] == '#')) {
            hd_str_append_char(&name, *++p);
        } else if (*p == '$' && p[1] == '$') {
            hd_str_append_char(&name, *p++);
        } else if (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n')) {
            if (name.length)
                hd_cache_key_file(key, name.text, NULL);
            hd_str_clear(&name);
        } else {
            hd_str_append_char(&name, *p);
        }
    }
    if (name.length)
        hd_cache_key_file(key, name.text, NULL);
    hd_str_release(&name);
}

static struct hd_cache_digest digest_of_files(const char *rule)
{
    struct hd_cache_key key;
    hd_cache_key_begin(&key, "files");
    add_files(&key, rule);
    return hd_cache_key_end(&key);
}

/* clang's account of itself has the command line of its compiler.  The name of our directory is
 * another one each time. */
static void add_account(struct hd_cache_key *key, const struct hd_build_cache *cache,
                        const struct hd_str *said)
{
    size_t n = strlen(cache->directory);
    const char *p = said->text, *end = said->text + said->length, *at;
    for (; (at = memmem(p, (size_t)(end - p), cache->directory, n)) != NULL; p = at + n)
        hd_cache_key_bytes(key, p, (size_t)(at - p));
    hd_cache_key_bytes(key, p, (size_t)(end - p));
}

/* Something that reads or loads other files was chosen by a configuration, or by a precompiled
 * header beside a header. */
static bool says_more(const char *said)
{
    static const char *const words[] = {
        "Configuration file:", "-include-pch", "-fmodule",    "-fplugin",
        "\"-load\"",           " -load ",      "-ivfsoverlay"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(said, words[i]))
            return true;
    return false;
}

/* Runs the preprocessor and sets the key.  False: there is none. */
static bool preprocess(struct hd_unit *unit, const struct hd_build_cache *cache,
                       struct hd_cache_digest *digest, struct hd_str *files)
{
    struct hd_strs argv;
    struct hd_str text, said;
    struct hd_err err;
    struct hd_cache_key key;
    char *list = list_name(cache);
    hd_strs_init(&argv);
    hd_str_init(&text);
    hd_str_init(&said);
    hd_str_clear(files);
    for (size_t i = 0, n; i < unit->argv->n; i += n ? n : 1)
        if ((n = i ? dependency_words(unit->argv->items[i]) : 0) == 0)
            hd_strs_add(&argv, unit->argv->items[i]);
    hd_strs_add(&argv, "-v");
    hd_strs_add(&argv, "-E");
    list_files(&argv, list);
    add_source(unit, &argv);
    bool known = hd_run_output(argv.items, &text, &said, &err) == 0 &&
                 hd_fs_read(list, files, &err) == 0 && strlen(files->text) == files->length &&
                 !says_more(said.text);
    if (known) {
        struct hd_cache_digest read = digest_of_files(files->text);
        hd_cache_key_begin(&key, "object");
        hd_cache_key_bytes(&key, cache->tools, sizeof cache->tools);
        hd_cache_key_texts(&key, unit->argv);
        hd_cache_key_text(&key, unit->item->language);
        hd_cache_key_text(&key, unit->item->text);
        hd_cache_key_text(&key, unit->driver->mode == HD_DRIVER_COMPILE ? "native" : "bitcode");
        hd_cache_key_text(&key, unit->dependencies ? unit->output : NULL);
        add_account(&key, cache, &said);
        hd_cache_key_bytes(&key, text.text, text.length);
        hd_cache_key_bytes(&key, files->text, files->length);
        hd_cache_key_bytes(&key, read.content, sizeof read.content);
        *digest = hd_cache_key_end(&key);
        memcpy(digest->stamp, read.stamp, sizeof digest->stamp);
        unit->read = read;
    }
    hd_strs_release(&argv);
    hd_str_release(&text);
    hd_str_release(&said);
    free(list);
    return known;
}

/* An entry is the length of the file of dependencies, that file, the object. */
static bool unpack(const struct hd_unit *unit, const struct hd_str *entry)
{
    uint64_t n;
    struct hd_err err;
    if (entry->length < sizeof n)
        return false;
    memcpy(&n, entry->text, sizeof n);
    if (n > entry->length - sizeof n)
        return false;
    const char *dependencies = entry->text + sizeof n;
    if (unit->dependencies && hd_fs_write(unit->dependencies, dependencies, n, &err) != 0)
        return false;
    return hd_fs_write(unit->output, dependencies + n, entry->length - sizeof n - n, &err) == 0;
}

/* To compile a small file takes hardly longer than to run the preprocessor.  The program is
 * found by the bitcode. */
static bool is_small(const struct hd_unit *unit)
{
    struct stat st;
    return !hd_driver_is_cxx(unit->driver) && stat(unit->item->text, &st) == 0 &&
           st.st_size < SMALL;
}

bool hd_unit_find(struct hd_unit *unit, struct hd_build_cache *cache)
{
    const char *option = hd_unit_unknown_option(&unit->driver->compile_flags);
    hd_str_init(&unit->files);
    if (cache->store.folder < 0 || unit->item->kind != HD_ITEM_SOURCE)
        return false;
    if (is_small(unit)) {
        hd_cache_say(&cache->store, "object %s: small", unit->item->text);
        return false;
    }
    if (option || strcmp(unit->item->text, "-") == 0) {
        hd_cache_say(&cache->store, "object %s: not cached, because of %s", unit->item->text,
                     option ? option : "stdin");
        return false;
    }
    find_dependencies(unit);
    unit->known = preprocess(unit, cache, &unit->digest, &unit->files);
    if (!unit->known) {
        hd_cache_say(&cache->store, "object %s: not cached", unit->item->text);
        return false;
    }
    struct hd_str entry;
    hd_str_init(&entry);
    bool found = hd_cache_get(&cache->store, unit->digest.content, &entry) &&
                 unpack(unit, &entry);
    hd_str_release(&entry);
    if (found)
        hd_cache_say(&cache->store, "object %s: found", unit->item->text);
    return found;
}

void hd_unit_argv(struct hd_unit *unit, const struct hd_build_cache *cache, struct hd_strs *argv)
{
    char *list = list_name(cache);
    if (unit->known && unit->listed)
        list_files(argv, list);
    free(list);
}

/* Was the object made of what the preprocessor saw?  clang's list of what it read is the same,
 * and these files did not change.  Where the options ask for a list of their own, the
 * preprocessor runs again instead. */
static bool is_unchanged(struct hd_unit *unit, const struct hd_build_cache *cache)
{
    struct hd_str files;
    struct hd_err err;
    struct hd_cache_digest before = unit->read, after;
    char *list = list_name(cache);
    bool same;
    hd_str_init(&files);
    if (unit->listed) {
        same = hd_fs_read(list, &files, &err) == 0;
        after = digest_of_files(files.text);
        same = same && hd_cache_digest_same(&before, &after);
    } else {
        same = preprocess(unit, cache, &after, &files) &&
               hd_cache_digest_same(&unit->digest, &after);
    }
    same = same && files.length == unit->files.length &&
           memcmp(files.text, unit->files.text, files.length) == 0;
    hd_str_release(&files);
    free(list);
    return same;
}

void hd_unit_keep(struct hd_unit *unit, struct hd_build_cache *cache)
{
    struct hd_str dependencies, entry;
    struct hd_err err;
    const char *name = unit->item->text;
    if (!unit->known)
        return;
    hd_str_init(&dependencies);
    hd_str_init(&entry);
    if (unit->dependencies && hd_fs_read(unit->dependencies, &dependencies, &err) != 0) {
        hd_cache_say(&cache->store, "object %s: not cached: %s", name, err.text);
    } else if (!is_unchanged(unit, cache)) {
        hd_cache_say(&cache->store, "object %s: not cached: a file has changed", name);
    } else {
        uint64_t n = dependencies.length;
        hd_str_append_bytes(&entry, &n, sizeof n);
        hd_str_append_bytes(&entry, dependencies.text, dependencies.length);
        bool stored = hd_fs_is_file(unit->output) &&
                      hd_fs_read(unit->output, &entry, &err) == 0 &&
                      hd_cache_put(&cache->store, unit->digest.content, entry.text, entry.length);
        hd_cache_say(&cache->store, "object %s: %s", name, stored ? "stored" : "not stored");
    }
    hd_str_release(&dependencies);
    hd_str_release(&entry);
}

void hd_unit_release(struct hd_unit *unit)
{
    hd_str_release(&unit->files);
    free(unit->dependencies);
    unit->dependencies = NULL;
}
