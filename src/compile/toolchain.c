#include "compile/toolchain.h"

#include "base/fs.h"
#include "base/run.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST 16

/* The N of "clang version N.x", 0 when the program says nothing of that kind. */
static unsigned clang_major(const char *path)
{
    char *argv[] = { (char *)path, "--version", NULL };
    struct hd_str out;
    struct hd_err ignored;
    hd_str_init(&out);
    unsigned major = 0;
    const char *words = "clang version ", *place;
    if (hd_run_output(argv, &out, NULL, &ignored) == 0 &&
        (place = strstr(out.text, words)) != NULL)
        major = (unsigned)strtoul(place + strlen(words), NULL, 10);
    hd_str_release(&out);
    return major;
}

static int accept(const char *path, unsigned wanted, struct hd_err *err)
{
    unsigned have = clang_major(path);
    if (have == 0)
        return hd_err_set(err,
                          "%s is not a clang: install the package clang-%u or set HEDDLE_CLANG",
                          path, wanted);
    if (have < OLDEST || have > wanted)
        return hd_err_set(err,
                          "%s is version %u, but heddle was built with LLVM %u: install the "
                          "package clang-%u or set HEDDLE_CLANG",
                          path, have, wanted, wanted);
    return 0;
}

static int find_clang(struct hd_toolchain *tools, struct hd_err *err)
{
    unsigned wanted = LLVM_VERSION_MAJOR;
    const char *chosen = getenv("HEDDLE_CLANG");
    if (chosen && chosen[0]) {
        tools->clang = hd_fs_which(chosen);
        if (tools->clang == NULL)
            return hd_err_set(err, "HEDDLE_CLANG is %s, which is no program: correct or unset it",
                              chosen);
        return accept(tools->clang, wanted, err);
    }
    char *versioned = hd_str_format("clang-%u", wanted);
    tools->clang = hd_fs_which(versioned);
    free(versioned);
    if (tools->clang)
        return 0;
    tools->clang = hd_fs_which("clang");
    if (tools->clang == NULL)
        return hd_err_set(err, "clang is missing: install the package clang-%u", wanted);
    return accept(tools->clang, wanted, err);
}

int hd_toolchain_init(struct hd_toolchain *tools, struct hd_err *err)
{
    *tools = (struct hd_toolchain){ 0 };
    tools->include = hd_fs_join(hd_fs_root(), "include");
    tools->runtime = hd_fs_join(hd_fs_root(), "lib/heddle/libheddle_rt.a");
    tools->cxx = hd_fs_join(hd_fs_root(), "lib/heddle/libheddle_cxx.a");
    return find_clang(tools, err);
}

void hd_toolchain_release(struct hd_toolchain *tools)
{
    free(tools->clang);
    free(tools->include);
    free(tools->runtime);
    free(tools->cxx);
    *tools = (struct hd_toolchain){ 0 };
}
