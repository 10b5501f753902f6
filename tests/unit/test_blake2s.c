/* The keyed hash against published values: RFC 7693, appendix B, and the authors' list of keyed
 * BLAKE2s values (key 00 01 … 1f, input 00 01 02 …). */
#include "base/blake2s.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void hash(char text[65], const void *key, size_t key_bytes, const void *bytes, size_t n,
                 size_t part)
{
    struct hd_blake2s state;
    uint8_t out[HD_BLAKE2S_BYTES];
    hd_blake2s_init(&state, key, key_bytes);
    for (size_t at = 0; at < n; at += part)
        hd_blake2s_add(&state, (const char *)bytes + at, n - at < part ? n - at : part);
    hd_blake2s_end(&state, out);
    for (size_t i = 0; i < sizeof out; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
}

static void rfc_7693(void **state)
{
    char text[65];
    (void)state;
    hash(text, NULL, 0, "abc", 3, 3);
    assert_string_equal(text, "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
}

static void keyed_values(void **state)
{
    static const struct {
        size_t n;
        const char *value;
    } known[] = {
        { 0, "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49" },
        { 1, "40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1" },
        { 63, "c65382513f07460da39833cb666c5ed82e61b9e998f4b0c4287cee56c3cc9bcd" },
        { 64, "8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4" },
        { 65, "21fe0ceb0052be7fb0f004187cacd7de67fa6eb0938d927677f2398c132317a8" },
        { 255, "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd" },
    };
    uint8_t bytes[256];
    char text[65];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t part = 1; part <= 256; part = part * 3 + 1) {
            hash(text, bytes, 32, bytes, known[i].n, part);
            assert_string_equal(text, known[i].value);
        }
}

static void comparison(void **state)
{
    uint8_t a[HD_BLAKE2S_BYTES] = { 0 }, b[HD_BLAKE2S_BYTES] = { 0 };
    (void)state;
    assert_true(hd_blake2s_same(a, b));
    for (size_t i = 0; i < sizeof a; i++) {
        b[i] = 0x80;
        assert_false(hd_blake2s_same(a, b));
        b[i] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_7693),
        cmocka_unit_test(keyed_values),
        cmocka_unit_test(comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
