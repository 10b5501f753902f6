// An invariant may write variables of its own frames, and let the library read and write there; what it prints is
// no output of the program.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy scale => verified
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int n;

static int small(void)
{
    char text[16];
    int digits[4] = { 0 };
    snprintf(text, sizeof text, "%d", n);
    for (size_t i = 0; i < strlen(text) && i < 4; i++)
        digits[i] = text[i] - '0';
    if (digits[0] > 2)
        printf("n is %s\n", text);
    return digits[0] <= 2 && digits[1] == 0;
}

static void *count(void *unused)
{
    n++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    heddle_invariant(small);
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
