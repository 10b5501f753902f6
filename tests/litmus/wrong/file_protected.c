// The other thread may write to a mapped file that may only be read by then.
// expect: violation crash
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static int *shared;

static void *write_it(void *unused)
{
    shared[0] = 1; /* violation */
    return unused;
}

int main(void)
{
    pthread_t id;
    int file = open("heddle-litmus-protected", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4096) != 0)
        return 1;
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_create(&id, NULL, write_it, NULL);
    mprotect(shared, 4096, PROT_READ);
    pthread_join(id, NULL);
    return 0;
}
