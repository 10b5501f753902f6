// long double, bool, vectors, 3-byte structures: accesses of unusual widths keep their values.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef float four __attribute__((vector_size(16)));
typedef double eight __attribute__((vector_size(64)));

struct three {
    char c[3];
};

static long double precise;
static bool truth;
static four vector;
static eight wide;
static struct three small, copied;
static _Complex double point;

static void *work(void *unused)
{
    precise = 1.0L / 3.0L;
    truth = true;
    vector = (four){ 1, 2, 3, 4 };
    wide = (eight){ 1, 2, 3, 4, 5, 6, 7, 8 };
    small = (struct three){ { 'a', 'b', 'c' } };
    copied = small;
    point = 3.0 + 4.0i;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(precise == 1.0L / 3.0L && truth);
    assert(vector[0] + vector[3] == 5 && wide[7] == 8);
    assert(copied.c[0] == 'a' && copied.c[2] == 'c');
    assert(__real__ point == 3.0 && __imag__ point == 4.0);
    return 0;
}
