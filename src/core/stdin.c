#include "core/stdin.h"

#include "core/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "nondet:"
#define N_PREFIX (sizeof PREFIX - 1)

static const char escaped[] = "ntr0\\", meant[] = "\n\t\r\0\\";

/* Read a byte, which may be an escape.  Returns how many characters it takes; 0: none. */
static size_t take_byte(const char *text, unsigned char *byte)
{
    *byte = (unsigned char)text[0];
    if (text[0] != '\\')
        return text[0] != 0;
    const char *at = text[1] ? strchr(escaped, text[1]) : NULL;
    if (at) {
        *byte = (unsigned char)meant[at - escaped];
        return 2;
    }
    char digits[3] = { 0 }, *end;
    if (text[1] == 'x' && text[2])
        memcpy(digits, text + 2, 2);
    *byte = (unsigned char)strtoul(digits, &end, 16);
    return strspn(digits, "0123456789abcdefABCDEF") == 2 ? 4 : 0;
}

bool hd_stdin_parse(const char *text, struct hd_stdin *input)
{
    uint32_t most = input->most ? input->most : HD_DEFAULT_INPUT_LENGTH;
    *input = (struct hd_stdin){ .most = most };
    if (strncmp(text, PREFIX, N_PREFIX) != 0)
        return false;
    for (text += N_PREFIX; *text;) {
        unsigned char byte;
        size_t took = take_byte(text, &byte);
        if (took == 0 || input->n_bytes == HD_MAX_INPUT_BYTES ||
            memchr(input->bytes, byte, input->n_bytes))
            return false;
        input->bytes[input->n_bytes++] = byte;
        text += took;
    }
    return input->n_bytes != 0;
}

void hd_stdin_text(const struct hd_stdin *input, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, PREFIX);
    for (uint32_t i = 0; i < input->n_bytes && n + 5 <= size; i++) {
        unsigned char byte = input->bytes[i];
        const char *at = memchr(meant, byte, sizeof meant - 1);
        if (at)
            n += (size_t)snprintf(text + n, size - n, "\\%c", escaped[at - meant]);
        else if (byte > ' ' && byte < 0x7f)
            n += (size_t)snprintf(text + n, size - n, "%c", byte);
        else
            n += (size_t)snprintf(text + n, size - n, "\\x%02x", byte);
    }
}

uint32_t hd_stdin_ways(const struct hd_stdin *input, uint64_t asked, uint32_t left)
{
    uint64_t ways = 1, power = 1;
    for (uint64_t i = 0; i < asked && i < left; i++) {
        power *= input->n_bytes;
        ways += power;
        if (ways > HD_MAX_CHOICES)
            return 0;
    }
    return (uint32_t)ways;
}

uint32_t hd_stdin_decode(const struct hd_stdin *input, uint32_t choice,
                         char to[HD_MAX_INPUT_LENGTH])
{
    uint32_t n = 0, power = 1;
    for (; choice >= power; n++) {
        choice -= power;
        power *= input->n_bytes;
    }
    for (uint32_t i = n; i-- > 0; choice /= input->n_bytes)
        to[i] = (char)input->bytes[choice % input->n_bytes];
    return n;
}
