#define _GNU_SOURCE
#include "cli/replay_words.h"

#include "cli/input.h"

#include <errno.h>
#include <stdlib.h>

char *hd_replay_command(void)
{
    struct hd_str line;
    hd_str_init(&line);
    hd_input_shell_word(&line, program_invocation_name);
    hd_str_append(&line, " replay");
    return hd_str_detach(&line);
}

char *hd_replay_operands(const struct hd_strs *files, const char *trace)
{
    struct hd_str line;
    hd_str_init(&line);
    for (size_t i = 0; i < files->n; i++) {
        hd_input_shell_word(&line, files->items[i]);
        hd_str_append_char(&line, ' ');
    }
    hd_input_shell_word(&line, trace);
    return hd_str_detach(&line);
}

char **hd_replay_operands_all(const struct hd_strs *files, char *const *traces, uint32_t n)
{
    char **all = hd_alloc((n + 1) * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = traces[i] ? hd_replay_operands(files, traces[i]) : NULL;
    return all;
}

void hd_replay_operands_release(char **operands, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(operands[i]);
    free(operands);
}
