// expect: verified
// The name fits into its array; memset may fill the array and what follows it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[4];
    int number;
};

static void set_name(struct record *r, const char *name) { strcpy(r->name, name); }

static void *work(void *text)
{
    struct record *r = calloc(1, sizeof *r);
    set_name(r, text);
    memset(r->name, 0, sizeof *r);
    int changed = r->number;
    free(r);
    return changed ? text : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "123");
    pthread_join(t, NULL);
    return 0;
}
