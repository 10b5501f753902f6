/* heddle cc, heddle c++: a compiler driver. */
#include "base/fs.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "compile/build.h"
#include "instrument/instrument.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const struct hd_err *err) { return hd_input_fail(err, HD_EXIT_INPUT); }

static const char help[] =
    "usage: heddle cc|c++ [options of clang] FILE...\n"
    "\n"
    "A drop-in compiler driver: CC=\"heddle cc\" make; heddle-cc and heddle-c++ are the same without a\n"
    "blank.  With -c it writes objects that carry LLVM bitcode; when it links it instruments the\n"
    "whole program and adds heddle's runtime.  Archives of such objects work; native objects and\n"
    "libraries are linked as they are.  __HEDDLE__ is defined, heddle.h is\n"
    "found.  HEDDLE_CLANG names the clang to use, HEDDLE_CACHE the folder of the cache (off: none).\n"
    "Options are clang's: see `clang --help`; and\n"
    "--analysis off|fast|full: how much work the analysis of the program may do (fast); all: it leaves\n"
    "no access out, as HEDDLE_ACCESSES=all.\n";

static int build(int argc, char **argv, bool cxx)
{
    struct hd_driver driver;
    struct hd_err err = { { 0 } };
    char *directory = NULL;
    int failed = hd_driver_init(&driver, argc, argv, cxx, &err);
    for (size_t i = 0; i < driver.notes.n; i++)
        fprintf(stderr, "heddle: %s\n", driver.notes.items[i]);
    if (!failed)
        failed = hd_fs_temp_dir(&directory, &err);
    if (!failed)
        failed = hd_build(&driver, directory, hd_instrument_program, &err);
    if (directory)
        hd_fs_remove_tree(directory);
    free(directory);
    hd_driver_release(&driver);
    return failed ? fail(&err) : HD_EXIT_OK;
}

/* In a child: LLVM trusts its input, and an object that is damaged may crash it at any
 * stage. */
int hd_cmd_cc(int argc, char **argv, bool cxx)
{
    int status;
    struct hd_err err;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return HD_EXIT_OK;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return build(argc, argv, cxx);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(HD_EXIT_INPUT);
        status = build(argc, argv, cxx);
        fflush(NULL);
        _exit(status);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return HD_EXIT_INTERNAL;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    hd_err_set(
        &err,
        "the build was ended by signal %d (%s): is an object file damaged? compile it again",
        WTERMSIG(status), strsignal(WTERMSIG(status)));
    return fail(&err);
}
