// expect: violation memory
// The name of the working directory, at least "/" and a NUL, is stored into one byte.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *work(void *unused)
{
    char path[1];
    return getcwd(path, 4096) ? unused : NULL; /* violation */
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
