// A library function reads what another thread writes.
// expect: violation data-race
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[8] = "x";

static void *rename_it(void *unused)
{
    strcpy(name, "yz"); /* race */
    return unused;
}

static void *show(void *unused)
{
    char line[32];
    snprintf(line, sizeof line, "%s", name); /* race */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, rename_it, NULL);
    pthread_create(&b, NULL, show, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
