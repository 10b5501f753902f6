// expect: violation memory
// sscanf finds one number of two, and the other is used.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *text)
{
    int x = 0, y;
    int n = sscanf(text, "%d %d", &x, &y);
    if (x + y > 3) /* violation */
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
