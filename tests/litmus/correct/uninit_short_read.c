// expect: verified
// Only the bytes that came are looked at.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *unused)
{
    char got[8];
    int n = (int)read(ends[0], got, sizeof got);
    for (int i = 0; n >= 0 && i < n; i++)
        if (got[i] == '!')
            abort();
    return unused;
}

int main(void)
{
    pthread_t t;
    if (pipe(ends))
        return 0;
    pthread_create(&t, NULL, receive, NULL);
    write(ends[1], "abc", 3);
    pthread_join(t, NULL);
    return 0;
}
