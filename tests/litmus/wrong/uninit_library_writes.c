// expect: violation memory
// A system call is made with a number that nobody has written: pipe() was forgotten.
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused)
{
    int parts[2];
    write(parts[1], "x", 1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
