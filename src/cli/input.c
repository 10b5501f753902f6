#include "cli/input.h"

#include "base/fs.h"
#include "base/shown.h"
#include "compile/compile.h"
#include "instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile sig_atomic_t hd_input_interrupted;

static time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* The second signal ends the process, unless it comes at once: timeout(1) and others send one
 * to the process and one to its group. */
static void on_signal(int sig)
{
    static time_t first;
    if (!hd_input_interrupted) {
        hd_input_interrupted = sig;
        first = now();
    } else if (now() > first + 1) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
}

void hd_input_catch_signals(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    if (hd_input_interrupted)
        return; /* the next signal ends the process */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

int hd_input_fail(const struct hd_err *err, int status)
{
    if (!*err->text)
        return status;
    char *text = hd_shown_dup(err->text);
    fprintf(stderr, "heddle: %s%s\n",
            status == HD_EXIT_INTERNAL && !hd_str_starts(text, "internal error")
                ? "internal error: "
                : "",
            text);
    free(text);
    return status;
}

static int all_there(const struct hd_strs *files, struct hd_err *err)
{
    bool sources = hd_compile_is_input(files->items[0]);
    for (size_t i = 0; i < files->n; i++) {
        if (!hd_fs_exists(files->items[i]))
            return hd_err_set(err, "%s: no such file", files->items[i]);
        if (!hd_fs_is_directory(files->items[i]) && !hd_fs_is_file(files->items[i]))
            return hd_err_set(err,
                              "%s is not a file that can be read twice: give C files or a "
                              "program built by heddle",
                              files->items[i]);
        if (hd_fs_is_directory(files->items[i]))
            return hd_err_set(err, "%s is a directory: give C files or a program built by heddle",
                              files->items[i]);
        if (hd_compile_is_input(files->items[i]) != sources)
            return hd_err_set(err,
                              "%s and %s: give C files, or one program built by heddle, not "
                              "both (arguments of the program follow `--`)",
                              files->items[0], files->items[i]);
    }
    if (!sources && files->n > 1)
        return hd_err_set(err, "%s and %s: one program at a time (its arguments follow `--`)",
                          files->items[0], files->items[1]);
    return 0;
}

int hd_input_open(struct hd_input *input, const struct hd_strs *files,
                  const struct hd_strs *cc_flags, struct hd_err *err)
{
    *input = (struct hd_input){ 0 };
    if (all_there(files, err) != 0)
        return -1;
    if (!hd_compile_is_input(files->items[0])) {
        if (cc_flags->n)
            return hd_err_set(
                err,
                "compiler options (--cc-flags, --analysis) have no use for %s, which is "
                "compiled already",
                files->items[0]);
        return hd_program_open(&input->program, files->items[0], NULL, err);
    }
    input->compiled = true;
    if (hd_fs_temp_dir(&input->directory, err) != 0)
        return -1;
    struct hd_compile_request request = { .files = files,
                                          .flags = cc_flags,
                                          .directory = input->directory,
                                          .rewrite = hd_instrument_program };
    struct hd_compile_result result = { 0 };
    int failed = hd_compile_program(&request, &result, err);
    if (!failed) {
        input->compile_seconds = result.seconds;
        failed = hd_program_open(&input->program, result.program, files->items[0], err);
        free(result.program);
    }
    if (failed)
        hd_input_close(input);
    return failed;
}

void hd_input_close(struct hd_input *input)
{
    hd_program_close(input->program);
    if (input->directory)
        hd_fs_remove_tree(input->directory);
    free(input->directory);
    hd_foreseen_release(&input->foreseen);
    *input = (struct hd_input){ 0 };
}

void hd_input_defaults(struct hd_options *options)
{
    *options = (struct hd_options){ .depth = HD_MAX_STEPS - 1, .polls = HD_DEFAULT_POLLS };
}

int hd_input_invariants(const struct hd_input *input, const struct hd_strs *names,
                        struct hd_options *options, struct hd_err *err)
{
    if (names->n > HD_MAX_INVARIANTS)
        return hd_err_set(err, "%zu invariants: at most %d can be given", names->n,
                          HD_MAX_INVARIANTS);
    for (size_t i = 0; i < names->n; i++) {
        uint64_t address;
        size_t room = sizeof options->invariants[i].name;
        if (strlen(names->items[i]) >= room)
            return hd_err_set(err, "--invariant %.60s…: the name is too long", names->items[i]);
        if (strcmp(names->items[i], "main") == 0)
            return hd_err_set(err, "--invariant main: main is the program; give a function "
                                   "int FN(void) of it that says whether the state is good");
        if (hd_program_function(input->program, names->items[i], &address, err) != 0)
            return -1;
        options->invariants[i].address = address;
        snprintf(options->invariants[i].name, room, "%s", names->items[i]);
    }
    options->n_invariants = (uint32_t)names->n;
    return 0;
}

static bool needs_no_quotes(const char *word)
{
    return *word && word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789_-+=./,:@%")] == 0;
}

void hd_input_option_word(struct hd_str *out, const char *word)
{
    if (needs_no_quotes(word)) {
        hd_str_append(out, word);
        return;
    }
    hd_str_append_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            hd_str_append(out, "'\\''");
        else
            hd_str_append_char(out, *word);
    }
    hd_str_append_char(out, '\'');
}

void hd_input_shell_word(struct hd_str *out, const char *word)
{
    if (hd_shown_clean(word)) {
        hd_input_option_word(out, word);
        return;
    }
    /* a terminal must not act on what is to be read: $'…' of bash and zsh has escapes */
    hd_str_append(out, "$'");
    for (const unsigned char *c = (const unsigned char *)word; *c; c++) {
        if (*c == '\'' || *c == '\\')
            hd_str_appendf(out, "\\%c", *c);
        else if (*c < ' ' || *c >= 127)
            hd_str_appendf(out, "\\%03o", *c);
        else
            hd_str_append_char(out, (char)*c);
    }
    hd_str_append_char(out, '\'');
}
