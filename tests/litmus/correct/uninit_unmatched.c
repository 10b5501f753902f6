// expect: verified
// The second number is used only where there was one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *text)
{
    int x = 0, y;
    int n = sscanf(text, "%d %d", &x, &y);
    if (n == 2 && x + y > 3)
        abort();
    return n ? NULL : text;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "1 x");
    pthread_join(t, NULL);
    return 0;
}
