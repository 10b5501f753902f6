/* The tools are known by place, size and time of change of their files, which are too large to
 * be hashed for each small program. */
#include "base/fs.h"
#include "base/run.h"
#include "base/version.h"
#include "compile/cache_key.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

int64_t hd_cache_key_place(struct hd_cache_key *key, const char *path)
{
    struct stat st = { 0 };
    bool there = stat(path, &st) == 0;
    uint64_t identity[] = { there,
                            st.st_dev,
                            st.st_ino,
                            (uint64_t)st.st_size,
                            (uint64_t)st.st_mtim.tv_sec,
                            (uint64_t)st.st_mtim.tv_nsec,
                            (uint64_t)st.st_ctim.tv_sec,
                            (uint64_t)st.st_ctim.tv_nsec };
    hd_cache_key_text(key, path);
    hd_cache_key_bytes(key, identity, sizeof identity);
    return st.st_ctim.tv_sec > st.st_mtim.tv_sec ? st.st_ctim.tv_sec : st.st_mtim.tv_sec;
}

static bool add_tool(struct hd_cache_key *key, const char *path)
{
    hd_cache_key_place(key, path);
    return hd_fs_exists(path);
}

/* LLVM is not loaded yet (llvm.c).  Where the dynamic linker found one library it may find that
 * one, too. */
static int add_own_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (!info->dlpi_name || info->dlpi_name[0] != '/')
        return 0;
    add_tool(context, info->dlpi_name);
    int folder = (int)(strrchr(info->dlpi_name, '/') - info->dlpi_name);
    char *llvm = hd_str_format("%.*s/" HD_LLVM_LIBRARY, folder, info->dlpi_name);
    add_tool(context, llvm);
    free(llvm);
    return 0;
}

static bool add_heddle(struct hd_cache_key *key, const struct hd_toolchain *tools)
{
    char *self = realpath("/proc/self/exe", NULL);
    bool known = self && add_tool(key, self) && add_tool(key, tools->runtime) &&
                 add_tool(key, tools->cxx);
    free(self);
    hd_cache_key_text(key, HD_VERSION);
    dl_iterate_phdr(add_own_library, key);
    return known;
}

static bool is_elf(const char *path)
{
    char bytes[4] = { 0 };
    FILE *file = fopen(path, "rbe");
    bool right = file && fread(bytes, 1, 4, file) == 4 && memcmp(bytes, "\177ELF", 4) == 0;
    if (file)
        fclose(file);
    return right;
}

/* The lines of the dynamic linker: `\tNAME => PATH (ADDRESS)` or `\tPATH (ADDRESS)`. */
static void add_libraries(struct hd_cache_key *key, char *lines)
{
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;
        if (end == NULL)
            continue;
        *end = 0;
        add_tool(key, path);
    }
}

static bool add_clang(struct hd_cache_key *key, const struct hd_toolchain *tools)
{
    static const char ask[] = "LD_TRACE_LOADED_OBJECTS";
    char *path = realpath(tools->clang, NULL), *argv[] = { path, NULL };
    struct hd_str lines, errors;
    struct hd_err err;
    hd_str_init(&lines);
    hd_str_init(&errors);
    bool known = path && is_elf(path) && add_tool(key, path);
    if (known && setenv(ask, "1", 1) == 0) {
        known = hd_run_output(argv, &lines, &errors, &err) == 0;
        unsetenv(ask);
        add_libraries(key, lines.text);
    }
    hd_str_release(&lines);
    hd_str_release(&errors);
    free(path);
    return known;
}

/* Most of what clang finds in the environment shows in the command line of its compiler, which
 * is part of the key of an object file, or in the preprocessed source.  The variables are in
 * the key nevertheless. */
static bool is_looked_at(const char *variable)
{
    static const char *const begins[] = { "CPATH=",
                                          "C_INCLUDE_PATH=",
                                          "CPLUS_INCLUDE_PATH=",
                                          "OBJC",
                                          "CCC_",
                                          "COMPILER_PATH=",
                                          "GCC_",
                                          "SOURCE_DATE_EPOCH=",
                                          "CLANG_",
                                          "LLVM_",
                                          "LIBCLANG_",
                                          "RC_DEBUG_",
                                          "QA_OVERRIDE_",
                                          "LD_",
                                          "LANG=",
                                          "LC_",
                                          "HEDDLE_CLANG=",
                                          "HEDDLE_ACCESSES=",
                                          "HEDDLE_ANALYSIS=" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (hd_str_starts(variable, begins[i]))
            return true;
    return false;
}

/* These make clang write other files, too. */
static bool asks_for_more(const char *variable)
{
    static const char *const begins[] = { "DEPENDENCIES_OUTPUT=", "SUNPRO_DEPENDENCIES=",
                                          "CC_PRINT_", "CC_LOG_" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (hd_str_starts(variable, begins[i]))
            return true;
    return false;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_environment(struct hd_cache_key *key)
{
    struct hd_strs seen;
    bool known = true;
    hd_strs_init(&seen);
    for (char **variable = environ; *variable; variable++) {
        known = known && !asks_for_more(*variable);
        if (is_looked_at(*variable))
            hd_strs_add(&seen, *variable);
    }
    if (seen.n > 1)
        qsort(seen.items, seen.n, sizeof *seen.items, by_text);
    hd_cache_key_texts(key, &seen);
    hd_strs_release(&seen);
    return known;
}

bool hd_cache_key_clang(struct hd_cache_key *key, const struct hd_toolchain *tools)
{
    return add_environment(key) && add_clang(key, tools);
}

bool hd_cache_key_heddle(struct hd_cache_key *key, const struct hd_toolchain *tools)
{
    char *here = getcwd(NULL, 0);
    bool known = here != NULL && add_heddle(key, tools);
    hd_cache_key_text(key, here);
    hd_cache_key_text(key, getenv("PWD")); /* clang prefers it, if it names the same place */
    free(here);
    return known;
}
