// expect: violation memory
// A name that is longer than the array in the structure is written over the member that follows.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[4];
    int number;
};

static void set_name(struct record *r, const char *name)
{
    strcpy(r->name, name); /* violation */
}

static void *work(void *text)
{
    struct record *r = calloc(1, sizeof *r);
    set_name(r, text);
    int changed = r->number;
    free(r);
    return changed ? text : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "12345");
    pthread_join(t, NULL);
    return 0;
}
