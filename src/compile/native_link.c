#include "compile/native_link.h"

#include "base/progress.h"
#include "base/run.h"
#include "compile/link_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (96u << 10) /* of a command line; clang writes a longer one into a file */

/* The names that a linker's complaint quotes after `phrase`, once each. */
static void quoted_after(const char *text, const char *phrase, struct hd_strs *names)
{
    for (const char *p = text; (p = strstr(p, phrase)) != NULL;) {
        p += strlen(phrase);
        size_t n = strcspn(p, "'\n;");
        char *name = hd_str_format("%.*s", (int)n, p);
        if (n > 0 && !hd_strs_has(names, name))
            hd_strs_add(names, name);
        free(name);
    }
}

/* clang does not find the linker: `Executable "ld" doesn't exist!` */
static bool is_missing(const char *said, struct hd_err *err)
{
    static const char phrase[] = "unable to execute command: Executable \"";
    const char *name = strstr(said, phrase);
    if (name == NULL)
        return false;
    name += sizeof phrase - 1;
    hd_err_set(err, "the linker %.*s is missing: install the package binutils",
               (int)strcspn(name, "\"\n"), name);
    return true;
}

static int complain(const char *said, struct hd_err *err)
{
    static const struct {
        const char *phrase, *one, *remedy;
    } table[] = {
        { "undefined reference to `", "undefined symbol",
          "no input defines it; add the source "
          "file or library (-l) that does" },
        { "undefined symbol: ", "undefined symbol",
          "no input defines it; add the source file or "
          "library (-l) that does" },
        { "required symbol `", "undefined symbol",
          "no input defines it; add the source file or library (-l) that does" },
        { "multiple definition of `", "defined twice", "rename one, or drop one of the inputs" },
        { "cannot find ", "not found by the linker", "install it or add its directory with -L" },
    };
    if (is_missing(said, err))
        return -1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct hd_strs names;
        struct hd_str list;
        hd_strs_init(&names);
        hd_str_init(&list);
        quoted_after(said, table[i].phrase, &names);
        for (size_t k = 0; k < names.n && k < 8; k++)
            hd_str_appendf(&list, "%s%s", k ? ", " : "", names.items[k]);
        if (names.n > 8)
            hd_str_appendf(&list, " and %zu more", names.n - 8);
        size_t found = names.n;
        if (found)
            hd_err_set(err, "%s: %s: %s", table[i].one, list.text, table[i].remedy);
        hd_strs_release(&names);
        hd_str_release(&list);
        if (found)
            return -1;
    }
    fputs(said, stderr);
    return hd_err_set(err, "the linker failed (its message is above)");
}

/* The words of an option in the linker's language.  False: clang makes something else of it. */
static bool translate(const struct hd_strs *native, size_t *i, struct hd_strs *words)
{
    const char *text = native->items[*i];
    if (text[0] != '-' || hd_str_starts(text, "-l")) {
        hd_strs_add(words, text);
    } else if (hd_str_starts(text, "-Wl,")) {
        for (const char *p = text + 3; *p == ',';) {
            size_t n = strcspn(++p, ",");
            hd_strs_addf(words, "%.*s", (int)n, p);
            p += n;
        }
    } else if (*i + 1 < native->n && strcmp(text, "-Xlinker") == 0) {
        hd_strs_add(words, native->items[++*i]);
    } else if (*i + 1 < native->n && strcmp(text, "-z") == 0) {
        hd_strs_add(words, text);
        hd_strs_add(words, native->items[++*i]);
    } else {
        /* all programs are linked with threads, and export their symbols */
        return strcmp(text, "-pthread") == 0 || strcmp(text, "-rdynamic") == 0;
    }
    return true;
}

static void add_runtime(struct hd_strs *words, const struct hd_toolchain *tools)
{
    hd_strs_add(words, "--whole-archive");
    hd_strs_add(words, tools->runtime);
    hd_strs_add(words, "--no-whole-archive");
    hd_strs_add(words, "-ldl");
    hd_strs_add(words, "-z");
    hd_strs_add(words, "now");
    hd_strs_add(words, "--export-dynamic");
}

/* The linker's own command line.  False: clang has to write it. */
static bool own_command(const struct hd_link_request *req, const char *object,
                        const struct hd_strs *native, struct hd_strs *argv)
{
    const struct hd_driver *d = req->driver;
    struct hd_strs inputs, words;
    size_t bytes = 0;
    bool plain = d->mode == HD_DRIVER_LINK;
    hd_strs_init(&inputs);
    hd_strs_init(&words);
    hd_strs_add(&inputs, object);
    for (size_t i = 0; i < native->n && plain; i++)
        plain = translate(native, &i, &inputs);
    add_runtime(&inputs, req->tools);
    plain = plain && hd_link_words(req->cache, req->tools, hd_driver_is_cxx(d), &words);
    for (size_t i = 0; i < words.n && plain; i++) {
        if (strcmp(words.items[i], HD_LINK_OUTPUT) == 0)
            hd_strs_add(argv, req->output);
        else if (strcmp(words.items[i], HD_LINK_INPUTS) == 0)
            hd_strs_add_all(argv, &inputs);
        else if (strcmp(words.items[i], HD_LINK_DIRECTORIES) != 0)
            hd_strs_add(argv, words.items[i]);
        else
            for (size_t k = 0; k < d->library_dirs.n; k++)
                hd_strs_addf(argv, "-L%s", d->library_dirs.items[k]);
    }
    for (size_t i = 0; i < argv->n; i++)
        bytes += strlen(argv->items[i]) + 1 + sizeof(char *);
    hd_strs_release(&words);
    hd_strs_release(&inputs);
    return plain && bytes < MOST_BYTES;
}

/* clang's command line, for which it starts the linker. */
static void clang_command(const struct hd_link_request *req, const char *object,
                          const struct hd_strs *native, struct hd_strs *argv)
{
    const struct hd_driver *d = req->driver;
    struct hd_strs runtime;
    hd_strs_init(&runtime);
    hd_strs_add(argv, req->tools->clang);
    if (hd_driver_is_cxx(d))
        hd_strs_add(argv, "--driver-mode=g++");
    hd_strs_add(argv, d->mode == HD_DRIVER_SHARED ? "-shared" : "-pie");
    hd_strs_add(argv, "-o");
    hd_strs_add(argv, req->output);
    hd_strs_add(argv, object);
    for (size_t i = 0; i < d->library_dirs.n; i++)
        hd_strs_addf(argv, "-L%s", d->library_dirs.items[i]);
    hd_strs_add_all(argv, native);
    if (d->mode == HD_DRIVER_LINK)
        add_runtime(&runtime, req->tools);
    for (size_t i = 0; i < runtime.n; i++) {
        hd_strs_add(argv, "-Xlinker");
        hd_strs_add(argv, runtime.items[i]);
    }
    hd_strs_add(argv, "-pthread");
    hd_strs_release(&runtime);
}

int hd_native_link(const struct hd_link_request *req, const char *object,
                   const struct hd_strs *native, struct hd_err *err)
{
    struct hd_strs argv;
    struct hd_str said;
    hd_strs_init(&argv);
    hd_str_init(&said);
    hd_progress("linking");
    if (!own_command(req, object, native, &argv)) {
        hd_strs_release(&argv);
        hd_strs_init(&argv);
        clang_command(req, object, native, &argv);
    }
    int status = hd_run(argv.items, &said, err);
    hd_progress_end();
    if (status > 0)
        status = complain(said.text, err);
    else if (status == 0)
        fputs(said.text, stderr);
    hd_str_release(&said);
    hd_strs_release(&argv);
    return status;
}
