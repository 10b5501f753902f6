// A thread takes away a file that is mapped, and the program never writes: the other thread may not have read it yet.
// expect: violation crash
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *shared;
static int sum;

static void *forget(void *unused)
{
    munmap((void *)shared, 100);
    return unused;
}

int main(void)
{
    pthread_t id;
    int file = open(__FILE__, O_RDONLY);
    shared = mmap(NULL, 100, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    pthread_create(&id, NULL, forget, NULL);
    sum = shared[0]; /* violation */
    pthread_join(id, NULL);
    return 0;
}
