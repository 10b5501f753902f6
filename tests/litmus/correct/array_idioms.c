// expect: verified
// What real programs do with arrays: addresses after the end, walks along columns and through all rows, arrays that
// are longer than their declaration, bytes of a union.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct text {
    int n;
    char bytes[1];
};
struct longer {
    int n;
    char bytes[4];
};
union number {
    double value;
    unsigned char bytes[sizeof(double)];
};

static int table[3][4];
static char room[64];

static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

static int columns(int j)
{
    int *p = &table[0][j], *row = table[0], s = 0;
    for (int i = 0; i < 3; i++)
        s += p[4 * i];
    for (int i = 0; i < 12; i++)
        s += row[i];
    return s + p[4] + p[8];
}

static int ends(int i)
{
    int *end = &table[2][4], *behind = &table[i][4], s = behind[-1];
    for (int *p = &table[0][0]; p < end; p++)
        s += *p;
    return s;
}

static void hacks(int n)
{
    struct text *a = malloc(sizeof *a + (size_t)n), *b = (void *)room;
    struct longer *c = malloc(sizeof *c + (size_t)n);
    for (int i = 0; i < n; i++)
        a->bytes[i] = b->bytes[i] = c->bytes[i] = 1;
    free(a);
    free(c);
}

static int bytes(void)
{
    union number u = { .value = 1 };
    int s = 0;
    for (size_t i = 0; i < sizeof u.bytes; i++)
        s += u.bytes[i];
    return s;
}

static int variable(int n)
{
    int a[2][n], s = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = j;
    for (int j = 0; j < n; j++)
        s += a[1][j];
    return s;
}

static void *work(void *unused)
{
    memset(table[0], 0, sizeof table);
    hacks(10);
    return columns(1) + ends(1) + bytes() + variable(3) + sum(table[0], 12) < 0 ? NULL : unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
