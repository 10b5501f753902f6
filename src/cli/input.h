/* The input of a command: sources, compiled on the fly, or a program built before. */
#ifndef HD_CLI_INPUT_H
#define HD_CLI_INPUT_H

#include "base/err.h"
#include "base/str.h"
#include "core/worker_memory.h"
#include "strategy/targets.h"
#include "supervise/program.h"

#include <signal.h>

struct hd_input {
    struct hd_program *program;
    bool compiled;
    double compile_seconds;
    char *directory; /* of what was compiled */
    struct hd_foreseen foreseen;
};

/* `files` are C files and the like, or one program.  An empty err->text means that the compiler
 * has already said what is wrong. */
int hd_input_open(struct hd_input *input, const struct hd_strs *files,
                  const struct hd_strs *cc_flags, struct hd_err *err);
void hd_input_close(struct hd_input *input);

/* Puts the functions of these names into the options. */
int hd_input_invariants(const struct hd_input *input, const struct hd_strs *names,
                        struct hd_options *options, struct hd_err *err);

/* The default options. */
void hd_input_defaults(struct hd_options *options);

/* The signal after SIGINT, SIGTERM or SIGHUP, otherwise 0; a second one ends the process.
 * Signals are caught only where something looks at this, that is, during a search: while the
 * program is compiled, linked or analysed the first one ends the process. */
extern volatile sig_atomic_t hd_input_interrupted;
void hd_input_catch_signals(void);

/* Prints "heddle: …" to stderr (nothing for an empty text); returns the status. */
int hd_input_fail(const struct hd_err *err, int status);

/* Appends the word so that hd_args_split() reads it back. */
void hd_input_option_word(struct hd_str *out, const char *word);

/* Appends the word so that a shell reads it back and a terminal shows it as it is. */
void hd_input_shell_word(struct hd_str *out, const char *word);

#endif
