/* A round of AES against the first two of FIPS 197, appendix B, and against the instruction of the
 * processor, if it has one. */
#include "base/rng.h"
#include "core/aes.h"

#include <immintrin.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void is_round(const unsigned char from[16], const unsigned char key[16],
                     const unsigned char to[16])
{
    unsigned char x[16];
    memcpy(x, from, 16);
    hd_aes_round(x);
    for (int i = 0; i < 16; i++)
        x[i] ^= key[i];
    assert_memory_equal(x, to, 16);
}

static void of_the_standard(void **state)
{
    static const unsigned char states[][16] = {
        { 0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b, 0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8,
          0x48, 0x08 },
        { 0xa4, 0x9c, 0x7f, 0xf2, 0x68, 0x9f, 0x35, 0x2b, 0x6b, 0x5b, 0xea, 0x43, 0x02, 0x6a,
          0x50, 0x49 },
        { 0xaa, 0x8f, 0x5f, 0x03, 0x61, 0xdd, 0xe3, 0xef, 0x82, 0xd2, 0x4a, 0xd2, 0x68, 0x32,
          0x46, 0x9a },
    };
    static const unsigned char keys[][16] = {
        { 0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1, 0x23, 0xa3, 0x39, 0x39, 0x2a, 0x6c,
          0x76, 0x05 },
        { 0xf2, 0xc2, 0x95, 0xf2, 0x7a, 0x96, 0xb9, 0x43, 0x59, 0x35, 0x80, 0x7a, 0x73, 0x59,
          0xf6, 0x7f },
    };
    (void)state;
    for (int i = 0; i < 2; i++)
        is_round(states[i], keys[i], states[i + 1]);
}

__attribute__((target("aes"))) static void by_instruction(unsigned char x[16])
{
    __m128i piece = _mm_loadu_si128((const __m128i *)(const void *)x);
    _mm_storeu_si128((__m128i *)(void *)x, _mm_aesenc_si128(piece, _mm_setzero_si128()));
}

static void as_the_processor(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("aes"))
        skip();
    unsigned char x[16], y[16];
    struct hd_rng rng = { 1 };
    for (int n = 0; n < 20000; n++) {
        for (int i = 0; i < 16; i++)
            x[i] = y[i] = (unsigned char)hd_rng_next(&rng);
        hd_aes_round(x);
        by_instruction(y);
        assert_memory_equal(x, y, 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_processor),
        cmocka_unit_test(of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
