/* The trace reader against damaged files: bytes changed, stretches cut out, doubled, moved, words
 * of the format put in at random.  Seeded: a failure is found again. */
#include "base/rng.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 60000
#define LONGEST 2000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const seeds[] = {
    "heddle-trace 1\nsource \"my file.c\"\ncc-flag -DN=2\nprogram ./p\n"
    "arg \"a \\\"b\\\\ \\x7f\"\n"
    "build ab010000000000000000000000000000\nstrategy scale:nsb\ninvariant holds\nseed 12\n"
    "expect-exit 3\nfaults malloc,create:2\nleaks 1\nnondet -1..3\nviolation deadlock \"2 threads wait for ever\"\nthreads main T1 T2 T1.1\n"
    "steps all\n1 main create T1\n2 T1 write table+12 choice=1 size=4 wrote=-10 site=1 "
    "at=a.c:12:3 in=f # preemption\n3 T2 wait heap:T1.1#7+16 stack:T1-640\n"
    "4 T2 signal tls:T2-24 choice=3\n5 main clock clock:\n6 main lock address:0x7fff\n"
    "7 T1.1 copy global:0x4010 x read=0x12\nend 7\n",
    "0 1 1 2\n# a comment\n0 0 3\n",
    "main T1 T1 T1.2\nT2.1.3\n",
};

static const char *const tokens[] = {
    "\n",
    " ",
    "\"",
    "\\",
    "#",
    "=",
    "end 7",
    "T1",
    "T65535",
    "T65536",
    "T1.1.1.1",
    "main",
    "+",
    "heap:",
    "stack:T1-",
    "tls:",
    "18446744073709551616",
    "0x",
    "-1",
    "steps all\n",
    "choice=",
    "heddle-trace 1\n",
    "threads main\n",
    "\\x",
    "\r\n",
    "\t",
    "lock ",
    "create ",
};

static size_t mutate(struct hd_rng *rng, char *text, size_t n)
{
    uint32_t at = n ? hd_rng_below(rng, (uint32_t)n) : 0;
    uint32_t length = 1 + hd_rng_below(rng, 40);
    if (length > n - at)
        length = (uint32_t)(n - at);
    const char *word = tokens[hd_rng_below(rng, sizeof tokens / sizeof *tokens)];
    switch (hd_rng_below(rng, 5)) {
    case 0: /* change a byte */
        if (n)
            text[at] = (char)hd_rng_below(rng, 256);
        return n;
    case 1: /* cut a stretch out */
        memmove(text + at, text + at + length, n - at - length);
        return n - length;
    case 2: /* double a stretch */
        if (n + length > LONGEST)
            return n;
        memmove(text + at + length, text + at, n - at);
        return n + length;
    case 3: /* put a word in */
        if (n + strlen(word) > LONGEST)
            return n;
        memmove(text + at + strlen(word), text + at, n - at);
        memcpy(text + at, word, strlen(word));
        return n + strlen(word);
    default: /* cut the end off */
        return hd_rng_below(rng, 8) ? n : at;
    }
}

static void damaged_files(void **state)
{
    (void)state;
    struct hd_rng rng = { 1 };
    for (int round = 0; round < ROUNDS; round++) {
        char text[LONGEST + 1];
        const char *seed = seeds[hd_rng_below(&rng, sizeof seeds / sizeof *seeds)];
        size_t n = strlen(seed);
        memcpy(text, seed, n);
        for (uint32_t k = 1 + hd_rng_below(&rng, 6); k > 0; k--)
            n = mutate(&rng, text, n);
        /* On the heap, and no byte longer: reading beyond is seen. */
        uint8_t *bytes = malloc(n ? n : 1);
        memcpy(bytes, text, n);
        LLVMFuzzerTestOneInput(bytes, n);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(damaged_files) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "../fuzz/trace.c"
