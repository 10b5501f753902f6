/* Atomic accesses under a weak memory model (docs/design/019-graph.md).
 *
 * While exploring, the search knows the stores and says which of them a load reads.  In a
 * replay the stores of every location are listed here, from the oldest to the newest in the
 * order of modification; a step's choice is the number of stores that are newer than the one
 * that it reads or makes.  Nothing is rolled back in a replay.
 *
 * Memory holds the newest store, which is what plain accesses read. */
#include "runtime/view.h"

#include <sys/mman.h>

#define MOST_PLACES 65536u
#define MOST_STORES (1u << 22)

struct stored {
    uint64_t value[2];
    uint32_t older; /* + 1 */
};

struct place {
    uint64_t at;
    uint32_t bytes;
    uint32_t newest; /* + 1 */
    bool written;    /* by a plain access, in the step that runs */
};

static struct {
    struct place *places;
    uint32_t n_places;
    struct stored *stores;
    uint32_t n_stores;
} now;

static void prepare(void)
{
    uint64_t places = sizeof *now.places * MOST_PLACES, stores = sizeof *now.stores * MOST_STORES;
    char *memory = hd_mmap(NULL, places + stores, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        hd_fatal("no room for the stores of the replay");
    now.places = (struct place *)memory;
    now.stores = (struct stored *)(memory + places);
}

/* Returns the number of the store, + 1. */
static uint32_t put(uint32_t store, const void *from, uint64_t bytes, uint32_t older)
{
    struct stored *s = &now.stores[store];
    *s = (struct stored){ .older = older };
    memcpy(s->value, from, bytes <= sizeof s->value ? bytes : sizeof s->value);
    return store + 1;
}

static uint32_t add(const void *from, uint64_t bytes, uint32_t older)
{
    if (now.n_stores == MOST_STORES)
        hd_fatal("the replay has more than %u atomic stores", MOST_STORES);
    return put(now.n_stores++, from, bytes, older);
}

static struct place *place_of(const void *at, uint64_t bytes)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    if (!now.places)
        prepare();
    for (uint32_t i = now.n_places; i-- > 0;)
        if (now.places[i].at == address && now.places[i].bytes == bytes)
            return &now.places[i];
    if (now.n_places == MOST_PLACES)
        hd_fatal("the replay has more than %u atomic variables", MOST_PLACES);
    struct place *p = &now.places[now.n_places++];
    *p = (struct place){ .at = address, .bytes = (uint32_t)bytes };
    p->newest = add(at, bytes, 0);
    return p;
}

/* The newest store of the place.  While a thread is alone, nobody can read an older one any
 * more: an endless loop does not fill the list. */
static void enter(struct place *p, const void *from)
{
    if (hd_is_alone())
        p->newest = put(p->newest - 1, from, p->bytes, now.stores[p->newest - 1].older);
    else
        p->newest = add(from, p->bytes, p->newest);
}

/* The link to the store that has `newer` newer stores; NULL if there are not so many. */
static uint32_t *find(struct place *p, uint32_t newer)
{
    uint32_t *link = &p->newest;
    for (; newer && now.stores[*link - 1].older; newer--)
        link = &now.stores[*link - 1].older;
    return newer ? NULL : link;
}

/* The same for the running step. */
static uint32_t *link_now(const void *at, uint64_t bytes)
{
    uint32_t *link = find(place_of(at, bytes), rt->choice);
    if (!link)
        hd_replay_stop(HD_REPLAY_CHOICE);
    return link;
}

unsigned __int128 hd_weak_load_value(const void *at, uint64_t bytes)
{
    unsigned __int128 value;
    if (rt->mode == HD_EXPLORING)
        return hd_explorer_weak_load(rt->ex);
    uint32_t store = *link_now(at, bytes);
    memcpy(&value, now.stores[store - 1].value, sizeof value);
    return value;
}

void hd_weak_load(const void *at, void *into, uint64_t bytes)
{
    unsigned __int128 value = hd_weak_load_value(at, bytes);
    memcpy(into, &value, bytes);
}

void hd_weak_peek(const struct hd_action *a, uint32_t choice, uint64_t out[2])
{
    struct place *p = place_of((const void *)(uintptr_t)a->object, a->size);
    const uint32_t *link = find(p, choice);
    memcpy(out, now.stores[(link ? *link : p->newest) - 1].value, sizeof(uint64_t[2]));
}

bool hd_weak_store_value(const void *at, unsigned __int128 value, uint64_t bytes)
{
    if (rt->mode == HD_EXPLORING)
        return hd_explorer_weak_store(rt->ex, value);
    if (!rt->choice) {
        enter(place_of(at, bytes), &value);
        return true;
    }
    uint32_t *link = link_now(at, bytes);
    *link = add(&value, bytes, *link);
    return false;
}

bool hd_weak_store(const void *at, const void *from, uint64_t bytes)
{
    unsigned __int128 value = 0;
    memcpy(&value, from, bytes);
    return hd_weak_store_value(at, value, bytes);
}

void hd_weak_plain_load(const void *at, void *into, uint64_t bytes)
{
    if (rt->mode != HD_EXPLORING || hd_explorer_weak_gives(rt->ex))
        hd_weak_load(at, into, bytes);
}

bool hd_weak_plain_store(const void *at, const void *from, uint64_t bytes)
{
    return (rt->mode == HD_EXPLORING && !hd_explorer_weak_gives(rt->ex)) ||
           hd_weak_store(at, from, bytes);
}

/* Does the plain store enter its value itself? */
static bool enters(const struct place *p, const struct hd_action *a)
{
    return rt->plain_events && a->op == HD_OP_WRITE && !hd_action_on_memory(a) &&
           p->at == a->object && p->bytes == a->size;
}

/* Record what plain accesses of the last step have stored as the newest store of its
 * location. */
void hd_weak_step(const struct hd_action *a)
{
    bool writes = hd_op_table[a->op].space == HD_SPACE_MEM &&
                  hd_op_table[a->op].access == HD_ACCESS_WRITE && a->op != HD_OP_ATOMIC_WRITE &&
                  a->op != HD_OP_RMW && a->op != HD_OP_CAS;
    for (uint32_t i = 0; i < now.n_places; i++) {
        struct place *p = &now.places[i];
        if (p->written)
            enter(p, (const void *)(uintptr_t)p->at);
        p->written = writes && a->object < p->at + p->bytes && p->at < a->object + a->size &&
                     !enters(p, a);
    }
}
