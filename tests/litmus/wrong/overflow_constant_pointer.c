// expect: violation memory
// A table of constants is read beyond its end through a pointer.
#include <pthread.h>

static const int table[4] = { 1, 2, 3, 4 };

static int get(const int *p, int i) { return p[i]; /* violation */ }

static void *work(void *unused) { return get(table, 4) == 4 ? unused : NULL; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
