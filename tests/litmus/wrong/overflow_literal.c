// expect: violation memory
// A loop looks for a character that the literal does not have, and goes on after its NUL.
#include <pthread.h>

static int length(const char *s)
{
    int n = 0;
    while (s[n] != 'x') /* violation */
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
