#include "report/trace_options.h"

#include "report/name.h"

#include <string.h>

/* No word needs to be quoted (hd_trace_quote) but that of the input. */
void hd_trace_options_write(struct hd_str *out, const struct hd_trace_head *head)
{
    char text[HD_INPUT_TEXT];
    if (head->nondet.given)
        hd_str_appendf(out, "nondet %lld..%lld\n", (long long)head->nondet.low,
                       (long long)head->nondet.high);
    if (head->input.n_bytes) {
        hd_stdin_text(&head->input, text, sizeof text);
        hd_str_append(out, "input ");
        hd_trace_quote(out, text);
        hd_str_appendf(out, "\ninput-length %u\n", head->input.most);
    }
    if (head->faults.kinds) {
        hd_faults_text(&head->faults, text, sizeof text);
        hd_str_appendf(out, "faults %s\n", text);
    }
    if (head->reuse.mode != HD_REUSE_AUTO || head->reuse.classes) {
        hd_reuse_text(&head->reuse, text, sizeof text);
        hd_str_appendf(out, "reuse %s\n", text);
    }
}

static bool read_length(const char *text, struct hd_stdin *input)
{
    uint64_t number;
    if (!hd_name_number(text, HD_MAX_INPUT_LENGTH, &number) || number == 0)
        return false;
    input->most = (uint32_t)number;
    return true;
}

const char *hd_trace_option_read(struct hd_trace_head *head, const char *word, const char *text)
{
    if (strcmp(word, "faults") == 0)
        return hd_faults_parse(text, &head->faults) ? NULL : "of the form malloc,io,create:N";
    if (strcmp(word, "reuse") == 0)
        return hd_reuse_parse(text, &head->reuse) ? NULL : "off, auto, auto:CLASSES or all";
    if (strcmp(word, "nondet") == 0)
        return hd_nondet_parse(text, &head->nondet) ? NULL : "of the form LO..HI";
    if (strcmp(word, "input") == 0)
        return hd_stdin_parse(text, &head->input) ? NULL : "of the form nondet:BYTES";
    return read_length(text, &head->input) ? NULL : "a number from 1 to 64";
}
