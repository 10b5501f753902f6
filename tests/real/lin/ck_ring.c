/* ck's ring for one producer and one consumer (or, with -DMPMC, for many), unmodified.  The ring of two holds one element.
 *
 * With one producer, each side writes its own index, and at most one element is there: a put that succeeds has seen the
 * get before it.  So the two cannot miss each other's newest store in turn, as they can in a longer ring.
 *
 * The ring of four holds three elements, and neither side has a fence between the store of its own index and the load of the
 * other one's (store buffering, which x86 does, too): the ring can be full for a put and empty for a get at a time.  With k
 * elements before, that takes 3 - k puts and one that finds it full, k gets and one that finds it empty.  If k is 0, the get
 * that finds nothing can come first.  So it is one element, three puts and two gets.  If both may fail, nothing is wrong.
 *
 * With many, a put that has claimed the place and not filled it makes the ring full for another put, and it is still empty
 * for a get.  That takes a put that is under way, and a thread that puts and gets meanwhile.  If both may fail while others
 * run, nothing is wrong. */
// lin: verified
// lin -DMPMC: results in '/ put(1); get | put(1) /'
// lin -DMPMC -DMAY_FAIL: verified
// lin -DFOUR --threads=2 --calls=5 --per-thread=3 --after=0: results in 'put(1) / put(1); put(1); put(1) | get; get /'
// lin -DFOUR -DMAY_FAIL --threads=2 --calls=5 --per-thread=3 --after=0: verified
#include <ck_ring.h>
#include <heddle/lin.h>

static struct ck_ring ring;
#ifdef FOUR
#define SIZE 4
#else
#define SIZE 2
#endif
static struct ck_ring_buffer places[SIZE];
static int values[3];

HEDDLE_LIN_SETUP { ck_ring_init(&ring, SIZE); }

#ifdef MPMC
#define enqueue ck_ring_enqueue_mpmc
#define dequeue ck_ring_dequeue_mpmc
#else
#define enqueue ck_ring_enqueue_spsc
#define dequeue ck_ring_dequeue_spsc
#endif

HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2)) { return enqueue(&ring, places, &values[v]); }

HEDDLE_LIN_OP0(get)
{
    void *value = NULL;
    return dequeue(&ring, places, &value) ? (int *)value - values : -1;
}

#ifdef MAY_FAIL
HEDDLE_LIN_MAY_FAIL(put, 0)
HEDDLE_LIN_MAY_FAIL(get, -1)
#endif
#ifndef MPMC
HEDDLE_LIN_ONLY(put, producer)
HEDDLE_LIN_ONLY(get, consumer)
#endif
