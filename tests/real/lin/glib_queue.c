/* glib's GAsyncQueue, unmodified, on its GQueue, GList, GMutex and GCond.  GSlice calls malloc here, as it does in glib from
 * 2.76 on: the older one takes a lock eighty times when a thread ends, and these have too many orders.
 *
 * Everything happens under one mutex, so push, try_pop and length are linearizable, and so are push, try_pop and pop, which
 * waits while the queue is empty.  But length counts a pop that waits as -1: its manual says so.  No order explains that, since
 * a call that waits has not taken effect.  It takes a pop that waits and a length.
 *
 * BUG 1: push does not lock: two of them race.
 * BUG 2: try_pop looks whether an element is there, and then pops it.  Another thread can take it in between, and the call
 *        waits for ever, as try_pop alone never does.  That takes an element and two threads that want it. */
// lin --calls=3 --threads=2 --after=0: verified
// lin -DPOP --calls=3 --threads=2 --after=0: verified
// lin -DPOP -DLENGTH: deadlock in '/ length | pop /'
// lin -DBUG=1: data race in '/ push(1) | push(1) /'
// lin -DBUG=2: deadlock in '/ push(1); try_pop | try_pop /'
#include <glib.h>
#include <heddle/lin.h>
#include <stdlib.h>

gpointer g_slice_alloc(gsize size) { return malloc(size); }
gpointer g_slice_alloc0(gsize size) { return calloc(1, size); }
gpointer g_slice_copy(gsize size, gconstpointer from) { return memcpy(malloc(size), from, size); }
void g_slice_free1(gsize size, gpointer block) { (void)size, free(block); }

void g_slice_free_chain_with_offset(gsize size, gpointer chain, gsize offset)
{
    (void)size;
    while (chain) {
        gpointer next = *(gpointer *)((char *)chain + offset);
        free(chain);
        chain = next;
    }
}

static GAsyncQueue *queue;
static char elements[3];

static long number(gpointer element) { return element ? (char *)element - elements : 0; }

HEDDLE_LIN_SETUP { queue = g_async_queue_new(); }
HEDDLE_LIN_TEARDOWN { g_async_queue_unref(queue); }

HEDDLE_LIN_VOID(push, int v, HEDDLE_IN(1, 2))
{
#if BUG == 1
    g_async_queue_push_unlocked(queue, &elements[v]);
#else
    g_async_queue_push(queue, &elements[v]);
#endif
}

HEDDLE_LIN_OP0(try_pop)
{
#if BUG == 2
    return g_async_queue_length(queue) > 0 ? number(g_async_queue_pop(queue)) : 0;
#else
    return number(g_async_queue_try_pop(queue));
#endif
}

#if !defined POP || defined LENGTH
HEDDLE_LIN_OP0(length) { return g_async_queue_length(queue); }
#endif
#ifdef POP
HEDDLE_LIN_OP0(pop) { return number(g_async_queue_pop(queue)); }
#endif
