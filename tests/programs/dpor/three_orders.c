/* Three threads access x, and all six orders matter.  Optimal DPOR comes to nodes with reversals for two threads.  A filter behind
 * it that goes on with one thread alone drops the other reversal: docs/scale.md. */
#include <heddle.h>
#include <pthread.h>

static _Atomic int x;
static int begun, seen;

static void *writes(void *unused)
{
    begun = 1;
    x = 2;
    return unused;
}

static void *reads(void *unused)
{
    seen = x;
    return unused;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, writes, NULL);
    pthread_create(&reader, NULL, reads, NULL);
    x = 1;
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    int last[3] = { x, seen, begun };
    heddle_observe(last, sizeof last);
}
