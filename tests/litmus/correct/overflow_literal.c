// expect: verified
// A loop ends at the NUL of a literal.
#include <pthread.h>

static int length(const char *s)
{
    int n = 0;
    while (s[n] != 'x' && s[n])
        n++;
    return n;
}

static void *work(void *unused) { return length("abc") == 3 ? unused : NULL; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
