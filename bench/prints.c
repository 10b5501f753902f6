/* How much memory the set of visited states takes: `prints NUMBER` adds so many fingerprints to a
 * set (src/explore/states/fingerprint_set.c) and says how much memory the process has needed.
 * bench/stateful.sh runs it. */
#include "base/hash.h"
#include "explore/states/fingerprint_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

void *hd_arena_take(struct hd_arena *arena, uint64_t bytes)
{
    void *at = arena->base + arena->used;
    arena->used += bytes;
    return arena->used <= arena->size ? at : NULL;
}

void hd_arena_give_back(void *memory, uint64_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }

int main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000000, fresh = 0;
    struct hd_arena arena = { .size = 8ull << 30 };
    struct hd_fingerprint_set set;
    struct rusage used;
    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena.base == MAP_FAILED || !hd_fingerprint_set_init(&set, &arena, 0))
        return 1;
    for (uint64_t i = 0; i < n; i++)
        fresh += hd_fingerprint_set_add(
            &set, (struct hd_fingerprint){ hd_hash_mix(i + 1), hd_hash_mix(~i) });
    getrusage(RUSAGE_SELF, &used);
    printf("%llu fingerprints, %llu forgotten: %ld kB resident, %.1f bytes each, %.2f s\n",
           (unsigned long long)fresh, (unsigned long long)hd_fingerprint_set_forgotten(&set),
           used.ru_maxrss, 1024.0 * (double)used.ru_maxrss / (double)n,
           (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec);
    return fresh != n || hd_fingerprint_set_forgotten(&set);
}
