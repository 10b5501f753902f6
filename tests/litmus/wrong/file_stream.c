// 12: two threads take a character each of one stream; which of them comes first is open.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *take(void *unused)
{
    assert(fgetc(file) == '1'); /* violation */
    return unused;
}

int main(void)
{
    pthread_t id;
    file = fopen(__FILE__, "r");
    assert(file && fseek(file, 3, SEEK_SET) == 0);
    pthread_create(&id, NULL, take, NULL);
    fgetc(file);
    pthread_join(id, NULL);
    fclose(file);
    return 0;
}
