/* libFuzzer target: work units.  The first byte names a search, the rest is what is after the head of
 * a unit; length and hash are made right.  What is not refused is gone on with, on a small program of
 * the unit tests' fake world. */
#include "explore/jobs/unit.h"
#include "base/hash.h"
#include "core/pack_parts.h"
#include "fake_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#define UNIT_HEAD 32u

static const uint32_t searches[] = { 0,
                                     HD_FILTER_SLEEP,
                                     HD_FILTER_SOURCE,
                                     HD_FILTER_DPOR,
                                     HD_FILTER_OPTIMAL,
                                     HD_FILTER_OBSERVERS,
                                     HD_FILTER_OPTIMAL | HD_FILTER_TRACES,
                                     HD_FILTER_NOT_SEEN,
                                     HD_FILTER_NOT_SEEN_HASH,
                                     HD_FILTER_NOT_SEEN | HD_FILTER_SUPER_STEP,
                                     HD_FILTER_SHARED,
                                     HD_FILTER_DPOR_PLAIN,
                                     HD_FILTER_SYNC_ONLY };
#define SEARCHES (sizeof searches / sizeof *searches)

static void put_word(uint8_t *at, uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static void open_rig(struct fake_rig *rig, struct fake_thread *threads, struct fake_program *p,
                     uint8_t search)
{
    fake_random_program(3, threads, p);
    fake_rig_open(rig, p);
    rig->shared->options.filters = searches[search % SEARCHES];
    rig->shared->options.paranoid = 0;
    rig->shared->options.depth = 100;
}

static void write_seed(const char *folder, uint8_t search)
{
    static uint8_t unit[1 << 16];
    struct fake_thread threads[3];
    struct fake_program p;
    struct fake_rig rig;
    char path[4096];
    open_rig(&rig, threads, &p, search);
    rig.shared->options.max_executions = 2;
    fake_rig_run(&rig);
    uint64_t n = hd_explorer_pack(rig.ex, &rig.world.world, unit, sizeof unit);
    snprintf(path, sizeof path, "%s/%u", folder, search);
    FILE *file = n ? fopen(path, "we") : NULL;
    if (file) {
        unit[UNIT_HEAD - 1] = search;
        fwrite(unit + UNIT_HEAD - 1, 1, n - UNIT_HEAD + 1, file);
        fclose(file);
    }
    fake_rig_close(&rig);
}

/* A unit of every search is where the fuzzer begins. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *folder = getenv("HEDDLE_FUZZ_SEEDS");
    (void)argc;
    (void)argv;
    for (uint8_t i = 0; i < SEARCHES && folder; i++)
        write_seed(folder, i);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct fake_thread threads[3];
    struct fake_program p;
    struct fake_rig rig;
    if (n < 1)
        return 0;
    uint8_t *unit = malloc(UNIT_HEAD + n);
    memcpy(unit + UNIT_HEAD, bytes + 1, n - 1);
    put_word(unit, HD_UNIT_MAGIC);
    put_word(unit + 8, HD_UNIT_VERSION);
    put_word(unit + 16, n - 1);
    put_word(unit + 24, hd_hash_bytes(n - 1, unit + UNIT_HEAD, n - 1));
    open_rig(&rig, threads, &p, bytes[0]);
    rig.shared->options.max_executions = 10;
    rig.ex = fake_explorer_create(rig.shared, &rig.world);
    if (rig.ex && !hd_explorer_unpack(rig.ex, unit, UNIT_HEAD + n - 1)) {
        hd_explorer_resume(rig.ex, &rig.world.world);
        if (rig.shared->ctl.state == HD_STATE_STARTING)
            fake_world_explore(&rig.world, rig.ex);
    }
    fake_rig_close(&rig);
    free(unit);
    return 0;
}
