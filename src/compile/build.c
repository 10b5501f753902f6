#include "compile/build.h"

#include "base/fs.h"
#include "base/run.h"
#include "compile/build_cache.h"
#include "compile/directories.h"
#include "compile/elf.h"
#include "compile/link.h"
#include "compile/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SMALLEST_LIMIT (4u << 20) /* bytes of a file; a small program has half of that */

/* Compiler options for exploration: nothing is optimised before it is instrumented, yet
 * functions may be optimised afterwards; variables keep their names; locals have a value that
 * does not depend on earlier calls; paths are as the user typed them. */
static const char *const shape[] = {
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fno-discard-value-names",
    "-fno-omit-frame-pointer",
    "-ftrivial-auto-var-init=zero",
    "-fdebug-compilation-dir=.",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=0",
    "-D__HEDDLE__",
    "-D__NO_INLINE__",
    /* C++: check preconditions of the library; strings become code of the program by it */
    "-D_GLIBCXX_ASSERTIONS",
    "-Qunused-arguments",
};

static void own_flags(struct hd_strs *argv, const struct hd_toolchain *tools)
{
    hd_strs_addf(argv, "-I%s", tools->include);
    hd_strs_addf(argv, "-ffile-prefix-map=%s=heddle", tools->include);
    hd_strs_addf(argv, "-ffile-prefix-map=%s/heddle=heddle", tools->include);
}

static void begin_argv(struct hd_strs *argv, const struct hd_toolchain *tools,
                       const struct hd_driver *d)
{
    hd_strs_init(argv);
    hd_strs_add(argv, tools->clang);
    if (d->cxx)
        hd_strs_add(argv, "--driver-mode=g++");
}

static int run(const struct hd_strs *argv, struct hd_str *said, struct hd_err *err)
{
    int status = hd_run(argv->items, said, err);
    if (status > 0) {
        err->text[0] = 0;
        return -1;
    }
    return status;
}

/* clang names the dependency file after its output, which is a temporary one when linking. */
static void name_dependencies(struct hd_strs *argv, const struct hd_driver *d,
                              const struct hd_item *item)
{
    const struct hd_strs *flags = &d->compile_flags;
    bool wanted = false;
    for (size_t i = 0; i < flags->n; i++) {
        wanted |= strcmp(flags->items[i], "-MD") == 0 || strcmp(flags->items[i], "-MMD") == 0;
        if (hd_str_starts(flags->items[i], "-MF"))
            return;
    }
    if (!wanted)
        return;
    char *dependencies = hd_fs_with_extension(item->text, ".d");
    char *object = hd_fs_with_extension(item->text, ".o");
    hd_strs_addf(argv, "-MF%s", dependencies);
    hd_strs_addf(argv, "-MT%s", object);
    free(dependencies);
    free(object);
}

/* clang embeds bitcode under a name that plugins of ar and nm look for, and complain about when
 * they are older than this clang. */
static int rename_bitcode(const char *path, struct hd_err *err)
{
    static const char old[] = ".llvmbc", name[] = HD_SECTION_BITCODE;
    _Static_assert(sizeof old == sizeof name, "the new name takes the place of the old");
    struct hd_str text;
    if (!hd_fs_is_file(path))
        return 0; /* /dev/null */
    hd_str_init(&text);
    int failed = hd_fs_read(path, &text, err);
    size_t at = failed ? 0 : hd_elf_name_of_section(text.text, text.length, old);
    if (at) {
        memcpy(text.text + at, name, sizeof name);
        failed = hd_fs_write(path, text.text, text.length, err);
    }
    hd_str_release(&text);
    return failed;
}

/* All but -c, -o and the source. */
static int compiler_argv(struct hd_strs *argv, const struct hd_toolchain *tools,
                         const struct hd_driver *d, const struct hd_item *item,
                         struct hd_err *err)
{
    begin_argv(argv, tools, d);
    /* g++ only warns of "%"PRIu64 in C++11; options of the user come later and count */
    hd_strs_add(argv, "-Wno-error=reserved-user-defined-literal");
    hd_strs_add(argv, "-Wsource-uses-openmp"); /* directives that are ignored are named */
    hd_strs_add(argv, "-Wno-error=source-uses-openmp");
    hd_strs_add_all(argv, &d->compile_flags);
    if (item->kind == HD_ITEM_SOURCE) {
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
            hd_strs_add(argv, shape[i]);
        if (d->unoptimised)
            hd_strs_add(argv, "-U__OPTIMIZE__");
        own_flags(argv, tools);
        if (d->mode == HD_DRIVER_COMPILE && hd_directories_flag(argv, err) != 0)
            return -1;
        if (d->mode == HD_DRIVER_COMPILE) {
            hd_strs_add(argv, "-Xclang");
            hd_strs_add(argv, "-fembed-bitcode=all");
        } else {
            hd_strs_add(argv, "-emit-llvm");
        }
    }
    if (d->mode != HD_DRIVER_COMPILE)
        name_dependencies(argv, d, item);
    return 0;
}

/* Runs clang, and stores what it makes without a word: a warning is to appear each time. */
static int make_unit(struct hd_unit *unit, struct hd_build_cache *cache, struct hd_strs *argv,
                     struct hd_err *err)
{
    struct hd_str said;
    const struct hd_item *item = unit->item;
    hd_str_init(&said);
    if (unit->known && isatty(STDERR_FILENO))
        hd_strs_add(argv, "-fcolor-diagnostics"); /* clang does not see the terminal */
    hd_unit_argv(unit, cache, argv);
    hd_strs_add(argv, "-c");
    hd_strs_add(argv, "-o");
    hd_strs_add(argv, unit->output);
    if (item->language) {
        hd_strs_add(argv, "-x");
        hd_strs_add(argv, item->language);
    }
    hd_strs_add(argv, item->text);
    int failed = run(argv, unit->known ? &said : NULL, err);
    fputs(said.text, stderr);
    if (!failed && unit->driver->mode == HD_DRIVER_COMPILE)
        failed = rename_bitcode(unit->output, err);
    if (!failed && said.length == 0)
        hd_unit_keep(unit, cache);
    else if (unit->known)
        hd_cache_say(&cache->store, "object %s: not cached: clang complains", item->text);
    hd_str_release(&said);
    return failed;
}

static int compile(const struct hd_toolchain *tools, const struct hd_driver *d,
                   const struct hd_item *item, const char *output, struct hd_build_cache *cache,
                   struct hd_err *err)
{
    if (strcmp(item->text, "-") != 0 && !hd_fs_exists(item->text))
        return hd_err_set(err, "%s: no such file", item->text);
    struct hd_strs argv, more;
    struct hd_unit unit = { .driver = d, .item = item, .argv = &argv, .output = output };
    int failed = compiler_argv(&argv, tools, d, item, err);
    if (!failed && !hd_unit_find(&unit, cache)) {
        hd_strs_init(&more);
        hd_strs_add_all(&more, &argv);
        failed = make_unit(&unit, cache, &more, err);
        hd_strs_release(&more);
    }
    hd_unit_release(&unit);
    hd_strs_release(&argv);
    return failed;
}

static bool is_compiled(const struct hd_item *item)
{
    return item->kind == HD_ITEM_SOURCE || item->kind == HD_ITEM_ASSEMBLY;
}

static int compile_only(const struct hd_toolchain *tools, const struct hd_driver *d,
                        struct hd_build_cache *cache, struct hd_err *err)
{
    size_t sources = 0;
    for (size_t i = 0; i < d->n_items; i++)
        sources += is_compiled(&d->items[i]);
    if (sources > 1 && d->output)
        return hd_err_set(err,
                          "-o %s with -c and %zu source files: leave -o out, or compile "
                          "them one by one",
                          d->output, sources);
    for (size_t i = 0; i < d->n_items; i++) {
        const struct hd_item *item = &d->items[i];
        if (!is_compiled(item))
            continue;
        char *output = d->output ? hd_strdup(d->output) : hd_fs_with_extension(item->text, ".o");
        int failed = compile(tools, d, item, output, cache, err);
        free(output);
        if (failed)
            return -1;
    }
    return 0;
}

static int compile_and_link(const struct hd_toolchain *tools, const struct hd_driver *d,
                            struct hd_build_cache *cache, hd_rewrite_fn rewrite,
                            struct hd_err *err)
{
    char **compiled = hd_alloc((d->n_items + 1) * sizeof *compiled);
    int failed = 0;
    for (size_t i = 0; i < d->n_items && !failed; i++) {
        if (!is_compiled(&d->items[i]))
            continue;
        compiled[i] = hd_str_format("%s/unit%zu.o", cache->directory, i);
        failed = compile(tools, d, &d->items[i], compiled[i], cache, err);
    }
    if (!failed) {
        const char *standard = d->mode == HD_DRIVER_LINK ? "a.out" : "a.so";
        struct hd_link_request request = {
            .tools = tools,
            .driver = d,
            .compiled = compiled,
            .directory = cache->directory,
            .output = d->output ? d->output : standard,
            .rewrite = rewrite,
            .cache = cache,
        };
        failed = hd_link(&request, err);
    }
    for (size_t i = 0; i < d->n_items; i++)
        free(compiled[i]);
    free(compiled);
    return failed;
}

static int pass(const struct hd_toolchain *tools, const struct hd_driver *d, struct hd_err *err)
{
    struct hd_strs argv;
    begin_argv(&argv, tools, d);
    hd_strs_add_all(&argv, &d->passed);
    hd_strs_add(&argv, "-Qunused-arguments");
    hd_strs_add(&argv, "-D__HEDDLE__");
    hd_strs_addf(&argv, "-I%s", tools->include);
    int failed = run(&argv, NULL, err);
    hd_strs_release(&argv);
    return failed;
}

/* The compiler does not say what is wrong when it may not write its files. */
static int room_for_files(struct hd_err *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= SMALLEST_LIMIT)
        return 0;
    return hd_err_set(err,
                      "files may have at most %llu bytes (ulimit -f), too few for a program: "
                      "raise the limit to %u MiB or more",
                      (unsigned long long)limit.rlim_cur, SMALLEST_LIMIT >> 20);
}

int hd_build(const struct hd_driver *driver, const char *directory, hd_rewrite_fn rewrite,
             struct hd_err *err)
{
    struct hd_toolchain tools;
    struct hd_build_cache cache;
    if (room_for_files(err) != 0)
        return -1;
    int failed = hd_toolchain_init(&tools, err);
    if (!failed && driver->mode == HD_DRIVER_PASS) {
        failed = pass(&tools, driver, err);
    } else if (!failed && (failed = hd_build_cache_open(&cache, &tools, directory, err)) == 0) {
        failed = driver->mode == HD_DRIVER_COMPILE
                     ? compile_only(&tools, driver, &cache, err)
                     : compile_and_link(&tools, driver, &cache, rewrite, err);
        hd_build_cache_close(&cache);
    }
    hd_toolchain_release(&tools);
    return failed;
}
