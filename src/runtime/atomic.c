/* Atomic accesses: one action each. view.h gives them their values. */
#include "core/abi.h"
#include "runtime/fault.h"
#include "runtime/memory.h"
#include "runtime/reuse.h"

/* LLVMAtomicRMWBinOp */
enum rmw { XCHG, ADD, SUB, AND, NAND, OR, XOR, MAX, MIN, UMAX, UMIN };

/* The next action commutes with others of its kind, if --finer rmw is on.  Its operand is kept,
 * to compute the value without some of them. */
static void post_commuting(uint32_t how, uint64_t low, uint64_t high)
{
    static const uint8_t kinds[] = {
        [ADD] = HD_COMMUTES_ADD, [SUB] = HD_COMMUTES_ADD,   [AND] = HD_COMMUTES_AND,
        [OR] = HD_COMMUTES_OR,   [XOR] = HD_COMMUTES_XOR,   [MAX] = HD_COMMUTES_MAX,
        [MIN] = HD_COMMUTES_MIN, [UMAX] = HD_COMMUTES_UMAX, [UMIN] = HD_COMMUTES_UMIN,
    };
    if (rt->solo_fast || !rt->shared || !(rt->shared->options.finer & HD_FINER_RMW) ||
        how >= sizeof kinds || !kinds[how])
        return;
    struct hd_thread *t = hd_thread_now();
    uint128_t operand = (uint128_t)high << 64 | low;
    if (how == SUB)
        operand = -operand;
    HD_SET(t->expected, (uint64_t)operand);
    HD_SET(t->expected_hi, (uint64_t)(operand >> 64));
    hd_next_now()->size2 = kinds[how];
}

/* --faults cas.  A weak compare-exchange that fails spuriously is a load with the order of
 * failure, after a step whose choice it is.  If it reads another value, it would have failed
 * anyway: that is explored with the other choice, and the thread stands still. */
uint32_t __heddle_cas_fails(uint32_t site)
{
    return hd_fault(HD_FAULT_CAS, site) ? HD_CAS_FAILS : 0;
}

/* The order with which it reads (fail8 and its like).  The thread does not wait for another
 * value in the loop around it.  To x86 (--memory tso) a compare-exchange is a full barrier also
 * if it fails. */
static uint32_t begin_spurious(uint32_t site, uint32_t order)
{
    hd_await_goes_on();
    if (rt->shared->options.memory == HD_MEMORY_TSO)
        __heddle_fence(HD_ORDER_STRONG, site);
    return hd_order_of_failure(hd_site_order(site, order));
}

#define HD_WIDTH(bits, bytes)                                                                    \
    typedef __typeof__((uint##bits##_t)0) u##bits;                                               \
    typedef HD_SIGNED_##bits s##bits;                                                            \
    static u##bits combine##bits(u##bits old, u##bits v, uint32_t how, uint32_t site)            \
    {                                                                                            \
        switch (how) {                                                                           \
        case XCHG:                                                                               \
            return v;                                                                            \
        case ADD:                                                                                \
            return (u##bits)(old + v);                                                           \
        case SUB:                                                                                \
            return (u##bits)(old - v);                                                           \
        case AND:                                                                                \
            return (u##bits)(old & v);                                                           \
        case NAND:                                                                               \
            return (u##bits) ~(old & v);                                                         \
        case OR:                                                                                 \
            return (u##bits)(old | v);                                                           \
        case XOR:                                                                                \
            return (u##bits)(old ^ v);                                                           \
        case MAX:                                                                                \
            return (s##bits)old > (s##bits)v ? old : v;                                          \
        case MIN:                                                                                \
            return (s##bits)old < (s##bits)v ? old : v;                                          \
        case UMAX:                                                                               \
            return old > v ? old : v;                                                            \
        case UMIN:                                                                               \
            return old < v ? old : v;                                                            \
        default:                                                                                 \
            hd_fatal("site %u: unknown atomic operation %u", site, how);                         \
        }                                                                                        \
    }                                                                                            \
    u##bits __heddle_aload##bytes(const void *a, uint32_t order, uint32_t site)                  \
    {                                                                                            \
        hd_before_atomic(HD_OP_ATOMIC_READ, a, bytes, order, site);                              \
        u##bits v;                                                                               \
        hd_view_atomic_load(rt->cur, a, &v, bytes, order);                                       \
        if (HD_UNLIKELY(rt->mode == HD_REPLAYING))                                               \
            hd_replay_values((uint64_t)v, 0, HD_STEP_HAS_READ);                                  \
        return v;                                                                                \
    }                                                                                            \
    void __heddle_astore##bytes(void *a, u##bits v, uint32_t order, uint32_t site)               \
    {                                                                                            \
        hd_before_atomic(HD_OP_ATOMIC_WRITE, a, bytes, order, site);                             \
        hd_view_atomic_store(rt->cur, a, &v, bytes, order);                                      \
        if (HD_UNLIKELY(rt->mode == HD_REPLAYING))                                               \
            hd_replay_values(0, (uint64_t)v, HD_STEP_HAS_WRITTEN);                               \
    }                                                                                            \
    u##bits __heddle_rmw##bytes(void *a, u##bits v, uint32_t how, uint32_t order, uint32_t site) \
    {                                                                                            \
        bool unused = how & HD_RMW_UNUSED;                                                       \
        how &= ~HD_RMW_UNUSED;                                                                   \
        if (unused)                                                                              \
            post_commuting(how, (uint64_t)v, (uint64_t)((uint128_t)v >> 64));                    \
        hd_before_atomic(HD_OP_RMW, a, bytes, order, site);                                      \
        if (unused)                                                                              \
            hd_next_now()->size2 = HD_COMMUTES_NOT;                                              \
        u##bits old, now;                                                                        \
        hd_view_atomic_load(rt->cur, a, &old, bytes, order);                                     \
        now = combine##bits(old, v, how, site);                                                  \
        hd_view_atomic_store(rt->cur, a, &now, bytes, order);                                    \
        if (HD_UNLIKELY(rt->mode == HD_REPLAYING))                                               \
            hd_replay_values((uint64_t)old, (uint64_t)now,                                       \
                             HD_STEP_HAS_READ | HD_STEP_HAS_WRITTEN);                            \
        return old;                                                                              \
    }                                                                                            \
    static u##bits fail##bits(const void *a, u##bits expected, uint32_t order, uint32_t site)    \
    {                                                                                            \
        order = begin_spurious(site, order);                                                     \
        hd_before_ordered(HD_OP_ATOMIC_READ, a, bytes, order, site);                             \
        u##bits old;                                                                             \
        hd_view_atomic_load(rt->cur, a, &old, bytes, order);                                     \
        if (HD_UNLIKELY(rt->mode == HD_REPLAYING))                                               \
            hd_replay_values((uint64_t)old, 0, HD_STEP_HAS_READ);                                \
        if (old != expected)                                                                     \
            hd_stand_still(false, site);                                                         \
        return old;                                                                              \
    }                                                                                            \
    u##bits __heddle_cas##bytes(void *a, u##bits expected, u##bits desired, uint32_t order,      \
                                uint32_t site)                                                   \
    {                                                                                            \
        if (HD_UNLIKELY(order & HD_CAS_FAILS))                                                   \
            return fail##bits(a, expected, order & ~HD_CAS_FAILS, site);                         \
        struct hd_thread *t = hd_thread_now();                                                   \
        HD_SET(t->expected, (uint64_t)expected);                                                 \
        if (bytes > 8)                                                                           \
            HD_SET(t->expected_hi, (uint64_t)((uint128_t)expected >> 64));                       \
        hd_before_atomic(HD_OP_CAS, a, bytes, order, site);                                      \
        u##bits old;                                                                             \
        hd_view_atomic_load(rt->cur, a, &old, bytes, order);                                     \
        if (old == expected)                                                                     \
            hd_view_atomic_store(rt->cur, a, &desired, bytes, order);                            \
        if (HD_UNLIKELY(rt->mode == HD_REPLAYING))                                               \
            hd_replay_values((uint64_t)old, (uint64_t)desired,                                   \
                             old == expected ? HD_STEP_HAS_READ | HD_STEP_HAS_WRITTEN            \
                                             : HD_STEP_HAS_READ);                                \
        if (bytes >= 8)                                                                          \
            hd_reuse_compared((uint64_t)old, (uint64_t)expected, site);                          \
        if (bytes > 8)                                                                           \
            hd_reuse_compared((uint64_t)((uint128_t)old >> 64),                                  \
                              (uint64_t)((uint128_t)expected >> 64), site);                      \
        return old;                                                                              \
    }

#define HD_SIGNED_8 int8_t
#define HD_SIGNED_16 int16_t
#define HD_SIGNED_32 int32_t
#define HD_SIGNED_64 int64_t
#define HD_SIGNED_128 __int128
#include "runtime/widths.def"
#undef HD_WIDTH

/* Does the search over execution graphs not know the access?  It supports the usual widths
 * only. */
static bool is_unknown(uint32_t site)
{
    if (HD_LIKELY(!rt->weak) || rt->solo_fast)
        return false;
    rt->shared->ctl.error_site = site;
    return true;
}

static void refuse_weak(uint32_t site)
{
    if (is_unknown(site))
        hd_fatal("an atomic access of an unusual size, which the graph search does not know: "
                 "use --memory sc");
}

/* Accesses of other widths, which the library performs under a lock of its own. */
void __heddle_aload_n(const void *a, void *into, uint64_t n, uint32_t order, uint32_t site)
{
    refuse_weak(site);
    hd_before_atomic(HD_OP_ATOMIC_READ, a, n, order, site);
    hd_view_atomic_load(rt->cur, a, into, n, order);
}

void __heddle_astore_n(void *a, const void *from, uint64_t n, uint32_t order, uint32_t site)
{
    refuse_weak(site);
    hd_before_atomic(HD_OP_ATOMIC_WRITE, a, n, order, site);
    hd_view_atomic_store_range(rt->cur, a, from, n, order);
}

void __heddle_will_rmw(void *a, uint64_t n, uint32_t order, uint32_t site)
{
    if (is_unknown(site))
        hd_fatal("inline assembly that accesses memory, or an atomic exchange of an unusual "
                 "size, which the graph search does not know: use --memory sc");
    hd_before_atomic(HD_OP_RMW, a, n, order, site);
    hd_log_range(a, n);
}

/* A step of its own under a weak memory model.  With a size it is the first half of a
 * membarrier (explore/graph/membarrier.c). */
static void weak_fence(uint32_t order, uint32_t size, uint32_t site)
{
    struct hd_action *a = hd_post(HD_OP_FENCE, NULL, NULL, size, site, 1);
    a->order = (uint8_t)order;
    if (!hd_engine_fast_path())
        hd_point();
}

void hd_fence_everywhere(uint32_t site)
{
    if (rt->solo_fast & HD_FAST_SOLO)
        return;
    if (rt->row)
        hd_engine_row_over();
    weak_fence(HD_ORDER_STRONG, 1, site);
    weak_fence(HD_ORDER_STRONG, 0, site);
}

void __heddle_fence(uint32_t order, uint32_t site)
{
    order = hd_site_order(site, order);
    struct hd_action fence = {
        .site = site, .op = HD_OP_FENCE, .order = (uint8_t)order, .choices = 1
    };
    if (rt->solo_fast & HD_FAST_SOLO || order == HD_ORDER_RELAXED)
        return;
    if (rt->row)
        hd_engine_row_over();
    if (rt->weak) {
        weak_fence(order, 0, site);
        return;
    }
    if (rt->mode == HD_REPLAYING) {
        hd_unordered_fence(&fence);
        hd_replay_fence(order);
    } else if (rt->mode == HD_EXPLORING)
        hd_explorer_fence(rt->ex, &fence);
}

void __heddle_barrier(uint32_t site)
{
    if (rt->shared && rt->shared->options.memory == HD_MEMORY_TSO)
        __heddle_fence(HD_ORDER_STRONG, site);
}
