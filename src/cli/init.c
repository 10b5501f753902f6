/* heddle init: a sample test, and the files that run it with CMake and on a CI server. */
#include "base/err.h"
#include "base/fs.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ASSET(name, file)                                                                        \
    extern const char name[];                                                                    \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"share/init/" file    \
            "\"\n.byte 0\n.popsection\n")

ASSET(hd_init_test, "test_counter.c");
ASSET(hd_init_cmake, "CMakeLists.txt");
ASSET(hd_init_workflow, "heddle.yml");

static const struct {
    const char *path, *text;
} files[] = {
    { "test_counter.c", hd_init_test },
    { "CMakeLists.txt", hd_init_cmake },
    { ".github/workflows/heddle.yml", hd_init_workflow },
};

#define N_FILES (sizeof files / sizeof *files)

enum option { HELP = 1 };

static const struct hd_arg table[] = {
    { HELP, "help", 'h', NULL, "this text" },
};

static void print_help(void)
{
    fputs("usage: heddle init [DIRECTORY]\n\n"
          "Writes a sample test (test_counter.c) and the files that run it with CMake\n"
          "(CMakeLists.txt) and on GitHub (.github/workflows/heddle.yml).  Files that are there\n"
          "stay as they are.\n\n",
          stdout);
    hd_args_help(stdout, table, sizeof table / sizeof *table);
    fputs("\nExit status: 0 at least one file has been written, 2 usage or input error.\n",
          stdout);
}

/* The directories of the path below `root`. */
static int make_directories(const char *root, const char *path, struct hd_err *err)
{
    for (const char *slash = path - 1; slash; slash = strchr(slash + 1, '/')) {
        int length = slash < path ? 0 : (int)(slash - path);
        char *directory = hd_str_format("%s/%.*s", root, length, path);
        bool failed = mkdir(directory, 0777) != 0 && errno != EEXIST;
        if (failed)
            hd_err_set(err, "cannot create %s: %s", directory, strerror(errno));
        free(directory);
        if (failed)
            return -1;
    }
    return 0;
}

static int write_files(const char *root, struct hd_err *err)
{
    size_t written = 0;
    for (size_t i = 0; i < N_FILES; i++) {
        char *path = hd_str_format("%s%s%s", strcmp(root, ".") == 0 ? "" : root,
                                   strcmp(root, ".") == 0 ? "" : "/", files[i].path);
        bool there = hd_fs_exists(path);
        int failed = there ? 0
                           : make_directories(root, files[i].path, err) ||
                                 hd_fs_write(path, files[i].text, strlen(files[i].text), err);
        if (!failed)
            printf("%s %s\n", there ? "stays as it is:" : "written:", path);
        written += !there;
        free(path);
        if (failed)
            return -1;
    }
    if (written == 0)
        return hd_err_set(err, "there is nothing to write: all files are there; give another "
                               "directory");
    printf("\nnow: heddle check %s%stest_counter.c, and -DBUG to see a report\n",
           strcmp(root, ".") == 0 ? "" : root, strcmp(root, ".") == 0 ? "" : "/");
    return 0;
}

int hd_cmd_init(int argc, char **argv)
{
    struct hd_args args;
    struct hd_err err = { "" };
    const char *value = NULL, *root = NULL;
    int id;
    hd_args_init(&args, table, sizeof table / sizeof *table, argc, argv);
    while ((id = hd_args_next(&args, &value, &err)) >= 0) {
        if (id == HELP) {
            print_help();
            return HD_EXIT_OK;
        }
        if (root) {
            hd_err_set(&err, "one directory, please, not %s and %s", root, value);
            return hd_input_fail(&err, HD_EXIT_INPUT);
        }
        root = value;
    }
    if (id == HD_ARG_BAD || write_files(root ? root : ".", &err) != 0)
        return hd_input_fail(&err, HD_EXIT_INPUT);
    return HD_EXIT_OK;
}
