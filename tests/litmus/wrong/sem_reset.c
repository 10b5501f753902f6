// The struct is cleared after the sem_t in it was initialised.
// expect: violation misuse
#include <semaphore.h>
#include <string.h>

static struct {
    int n;
    sem_t object;
} all;

int main(void)
{
    sem_init(&all.object, 0, 1);
    sem_wait(&all.object);
    memset(&all, 0, sizeof all);
    sem_wait(&all.object); /* violation */
    return 0;
}
