#include "explore/states/visited.h"

#include "core/pack_parts.h"
#include "explore/states/intern.h"

#define BITS_PER_STATE 4u
#define MOST_BITS (1ull << 33)

struct hd_visited {
    uint32_t store; /* enum hd_state_store */
    struct hd_fingerprint_set prints;
    uint64_t *bits;
    uint64_t n_bits; /* a power of two */
    struct hd_intern parts, states;
    uint64_t newest; /* the number of states that have been visited: those above are new */
    uint64_t tuple[HD_MAX_THREADS + 2];
};

static bool make_bits(struct hd_visited *v, struct hd_explorer *ex)
{
    v->n_bits = MOST_BITS;
    while (ex->opt->state_cache && v->n_bits > 16ull * ex->opt->state_cache)
        v->n_bits /= 2;
    v->bits = hd_arena_take(&ex->arena, v->n_bits / 8);
    return v->bits;
}

struct hd_visited *hd_visited_create(struct hd_explorer *ex)
{
    struct hd_visited *v = hd_arena_take(&ex->arena, sizeof *v);
    if (!v)
        return NULL;
    v->store = ex->opt->state_store;
    bool room;
    if (v->store == HD_STORE_EXACT)
        room = hd_intern_init(&v->parts, &ex->arena) && hd_intern_init(&v->states, &ex->arena);
    else if (v->store == HD_STORE_BITS)
        room = make_bits(v, ex);
    else
        room = hd_fingerprint_set_init(&v->prints, &ex->arena, ex->opt->state_cache);
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

bool hd_visited_add(struct hd_visited *v, struct hd_fingerprint name)
{
    if (v->store == HD_STORE_PRINTS)
        return hd_fingerprint_set_add(&v->prints, name);
    if (v->store == HD_STORE_EXACT) {
        bool fresh = name.lo > v->newest;
        v->newest = fresh ? name.lo : v->newest;
        return fresh;
    }
    bool fresh = false;
    for (uint32_t i = 0; i < BITS_PER_STATE; i++) {
        uint64_t bit = (name.lo + i * (name.hi | 1)) & (v->n_bits - 1);
        fresh = fresh || !(v->bits[bit / 64] >> bit % 64 & 1);
        v->bits[bit / 64] |= 1ull << bit % 64;
    }
    return fresh;
}

/* The words of the table that are not 0, each with its distance from the one before. */
static void pack_bits(struct hd_visited *v, struct hd_pack *p)
{
    uint64_t words = v->n_bits / 64, n = 0, at = 0;
    for (uint64_t i = 0; i < words && !p->reading; i++)
        n += v->bits[i] != 0;
    hd_pack_count64(p, &n, words);
    for (uint64_t i = 0; i < n && !p->bad; i++, at++) {
        uint64_t gap = 0;
        while (!p->reading && !v->bits[at + gap])
            gap++;
        hd_pack_u64(p, &gap);
        hd_pack_want(p, gap < words - at);
        if (p->bad)
            return;
        at += gap;
        hd_pack_words(p, &v->bits[at], 1);
    }
}

void hd_visited_pack(struct hd_visited *v, struct hd_pack *p)
{
    if (v->store == HD_STORE_PRINTS) {
        hd_fingerprint_set_pack(&v->prints, p);
    } else if (v->store == HD_STORE_BITS) {
        pack_bits(v, p);
    } else {
        hd_intern_pack(&v->parts, p, UINT64_MAX);
        hd_intern_pack(&v->states, p, sizeof v->tuple);
        hd_pack_u64(p, &v->newest);
    }
}
