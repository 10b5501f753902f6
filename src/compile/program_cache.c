/* The instrumented object of a program by all that is read to make it: the inputs, the
 * libraries whose symbols are looked up, the command line. */
#include "base/fs.h"
#include "compile/ar.h"
#include "compile/build_cache.h"
#include "compile/library.h"
#include "compile/link.h"
#include "compile/native_names.h"

#include <stdlib.h>
#include <string.h>

/* False for a thin archive, which names other files. */
static bool add_file(struct hd_cache_key *key, const char *path)
{
    struct hd_str text;
    hd_str_init(&text);
    hd_cache_key_file(key, path, &text);
    bool whole = !hd_str_starts(text.text, "!<thin>");
    hd_str_release(&text);
    return whole;
}

static bool add_item(struct hd_cache_key *key, const struct hd_link_request *request, size_t i)
{
    const struct hd_item *item = &request->driver->items[i];
    uint64_t kind = item->kind;
    struct hd_str text;
    bool whole = true;
    hd_cache_key_bytes(key, &kind, sizeof kind);
    hd_cache_key_text(key, item->text);
    if (request->compiled[i]) { /* in a directory whose name is another one each time */
        struct hd_err err;
        hd_str_init(&text);
        whole = hd_fs_read(request->compiled[i], &text, &err) == 0;
        hd_cache_key_bytes(key, text.text, text.length);
        hd_str_release(&text);
    } else if (item->kind == HD_ITEM_FILE) {
        whole = add_file(key, item->text);
    } else if (item->kind == HD_ITEM_LIBRARY) {
        char *path = hd_library_find(request->driver, item->text);
        hd_cache_key_text(key, path);
        whole = path == NULL || add_file(key, path);
        free(path);
    }
    return whole;
}

static bool make_digest(struct hd_cache_digest *digest, const struct hd_build_cache *cache,
                        const struct hd_link_request *request)
{
    const struct hd_driver *d = request->driver;
    struct hd_cache_key key;
    struct hd_strs libraries;
    bool whole = true;
    hd_cache_key_begin(&key, "program");
    hd_cache_key_bytes(&key, cache->tools, sizeof cache->tools);
    hd_cache_key_text(&key, d->cxx ? "c++" : "c");
    hd_cache_key_text(&key, d->analysis);
    hd_cache_key_texts(&key, &d->library_dirs);
    for (size_t i = 0; i < d->n_items && whole; i++) {
        hd_cache_key_text(&key, d->items[i].language);
        whole = add_item(&key, request, i);
    }
    hd_strs_init(&libraries);
    hd_native_libraries(d, &libraries);
    for (size_t i = 0; i < libraries.n; i++)
        hd_cache_key_file(&key, libraries.items[i], NULL);
    hd_strs_release(&libraries);
    *digest = hd_cache_key_end(&key);
    return whole;
}

/* An entry is a line per argument, an empty line, the object.  In arguments a first `D` stands
 * for the directory of intermediate files, a first `A` for nothing. */
static void pack(struct hd_str *entry, const struct hd_strs *arguments, const char *directory)
{
    for (size_t i = 0; i < arguments->n; i++) {
        const char *text = arguments->items[i];
        bool inside = hd_str_starts(text, directory);
        hd_str_appendf(entry, "%c%s\n", inside ? 'D' : 'A',
                       inside ? text + strlen(directory) : text);
    }
    hd_str_append_char(entry, '\n');
}

static bool unpack(const struct hd_str *entry, const char *directory, const char *object,
                   struct hd_strs *arguments)
{
    struct hd_err err;
    const char *p = entry->text, *end = entry->text + entry->length;
    while (p < end && *p != '\n') {
        const char *line = memchr(p, '\n', (size_t)(end - p));
        if (line == NULL)
            return false;
        hd_strs_addf(arguments, "%s%.*s", *p == 'D' ? directory : "", (int)(line - p - 1), p + 1);
        p = line + 1;
    }
    return p < end && hd_fs_write(object, p + 1, (size_t)(end - p - 1), &err) == 0;
}

bool hd_program_find(struct hd_program_entry *entry, struct hd_build_cache *cache,
                     const struct hd_link_request *request, const char *object,
                     struct hd_strs *arguments)
{
    struct hd_str bytes;
    *entry = (struct hd_program_entry){ 0 };
    if (cache->store.folder < 0)
        return false;
    entry->known = make_digest(&entry->digest, cache, request);
    if (!entry->known) {
        hd_cache_say(&cache->store, "program %s: not cached", request->output);
        return false;
    }
    hd_str_init(&bytes);
    bool found = hd_cache_get(&cache->store, entry->digest.content, &bytes) &&
                 unpack(&bytes, request->directory, object, arguments);
    hd_str_release(&bytes);
    if (found) {
        hd_cache_say(&cache->store, "program %s: found", request->output);
    } else {
        hd_strs_release(arguments);
        hd_strs_init(arguments);
    }
    return found;
}

static bool has_lines(const struct hd_strs *arguments)
{
    for (size_t i = 0; i < arguments->n; i++)
        if (strchr(arguments->items[i], '\n'))
            return true;
    return false;
}

void hd_program_keep(const struct hd_program_entry *entry, struct hd_build_cache *cache,
                     const struct hd_link_request *request, const char *object,
                     const struct hd_strs *arguments)
{
    struct hd_cache_digest after;
    struct hd_str bytes;
    struct hd_err err;
    if (!entry->known || has_lines(arguments))
        return;
    if (!make_digest(&after, cache, request) || !hd_cache_digest_same(&entry->digest, &after)) {
        hd_cache_say(&cache->store, "program %s: not cached: a file has changed",
                     request->output);
        return;
    }
    hd_str_init(&bytes);
    pack(&bytes, arguments, request->directory);
    bool stored = hd_fs_read(object, &bytes, &err) == 0 &&
                  hd_cache_put(&cache->store, entry->digest.content, bytes.text, bytes.length);
    hd_cache_say(&cache->store, "program %s: %s", request->output,
                 stored ? "stored" : "not stored");
    hd_str_release(&bytes);
}
