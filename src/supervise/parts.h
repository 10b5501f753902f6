/* Parts of a search as files (docs/design/023-machines.md).
 *
 * A *unit* is a part of the tree of executions that any process can explore.  A *result*
 * says what was counted and found in a unit, and which smaller units are left of it.  The
 * *manifest* is the result of the split: what was explored until there were enough units,
 * and which units are left of the whole tree.  A unit is known by a hash of its contents.
 * So a unit is covered exactly when there is a result of it and all units that are left of
 * it are covered; the tree is covered when the units of the manifest are. */
#ifndef HD_SUPERVISE_PARTS_H
#define HD_SUPERVISE_PARTS_H

#include "base/blake2s.h"
#include "core/pack.h"
#include "supervise/job.h"
#include "supervise/sealed.h"

#define HD_MAX_UNIT_NAME 96
#define HD_MAX_LEFT 1000000 /* units that one result may name */

struct hd_part_id {
    uint8_t bytes[HD_BLAKE2S_BYTES];
};

struct hd_part_unit {
    struct hd_part_id id;
    struct hd_threads threads; /* names that its path uses */
    uint64_t classes;          /* of addresses that come back (core/reuse.h) */
    struct hd_str bytes;       /* explore/jobs/unit.h */
};

/* A unit by its hash and the name of its file. */
struct hd_part_ref {
    struct hd_part_id id;
    char name[HD_MAX_UNIT_NAME];
};

struct hd_part_result {
    struct hd_part_id unit; /* zero: of the whole tree */
    bool broke;             /* it ended with the first violation */
    uint64_t classes;
    double seconds;
    uint32_t n_left, room_left;
    struct hd_part_ref *left;
    uint32_t n_workers;
    struct hd_str workers; /* of each worker, its length and core/worker_pack.h */
    uint64_t n_keys, room_keys;
    uint64_t *keys; /* of observations, each once per worker process */
};

/* The work of an exploration that is a part of a search. */
struct hd_part {
    const struct hd_part_unit *unit; /* NULL: everything */
    struct hd_part_result result;    /* `left` has no names */
    uint32_t n_units, room_units;
    struct hd_part_unit *units; /* what is left */
};

void hd_part_release(struct hd_part *part);
void hd_part_unit_release(struct hd_part_unit *unit);
void hd_part_result_release(struct hd_part_result *result);

/* A new unit that is left, to be filled. */
struct hd_part_unit *hd_part_add_unit(struct hd_part *part);
void hd_part_add_left(struct hd_part_result *result, const struct hd_part_id *id,
                      const char *name);
void hd_part_add_keys(struct hd_part_result *result, const uint64_t *keys, uint64_t n);

/* Fill in unit->id. */
void hd_part_identify(struct hd_part_unit *unit, const struct hd_checkpoint *what);
bool hd_part_same(const struct hd_part_id *a, const struct hd_part_id *b);

int hd_part_unit_write(const char *path, struct hd_part_unit *unit,
                       const struct hd_checkpoint *what, struct hd_err *err);
int hd_part_unit_read(const char *path, struct hd_part_unit *unit,
                      const struct hd_checkpoint *what, struct hd_err *err);
int hd_part_result_write(const char *path, const struct hd_part_result *result,
                         const struct hd_checkpoint *what, struct hd_err *err);
/* `manifest`: the result of the split is expected.  What a worker has counted is not looked at
 * yet. */
int hd_part_result_read(const char *path, bool manifest, struct hd_part_result *result,
                        const struct hd_checkpoint *what, struct hd_err *err);

/* A text with its length; it grows when it is read. */
void hd_parts_pack_text(struct hd_pack *p, struct hd_str *text);

#endif
