// expect: verified
// One thread sends as many bytes as the local of the other can hold.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *unused)
{
    char got[8];
    if (read(ends[0], got, 8) > 0 && got[0] != 'a')
        return NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    if (pipe(ends))
        return 0;
    pthread_create(&t, NULL, receive, NULL);
    write(ends[1], "abcdefgh", 8);
    pthread_join(t, NULL);
    return 0;
}
