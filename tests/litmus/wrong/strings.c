// A text is replaced in two steps while another thread compares it.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[16] = "old";

static void *work(void *unused)
{
    text[0] = 'N';
    strcpy(text + 1, "EW");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int is_old = strcmp(text, "old") == 0;
    int is_new = strcmp(text, "NEW") == 0;
    assert(is_old || is_new); /* violation */
    pthread_join(t, NULL);
    return 0;
}
