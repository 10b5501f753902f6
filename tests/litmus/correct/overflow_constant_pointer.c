// expect: verified
// The last of a table of constants is read through a pointer.
#include <pthread.h>

static const int table[4] = { 1, 2, 3, 4 };

static int get(const int *p, int i) { return p[i]; }

static void *work(void *unused) { return get(table, 3) == 4 ? unused : NULL; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
