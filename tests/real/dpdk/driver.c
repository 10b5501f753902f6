/* DPDK's ring (rte_ring.c and its headers): two threads put one element each, or (SINGLE) one puts two, while main takes
 * one.  What comes out is what went in, each once, and what one thread has put in its order.
 *
 * rte_ring_create() would take its memory from DPDK's environment; rte_ring_init() takes ours. */
#include <rte_config.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_memzone.h>
#include <rte_ring.h>
#include <rte_tailq.h>

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static struct rte_ring *ring;

#ifdef SINGLE
static void *put(void *unused)
{
    void *both[] = { (void *)1, (void *)2 };
    assert(rte_ring_enqueue_bulk(ring, both, 2, NULL) == 2);
    return unused;
}
#else
static void *put(void *value)
{
    assert(rte_ring_enqueue(ring, value) == 0);
    return NULL;
}
#endif

int main(void)
{
    pthread_t a, b;
    ring = aligned_alloc(RTE_CACHE_LINE_SIZE, (size_t)rte_ring_get_memsize(4));
    assert(ring && rte_ring_init(ring, "ring", 4, FLAGS) == 0);
    void *first = NULL, *next;
    pthread_create(&a, NULL, put, (void *)1);
#ifndef SINGLE
    pthread_create(&b, NULL, put, (void *)2);
#endif
    if (rte_ring_dequeue(ring, &first) != 0)
        first = NULL;
    pthread_join(a, NULL);
#ifndef SINGLE
    pthread_join(b, NULL);
#endif
    uintptr_t sum = (uintptr_t)first;
    unsigned n = first != NULL;
    while (rte_ring_dequeue(ring, &next) == 0) {
        assert(next == (void *)1 || next == (void *)2);
        sum += (uintptr_t)next;
        n++;
    }
    assert(n == 2 && sum == 3);
#ifdef SINGLE
    assert(first == NULL || first == (void *)1);
#endif
    free(ring);
    return 0;
}

/* What rte_ring_create() and its like would need of DPDK's environment. */
RTE_DEFINE_PER_LCORE(int, _rte_errno);
int rte_log(uint32_t level, uint32_t type, const char *format, ...)
{
    (void)level, (void)type, (void)format;
    return 0;
}
const struct rte_memzone *rte_memzone_reserve_aligned(const char *name, size_t length, int socket,
                                                      unsigned flags, unsigned align)
{
    (void)name, (void)length, (void)socket, (void)flags, (void)align;
    abort();
}
int rte_memzone_free(const struct rte_memzone *zone)
{
    (void)zone;
    abort();
}
void *rte_zmalloc(const char *type, size_t size, unsigned align)
{
    (void)type, (void)size, (void)align;
    abort();
}
void rte_free(void *p)
{
    (void)p;
    abort();
}
void rte_mcfg_tailq_read_lock(void) { abort(); }
void rte_mcfg_tailq_read_unlock(void) { abort(); }
void rte_mcfg_tailq_write_lock(void) { abort(); }
void rte_mcfg_tailq_write_unlock(void) { abort(); }
int rte_eal_tailq_register(struct rte_tailq_elem *t)
{
    (void)t;
    return 0;
}
