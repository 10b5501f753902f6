/* The signature is the second line of the file and covers every other byte of it. */
#include "base/key.h"
#include "report/trace.h"

#include <stdlib.h>
#include <string.h>

#define WORD "signature "
#define DIGITS (2 * (size_t)HD_BLAKE2S_BYTES)
#define LINE (sizeof WORD - 1 + DIGITS + 1)

/* Where the second line begins; 0: there is none. */
static size_t second_line(const char *bytes, size_t n)
{
    static const char magic[] = "heddle-trace ";
    const char *stop = n >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0
                           ? memchr(bytes, '\n', n)
                           : NULL;
    return stop ? (size_t)(stop - bytes) + 1 : 0;
}

/* The signature, in digits, of the text without its bytes from `begin` to `end`. */
static void digits_of(char digits[DIGITS], const struct hd_key *key, const char *bytes, size_t n,
                      size_t begin, size_t end)
{
    static const char hex[] = "0123456789abcdef";
    struct hd_blake2s state;
    uint8_t out[HD_BLAKE2S_BYTES];
    hd_key_begin(&state, key, "heddle-trace");
    hd_blake2s_add(&state, bytes, begin);
    hd_blake2s_add(&state, bytes + end, n - end);
    hd_blake2s_end(&state, out);
    for (size_t i = 0; i < sizeof out; i++) {
        digits[2 * i] = hex[out[i] >> 4];
        digits[2 * i + 1] = hex[out[i] & 15];
    }
}

int hd_trace_sign(struct hd_str *text, struct hd_err *err)
{
    struct hd_key key;
    char line[LINE];
    size_t at = second_line(text->text, text->length);
    if (hd_key_get(&key, true, err) != 0)
        return -1;
    memcpy(line, WORD, sizeof WORD - 1);
    digits_of(line + sizeof WORD - 1, &key, text->text, text->length, at, at);
    line[LINE - 1] = '\n';
    explicit_bzero(&key, sizeof key);
    struct hd_str whole;
    hd_str_init(&whole);
    hd_str_append_bytes(&whole, text->text, at);
    hd_str_append_bytes(&whole, line, LINE);
    hd_str_append_bytes(&whole, text->text + at, text->length - at);
    hd_str_release(text);
    *text = whole;
    return 0;
}

bool hd_trace_is_signed(const char *bytes, size_t n)
{
    struct hd_key key;
    struct hd_err ignored;
    char want[DIGITS];
    size_t at = second_line(bytes, n);
    if (at == 0 || n - at < LINE || memcmp(bytes + at, WORD, sizeof WORD - 1) != 0 ||
        bytes[at + LINE - 1] != '\n' || hd_key_get(&key, false, &ignored) != 0)
        return false;
    digits_of(want, &key, bytes, n, at, at + LINE);
    explicit_bzero(&key, sizeof key);
    const uint8_t *got = (const uint8_t *)bytes + at + sizeof WORD - 1;
    bool first = hd_blake2s_same(got, (const uint8_t *)want);
    bool second = hd_blake2s_same(got + HD_BLAKE2S_BYTES,
                                  (const uint8_t *)want + HD_BLAKE2S_BYTES);
    return first & second;
}
