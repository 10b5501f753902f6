#include "compile/native_names.h"

#include "base/fs.h"
#include "compile/elf.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *text, size_t n, const char *const *list, size_t n_list)
{
    for (size_t i = 0; i < n_list; i++)
        if (strlen(list[i]) == n && strncmp(text, list[i], n) == 0)
            return true;
    return false;
}

/* Where names go, and the program whose declarations are marked. */
struct sink {
    struct hd_strmap *names;
    LLVMModuleRef program;
};

/* The program only declares the function: notes where it is defined. */
static void mark(LLVMModuleRef program, const char *function, const char *path)
{
    LLVMValueRef f = LLVMGetNamedFunction(program, function);
    const unsigned n = sizeof HD_DEFINED_IN - 1;
    if (f == NULL || !LLVMIsDeclaration(f) ||
        LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      HD_DEFINED_IN, n))
        return;
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(LLVMGetModuleContext(program),
                                                      HD_DEFINED_IN, n, file,
                                                      (unsigned)strlen(file)));
}

static void add_all(const struct sink *to, const struct hd_symbols *symbols, const char *path)
{
    const struct hd_strs *lists[] = { &symbols->strong, &symbols->weak, &symbols->wanted };
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k]->n; i++) {
            *hd_strmap_put(to->names, lists[k]->items[i]) = 1;
            if (lists[k] != &symbols->wanted)
                mark(to->program, lists[k]->items[i], path);
        }
}

/* The libraries of the compiler call no function by a name that a program may define, but for
 * those of the heap, which heddle's runtime defines. */
static bool is_of_compiler(const char *library)
{
    static const char *const list[] = { "pthread", "m",   "dl",    "rt",     "c",
                                        "stdc++",  "gcc", "gcc_s", "atomic", "util" };
    return is_among(library, strlen(library), list, sizeof list / sizeof *list);
}

static bool add_shared(const char *path, const struct sink *to)
{
    struct hd_str text;
    struct hd_err err;
    hd_str_init(&text);
    bool known = hd_fs_exists(path) && hd_fs_read(path, &text, &err) == 0 &&
                 hd_elf_is_shared(text.text, text.length);
    if (known) {
        struct hd_symbols symbols;
        hd_symbols_init(&symbols);
        hd_elf_symbols(text.text, text.length, &symbols);
        add_all(to, &symbols, path);
        hd_symbols_release(&symbols);
    }
    hd_str_release(&text);
    return known;
}

static const char *const directories[] = { "/usr/local/lib",
                                           "/usr/lib/x86_64-linux-gnu",
                                           "/usr/lib/aarch64-linux-gnu",
                                           "/usr/lib64",
                                           "/usr/lib",
                                           "/lib" };

/* Where gcc has its own, as libgomp; the first that there is. */
static char *of_gcc(const char *library)
{
    char *pattern = hd_str_format("/usr/lib/gcc/*/*/lib%s.so", library), *path = NULL;
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        path = hd_str_format("%s", found.gl_pathv[0]);
        globfree(&found);
    }
    free(pattern);
    return path;
}

/* A library of the system.  Those in directories of -L are objects of the resolver. */
static bool add_library(const char *library, const struct sink *to)
{
    bool found = is_of_compiler(library);
    for (size_t i = 0; !found && i < sizeof directories / sizeof *directories; i++) {
        char *path = hd_str_format("%s/lib%s.so", directories[i], library);
        found = add_shared(path, to);
        free(path);
    }
    char *path = found ? NULL : of_gcc(library);
    found = found || (path && add_shared(path, to));
    free(path);
    return found;
}

static bool is_harmless_word(const char *word, size_t n)
{
    static const char *const list[] = {
        "--as-needed",
        "--no-as-needed",
        "--whole-archive",
        "--no-whole-archive",
        "--start-group",
        "--end-group",
        "--gc-sections",
        "--export-dynamic",
        "--push-state",
        "--pop-state",
        "-Bsymbolic-functions",
        "-Bstatic",
        "-Bdynamic",
        "--no-undefined",
        "--enable-new-dtags",
        "--disable-new-dtags",
        "-E",
        "--build-id",
        "--no-allow-shlib-undefined",
    };
    return (n > 2 && strncmp(word, "-O", 2) == 0) ||
           is_among(word, n, list, sizeof list / sizeof *list);
}

static bool is_harmless(const char *option)
{
    static const char *const list[] = { "-pthread",       "-z",
                                        "-rpath",         "-rdynamic",
                                        "-static-libgcc", "-static-libstdc++" };
    if (hd_str_starts(option, "-fuse-ld=") || hd_str_starts(option, "-Wl,-rpath") ||
        hd_str_starts(option, "-Wl,-z,") || hd_str_starts(option, "-Wl,-soname"))
        return strchr(option, ',') == NULL || strstr(option + 4, ",-") == NULL;
    if (!hd_str_starts(option, "-Wl,"))
        return is_among(option, strlen(option), list, sizeof list / sizeof *list);
    for (const char *word = option + 3; *word == ',';) {
        size_t n = strcspn(++word, ",");
        if (!is_harmless_word(word, n))
            return false;
        word += n;
    }
    return true;
}

/* Is the item the argument of an option that names nothing? */
static bool is_argument(const struct hd_driver *d, size_t i)
{
    return i > 0 && d->items[i - 1].kind == HD_ITEM_FLAG &&
           (strcmp(d->items[i - 1].text, "-z") == 0 ||
            strcmp(d->items[i - 1].text, "-rpath") == 0);
}

static bool looks_names_up(LLVMModuleRef program)
{
    static const char *const list[] = { "dlopen", "dlmopen", "dlsym", "dlvsym" };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (LLVMGetNamedFunction(program, list[i]))
            return true;
    return false;
}

static bool is_object(const struct hd_driver *d, const char *library)
{
    for (size_t i = 0; i < d->library_dirs.n; i++) {
        char *shared = hd_str_format("%s/lib%s.so", d->library_dirs.items[i], library);
        char *archive = hd_str_format("%s/lib%s.a", d->library_dirs.items[i], library);
        bool exists = hd_fs_exists(shared) || hd_fs_exists(archive);
        free(shared);
        free(archive);
        if (exists)
            return true;
    }
    return false;
}

bool hd_native_names(const struct hd_resolver *resolver, const struct hd_driver *driver,
                     LLVMModuleRef program, struct hd_strmap *names)
{
    const struct sink to = { names, program };
    for (size_t i = 0; i < resolver->n; i++)
        if (resolver->objects[i].native)
            add_all(&to, &resolver->objects[i].symbols, resolver->objects[i].name);
    for (size_t i = 0; i < driver->n_items; i++) {
        const struct hd_item *item = &driver->items[i];
        if (item->kind == HD_ITEM_LIBRARY && !is_object(driver, item->text) &&
            !add_library(item->text, &to))
            return false;
        if (item->kind == HD_ITEM_FLAG && !is_argument(driver, i) && !is_harmless(item->text))
            return false;
    }
    return !looks_names_up(program);
}

void hd_native_libraries(const struct hd_driver *driver, struct hd_strs *paths)
{
    for (size_t i = 0; i < driver->n_items; i++) {
        const struct hd_item *item = &driver->items[i];
        if (item->kind != HD_ITEM_LIBRARY || is_of_compiler(item->text))
            continue;
        for (size_t k = 0; k < sizeof directories / sizeof *directories; k++)
            hd_strs_addf(paths, "%s/lib%s.so", directories[k], item->text);
        char *path = of_gcc(item->text);
        if (path)
            hd_strs_add(paths, path);
        free(path);
    }
}
