#include "compile/compile.h"

#include "base/fs.h"
#include "compile/build.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool hd_compile_is_input(const char *path)
{
    static const char *const others[] = { ".o", ".a", ".bc" };
    if (hd_driver_is_source(path))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(hd_fs_extension(path), others[i]) == 0)
            return true;
    return false;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define IGNORE_OPENMP "-Wno-source-uses-openmp"

static bool has_flag(const struct hd_compile_request *request, const char *flag)
{
    return request->flags && hd_strs_has(request->flags, flag);
}

/* clang has complained, or was told not to.  If that may be about OpenMP, say what heddle makes
 * of it. */
static void explain_openmp(const struct hd_compile_request *request, struct hd_err *err)
{
    if (has_flag(request, IGNORE_OPENMP))
        return;
    for (size_t i = 0; i < request->files->n; i++) {
        const char *path = request->files->items[i];
        struct hd_str text;
        struct hd_err unread;
        hd_str_init(&text);
        bool uses = hd_driver_is_source(path) && hd_fs_read(path, &text, &unread) == 0 &&
                    strstr(text.text, "#pragma omp ");
        hd_str_release(&text);
        if (uses) {
            hd_err_set(err,
                       "%s: heddle does not model OpenMP: --cc-flags " IGNORE_OPENMP
                       " checks the program without its directives",
                       path);
            return;
        }
    }
}

int hd_compile_program(const struct hd_compile_request *request, struct hd_compile_result *result,
                       struct hd_err *err)
{
    if (request->rewrite == NULL)
        hd_bug("hd_compile_program: the request has no rewrite (hd_instrument_program)");
    double begin = now();
    struct hd_strs argv;
    struct hd_driver driver;
    *result = (struct hd_compile_result){ 0 };
    err->text[0] = '\0';
    if (has_flag(request, "-w")) /* then clang says nothing of directives that it ignores */
        explain_openmp(request, err);
    if (err->text[0])
        return -1;
    hd_strs_init(&argv);
    hd_strs_add(&argv, "cc");
    hd_strs_add(&argv, "-Werror=source-uses-openmp"); /* not to be ignored without a word */
    if (request->flags)
        hd_strs_add_all(&argv, request->flags);
    hd_strs_add_all(&argv, request->files);
    hd_strs_add(&argv, "-o");
    result->program = hd_fs_join(request->directory, "program");
    hd_strs_add(&argv, result->program);

    int failed = hd_driver_init(&driver, (int)argv.n, argv.items, request->cxx, err);
    if (!failed && driver.mode != HD_DRIVER_LINK)
        failed = hd_err_set(err, "the compiler options must make an executable: remove -c, -E, "
                                 "-S, -shared or -r");
    if (!failed)
        failed = hd_build(&driver, request->directory, request->rewrite, err);
    hd_driver_release(&driver);
    hd_strs_release(&argv);
    if (failed) {
        if (!err->text[0])
            explain_openmp(request, err);
        free(result->program);
        result->program = NULL;
    }
    result->seconds = now() - begin;
    return failed;
}
