/* libFuzzer target: the command line of `heddle check`, an argument per line. */
#include "cli/check_options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Any words are either refused with a text, or are options within their bounds. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *argv[66] = { (char[]){ "check" } }, *text = malloc(n + 1);
    struct hd_check check;
    struct hd_err err = { "" };
    int argc = 1;
    memcpy(text, bytes, n);
    text[n] = 0;
    for (char *rest = text, *word; argc < 65 && (word = strsep(&rest, "\n"));)
        if (strncmp(word, "--checkpoint", 12) != 0 && strncmp(word, "--resume", 8) != 0 &&
            strlen(word) == strcspn(word, "@") && strncmp(word, "--prop", 6) != 0)
            argv[argc++] = word; /* the others touch files */
    int status = hd_check_init(&check, argc, argv, &err);
    if ((status == -1) != (*err.text != 0))
        abort();
    if (status == 0 && (check.files.n == 0 || check.options.jobs > 4096))
        abort();
    hd_check_release(&check);
    free(text);
    return 0;
}
