// expect: violation memory
// A function that the library calls writes after a local of the function that called the
// library.
#define _GNU_SOURCE
#include <assert.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char *kept;

static void keep(char *p) { kept = p; }

/* Leaves bytes of a local that has ended where frames of the library will lie. */
static void deep(void)
{
    char all[4096];
    keep(all);
    memset(all, 1, sizeof all);
}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    int *a = data;
    a[4] = info->dlpi_phnum; /* violation */
    return size > 0;
}

static void *work(void *unused)
{
    int a[4] = { 0 };
    deep();
    dl_iterate_phdr(look, a);
    assert(a[3] == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
