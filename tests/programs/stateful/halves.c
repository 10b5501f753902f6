/* Accesses of overlapping bytes of one object, by two threads that nothing keeps apart: six pairs of lines race.  One
 * half of some of these races is made only after states that other executions have met. */
#include <pthread.h>

static union {
    unsigned short halves[4];
    unsigned long whole;
    unsigned char bytes[8];
    struct __attribute__((packed)) {
        unsigned char first;
        unsigned short middle;
    } packed;
} value;

static void *other(void *unused)
{
    unsigned seen = 0;
    if (value.bytes[2] != 2)
        seen = value.halves[3];
    value.packed.middle = (unsigned short)seen;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    value.halves[1] = (unsigned short)(value.halves[1] + 2);
    value.whole = 0x300000003ul;
    value.bytes[7] = 2;
    pthread_join(t, 0);
    return 0;
}
