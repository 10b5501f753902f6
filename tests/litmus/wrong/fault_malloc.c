// The second allocation fails only when memory is short: the first block is then lost and the
// counter has been touched.
// expect: violation assertion
// options: --faults malloc
// also: => verified
// also: --faults malloc:2 --reduce none => violation assertion
// also: --faults malloc --reduce dpor => violation assertion
// also: --faults malloc --reduce not-seen => violation assertion
// also: --faults create => verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, blocks;

static void *add(void *unused)
{
    char *text = strdup("entry");
    if (!text)
        return unused;
    pthread_mutex_lock(&lock);
    entries++;
    int *number = malloc(sizeof *number);
    if (number) {
        *number = entries;
        blocks++;
    }
    pthread_mutex_unlock(&lock);
    free(number);
    free(text);
    return unused;
}

int main(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, add, NULL) != 0)
        return 0;
    add(NULL);
    pthread_join(t, NULL);
    assert(entries == blocks); /* violation */
    return 0;
}
