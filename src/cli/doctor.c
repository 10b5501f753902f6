/* heddle doctor: is everything here that heddle needs, and what is missing? */
#include "base/err.h"
#include "base/fs.h"
#include "base/key.h"
#include "base/run.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "compile/toolchain.h"
#include "compile/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

enum option { HELP = 1 };

static const struct hd_arg table[] = {
    { HELP, "help", 'h', NULL, "this text" },
};

static void print_help(void)
{
    fputs("usage: heddle doctor\n\n"
          "Looks for everything that heddle needs: the compiler, its own files, the kernel's\n"
          "permission to switch off address randomisation, gdb, a place for traces.  It checks\n"
          "two small programs as well.  Each line says what is there, or what to do.\n\n",
          stdout);
    hd_args_help(stdout, table, sizeof table / sizeof *table);
    fputs("\nExit status: 0 nothing that is needed is missing, 2 something is.\n", stdout);
}

enum state { FINE, SPARE, MISSING }; /* SPARE: some of heddle does not work without it */

static bool say(enum state state, const char *what, const char *words)
{
    static const char *const marks[] = { "ok", "optional", "missing" };
    printf("%-9s %-12s %s\n", marks[state], what, words);
    return state != MISSING;
}

static bool look_for_compiler(void)
{
    struct hd_toolchain tools = { 0 };
    struct hd_err err = { "" };
    if (hd_toolchain_init(&tools, &err) != 0)
        return say(MISSING, "compiler", err.text);
    say(FINE, "compiler", tools.clang);
    say(FINE, "runtime", tools.runtime);
    hd_toolchain_release(&tools);
    return true;
}

static void look_for_gdb(void)
{
    char *gdb = hd_fs_which("gdb");
    say(gdb ? FINE : SPARE, "gdb",
        gdb ? gdb : "not found; heddle replay --gdb needs it (Debian: apt install gdb)");
    free(gdb);
}

static void look_at_addresses(void)
{
    int persona = personality(0xffffffff);
    bool refused = persona < 0 || personality((unsigned long)persona | ADDR_NO_RANDOMIZE) < 0;
    if (!refused)
        personality((unsigned long)persona);
    say(refused ? SPARE : FINE, "addresses",
        refused
            ? "the kernel refuses to switch off address randomisation, so -j, checkpoints and "
              "going on after a crash do not work (in a container: --security-opt "
              "seccomp=unconfined)"
            : "randomisation can be switched off");
}

static void look_for_key(void)
{
    struct hd_key key;
    struct hd_err err = { "" };
    int failed = hd_key_get(&key, true, &err);
    memset(&key, 0, sizeof key);
    say(failed ? SPARE : FINE, "signature",
        failed ? err.text : "traces are signed, so that their replay trusts them");
}

/* Checks a program of one line; its exit status must be `wanted`. */
static bool check_sample(const char *directory, const char *body, const char *wanted, int status)
{
    struct hd_err err = { "" };
    struct hd_str text, errors;
    char *source = hd_str_format("%s/sample.c", directory);
    char *program = hd_str_format("%s/bin/heddle", hd_fs_root());
    char *const argv[] = {
        program, "check", "-q", "--trace-dir", (char *)directory, "--require-verified",
        source,  NULL
    };
    hd_str_init(&text);
    hd_str_init(&errors);
    hd_str_appendf(&text,
                   "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n"
                   "static void *run(void *x) { %s; return x; }\n"
                   "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0);\n"
                   "    pthread_join(t, 0); return n != 2; }\n",
                   body);
    int got = hd_fs_write(source, text.text, text.length, &err);
    hd_str_clear(&text);
    if (got == 0)
        got = hd_run_output(argv, &text, &errors, &err);
    char *why = hd_str_format("heddle check ended with status %d: %s%s", got, err.text,
                              errors.text);
    why[strcspn(why, "\n")] = 0;
    bool fine = say(got == status ? FINE : MISSING, "a check", got == status ? wanted : why);
    free(why);
    free(source);
    free(program);
    hd_str_release(&text);
    hd_str_release(&errors);
    return fine;
}

static bool try_checks(void)
{
    char *directory = NULL;
    struct hd_err err = { "" };
    if (hd_fs_temp_dir(&directory, &err) != 0)
        return say(MISSING, "files", err.text);
    bool fine = check_sample(directory, "n++", "a correct program is verified", HD_EXIT_OK);
    fine &= check_sample(directory, "int seen = n; n = seen + 1", "a bug is found",
                         HD_EXIT_VIOLATION);
    hd_fs_remove_tree(directory);
    free(directory);
    return fine;
}

int hd_cmd_doctor(int argc, char **argv)
{
    struct hd_args args;
    struct hd_err err = { "" };
    const char *value = NULL;
    hd_args_init(&args, table, sizeof table / sizeof *table, argc, argv);
    int id = hd_args_next(&args, &value, &err);
    if (id == HELP) {
        print_help();
        return HD_EXIT_OK;
    }
    if (id == HD_ARG_WORD)
        hd_err_set(&err, "doctor takes no arguments, such as %s", value);
    if (id != HD_ARG_END)
        return hd_input_fail(&err, HD_EXIT_INPUT);
    char *version = hd_str_format("%s, LLVM %s, in %s", HD_VERSION, hd_llvm_version(),
                                  hd_fs_root());
    say(FINE, "heddle", version);
    free(version);
    bool fine = look_for_compiler();
    look_at_addresses();
    look_for_gdb();
    look_for_key();
    fine = fine && try_checks();
    printf("\n%s\n", fine ? "everything that is needed is there"
                          : "something that is needed is missing: see the lines above");
    return fine ? HD_EXIT_OK : HD_EXIT_INPUT;
}
