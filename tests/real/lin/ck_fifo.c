/* ck's linked queue for one producer and one consumer, unmodified.
 *
 * The element is stored before the link, and loaded behind it, by instructions of x86, which keep that order.  A get that finds
 * nothing has not seen the link; so no put happens before it but those whose elements were taken. */
// lin: verified
#include <ck_fifo.h>
#include <heddle/lin.h>

static ck_fifo_spsc_t fifo;
static struct ck_fifo_spsc_entry stub, entries[16];
static int values[3], used;

HEDDLE_LIN_SETUP
{
    used = 0;
    ck_fifo_spsc_init(&fifo, &stub);
}

HEDDLE_LIN_VOID(put, int v, HEDDLE_IN(1, 2))
{
    ck_fifo_spsc_enqueue(&fifo, &entries[used++], &values[v]);
}

HEDDLE_LIN_OP0(get)
{
    int *value = NULL;
    return ck_fifo_spsc_dequeue(&fifo, &value) ? value - values : -1;
}

HEDDLE_LIN_ONLY(put, producer)
HEDDLE_LIN_ONLY(get, consumer)
