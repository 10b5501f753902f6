// The file may be unmapped before the other thread has read it.
// expect: violation crash
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *shared;
static _Atomic int sum;

static void *work(void *unused)
{
    sum = shared[0]; /* violation */
    return unused;
}

int main(void)
{
    pthread_t id;
    int file = open(__FILE__, O_RDONLY);
    shared = mmap(NULL, 100, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    pthread_create(&id, NULL, work, NULL);
    munmap((void *)shared, 100);
    pthread_join(id, NULL);
    return 0;
}
