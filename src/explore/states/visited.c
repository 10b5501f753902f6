#include "explore/states/visited.h"

#include "core/bitstate.h"
#include "core/pack_parts.h"
#include "explore/states/intern.h"

struct hd_visited {
    uint32_t store; /* enum hd_state_store */
    struct hd_counters *cnt;
    struct hd_fingerprint_set prints;
    struct hd_bitstate bits;
    struct hd_intern parts, states;
    uint64_t newest; /* the number of states that have been visited: those above are new */
    uint64_t tuple[HD_MAX_THREADS + 2];
};

struct hd_visited *hd_visited_create(struct hd_explorer *ex)
{
    struct hd_visited *v = hd_arena_take(&ex->arena, sizeof *v);
    if (!v)
        return NULL;
    v->store = ex->opt->state_store;
    v->cnt = ex->cnt;
    uint64_t bytes = ex->opt->state_memory;
    uint64_t most = bytes ? hd_fingerprint_set_fit(bytes) : ex->opt->state_cache;
    bool room;
    if (v->store == HD_STORE_EXACT)
        room = hd_intern_init(&v->parts, &ex->arena) && hd_intern_init(&v->states, &ex->arena);
    else if (v->store == HD_STORE_BITS)
        room = hd_bitstate_init(&v->bits, &ex->arena, ex->opt->state_cache, bytes);
    else
        room = hd_fingerprint_set_init(&v->prints, &ex->arena, most);
    return room ? v : NULL;
}

static uint64_t part(struct hd_visited *v, struct hd_explorer *ex, uint32_t thread)
{
    const char *bytes;
    bool fresh;
    uint64_t n = ex->world.state_bytes(ex->world.self, thread, &bytes);
    return hd_intern_add(&v->parts, bytes, n, &fresh);
}

struct hd_fingerprint hd_visited_name(struct hd_visited *v, struct hd_explorer *ex,
                                      struct hd_fingerprint print)
{
    if (v->store != HD_STORE_EXACT)
        return print;
    const struct hd_config *config = ex->world.config;
    uint64_t missing = 0;
    bool fresh;
    v->tuple[0] = part(v, ex, ~0u);
    missing |= !v->tuple[0];
    for (uint32_t t = 0; t < config->n_threads; t++) {
        bool live = hd_tset_has(&config->live, t);
        v->tuple[t + 1] = live ? part(v, ex, t) : 0;
        missing |= live && !v->tuple[t + 1];
    }
    v->tuple[config->n_threads + 1] = ex->cnt->passes;
    uint64_t number = hd_intern_add(&v->states, v->tuple, 8ull * (config->n_threads + 2), &fresh);
    if (missing || !number)
        hd_explorer_give_up(ex, "the states of the program do not fit into memory: leave out "
                                "--exact-states");
    return (struct hd_fingerprint){ number, 0 };
}

void hd_visited_prefetch(const struct hd_visited *v, struct hd_fingerprint name)
{
    hd_fingerprint_set_prefetch(&v->prints, name);
}

uint64_t hd_visited_bytes(const struct hd_visited *v)
{
    return v->prints.buckets * HD_FINGERPRINT_BUCKET;
}

bool hd_visited_add(struct hd_visited *v, struct hd_fingerprint name)
{
    if (v->store == HD_STORE_PRINTS) {
        bool fresh = hd_fingerprint_set_add(&v->prints, name);
        if (fresh)
            v->cnt->states_forgotten = hd_fingerprint_set_forgotten(&v->prints);
        return fresh;
    }
    if (v->store == HD_STORE_EXACT) {
        bool fresh = name.lo > v->newest;
        v->newest = fresh ? name.lo : v->newest;
        return fresh;
    }
    return hd_bitstate_mark(&v->bits, name.lo, name.hi);
}

void hd_visited_pack(struct hd_visited *v, struct hd_pack *p)
{
    if (v->store == HD_STORE_PRINTS) {
        hd_fingerprint_set_pack(&v->prints, p);
    } else if (v->store == HD_STORE_BITS) {
        hd_bitstate_pack(&v->bits, p);
    } else {
        hd_intern_pack(&v->parts, p, UINT64_MAX);
        hd_intern_pack(&v->states, p, sizeof v->tuple);
        hd_pack_u64(p, &v->newest);
    }
}
