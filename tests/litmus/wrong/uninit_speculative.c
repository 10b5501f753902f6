// expect: violation memory
// What was read from memory without a value is used although it is not valid.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    int valid, value;
};

static int get(const struct slot *s) { return s->value; }

static void *work(void *unused)
{
    struct slot *s = malloc(sizeof *s);
    s->valid = 0;
    int value = get(s);
    if (!s->valid && value == 3) /* violation */
        puts("three");
    free(s);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
