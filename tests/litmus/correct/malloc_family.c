// malloc, calloc, realloc, aligned_alloc, posix_memalign, strdup in threads of their own.
// expect: verified
// executions: 1
// (every thread allocates in its own arena)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    char *text = strdup("heddle");
    text = realloc(text, 4000);
    assert(text && strcmp(text, "heddle") == 0);
    void *aligned = aligned_alloc(64, 128), *also = NULL;
    assert((uintptr_t)aligned % 64 == 0);
    assert(posix_memalign(&also, 256, 10) == 0 && (uintptr_t)also % 256 == 0);
    int *numbers = calloc(100, sizeof *numbers);
    assert(numbers[99] == 0);
    free(numbers);
    free(aligned);
    free(also);
    free(text);
    free(NULL);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
