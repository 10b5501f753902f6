// A program that looks at the bytes of a jmp_buf finds the same ones in every run, so that what depends on
// them can be replayed.  (glibc mixes in a number that differs from process to process.)
// expect: violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

static int bit;

static void *work(void *unused)
{
    jmp_buf here;
    uint64_t words[8];
    memset(here, 0, sizeof here);
    if (setjmp(here) == 0) {
        memcpy(words, here, sizeof words);
        uint64_t mixed = words[1] ^ words[6] << 1 ^ words[7] << 2; /* rbp, rsp, rip */
        assert(!(mixed >> bit & 1));                               /* violation */
        longjmp(here, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    bit = heddle_choose(64);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
