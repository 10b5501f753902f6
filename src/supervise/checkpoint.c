#define _GNU_SOURCE
#include "supervise/checkpoint.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/key.h"
#include "base/str.h"
#include "base/version.h"
#include "core/pack_parts.h"
#include "core/worker_pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "heddle-checkpoint\n"
#define CHUNK (1u << 20)
#define MOST_RESULT (1u << 28) /* bytes of what one worker has counted and found */

struct head {
    char magic[24];
    char heddle[24];  /* heddle's version, for messages */
    uint32_t version; /* HD_UNIT_VERSION: what decides */
    uint16_t n_results, n_units;
    char build[36];
    uint32_t sharing; /* how many workers shared a tree, which the first unit holds; 0: none */
    uint64_t digest;
    double seconds;
};

uint64_t hd_checkpoint_digest(const struct hd_checkpoint *what)
{
    struct hd_options o = *what->options;
    o.mode = o.n_parked = o.n_script = o.jobs = 0;
    o.max_executions = o.max_work = o.first_random = 0;
    o.near_work = o.near_expected = o.states_work = 0;
    o.reuse.classes = 0; /* the mode decides, with what the search comes to */
    o.lock_sets = o.note_steps = 0;
    uint64_t h = hd_hash_bytes(HD_SHARED_MAGIC, &o, sizeof o);
    for (char *const *arg = what->args + 1; what->args[0] && *arg; arg++)
        h = hd_hash_bytes(h, *arg, strlen(*arg) + 1);
    return h;
}

static struct head make_head(const struct hd_checkpoint *what)
{
    struct head head = { .version = HD_UNIT_VERSION, .seconds = what->seconds };
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    snprintf(head.heddle, sizeof head.heddle, "%s", HD_VERSION);
    char build[33];
    hd_program_build(what->program, build);
    memcpy(head.build, build, sizeof build);
    head.digest = hd_checkpoint_digest(what);
    return head;
}

/* A proof that the file is complete, and that this user has written it. */
struct proof {
    uint64_t hash;
    bool has_key;
    struct hd_blake2s state;
};

struct end {
    uint64_t hash;
    uint8_t signature[HD_BLAKE2S_BYTES];
};

static void proof_begin(struct proof *proof, bool create)
{
    struct hd_key key;
    struct hd_err ignored; /* without a key there is no signature */
    *proof = (struct proof){ .has_key = hd_key_get(&key, create, &ignored) == 0 };
    if (proof->has_key)
        hd_key_begin(&proof->state, &key, "heddle-checkpoint");
    explicit_bzero(&key, sizeof key);
}

static void proof_add(struct proof *proof, const void *bytes, size_t n)
{
    proof->hash = hd_hash_bytes(proof->hash, bytes, n);
    if (proof->has_key)
        hd_blake2s_add(&proof->state, bytes, n);
}

static struct end proof_end(struct proof *proof)
{
    struct end end = { .hash = proof->hash };
    if (proof->has_key)
        hd_blake2s_end(&proof->state, end.signature);
    return end;
}

struct writer {
    FILE *file;
    struct proof proof;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    proof_add(&w->proof, bytes, n);
    fwrite(bytes, 1, n, w->file);
}

/* What the worker has counted and found. */
static int put_result(struct writer *w, struct hd_worker *worker)
{
    uint64_t room = hd_worker_pack_room(worker->shared);
    void *bytes = hd_alloc(room);
    struct hd_pack p = hd_pack_writer(bytes, room);
    hd_worker_pack(worker->shared, &p);
    uint64_t n = (uint64_t)(p.at - (uint8_t *)bytes);
    put(w, &n, sizeof n);
    put(w, bytes, n);
    free(bytes);
    return p.bad ? -1 : 0;
}

/* What is still to be done: n bytes of a worker's memory, or of the tree's. */
static int put_unit(struct writer *w, int memory, uint64_t from, uint64_t n)
{
    uint64_t done = 0;
    off_t at = (off_t)from;
    char *chunk = hd_alloc(CHUNK);
    put(w, &n, sizeof n);
    while (done < n) {
        size_t part = n - done < CHUNK ? (size_t)(n - done) : CHUNK;
        if (pread(memory, chunk, part, at + (off_t)done) != (ssize_t)part)
            break;
        put(w, chunk, part);
        done += part;
    }
    free(chunk);
    return done == n ? 0 : -1;
}

static int put_crew(struct writer *w, const struct hd_crew *crew)
{
    int failed = 0;
    for (uint32_t i = 0; i < crew->n_members && !failed; i++)
        failed = put_result(w, &crew->members[i].worker);
    for (uint32_t i = 0; i < crew->n && !failed; i++) {
        const struct hd_worker *worker = &crew->members[i].worker;
        failed = put_unit(w, worker->memory, worker->shared->unit_at, worker->shared->unit_bytes);
    }
    for (uint32_t i = 0; crew->tree && i < HD_MAX_UNITS && !failed; i++) {
        const struct hd_waiting_unit *unit = &crew->tree->units[i];
        if (unit->bytes)
            failed = put_unit(w, crew->memory, unit->at, unit->bytes);
    }
    return failed;
}

static void count_crew(struct head *head, const struct hd_crew *crew)
{
    head->n_results = (uint16_t)crew->n_members;
    head->n_units = (uint16_t)crew->n;
    head->sharing = crew->tree ? crew->n : 0;
    for (uint32_t i = 0; crew->tree && i < HD_MAX_UNITS; i++)
        head->n_units = (uint16_t)(head->n_units + (crew->tree->units[i].bytes != 0));
}

int hd_checkpoint_save(const struct hd_checkpoint *what, const struct hd_crew *crew,
                       const char *path, struct hd_err *err)
{
    struct hd_new_file file;
    struct hd_err why;
    if (hd_fs_exists(path) && !hd_fs_is_file(path))
        return hd_err_set(err, "cannot write the checkpoint %s: it is no regular file", path);
    if (hd_new_file_begin(&file, path, &why) != 0)
        return hd_err_set(err, "cannot write the checkpoint %s", why.text);
    struct head head = make_head(what);
    count_crew(&head, crew);
    int own = dup(file.fd);
    struct writer w = { .file = own < 0 ? NULL : fdopen(own, "wb") };
    bool failed = !w.file;
    if (w.file) {
        proof_begin(&w.proof, true);
        put(&w, &head, sizeof head);
        failed = put_crew(&w, crew) != 0;
        struct end end = proof_end(&w.proof);
        fwrite(&end, 1, sizeof end, w.file);
        failed = fflush(w.file) != 0 || ferror(w.file) || fsync(own) != 0 || failed;
        failed = fclose(w.file) != 0 || failed;
    }
    if (hd_new_file_end(&file, failed, &why) != 0)
        return hd_err_set(err, "cannot write the checkpoint %s", why.text);
    return 0;
}

static int refuse_damaged(const char *path, struct hd_err *err)
{
    return hd_err_set(err, "%s is damaged: check again from the start, without --resume", path);
}

static int refuse(const struct head *head, const struct head *want, const char *path,
                  struct hd_err *err)
{
    if (memcmp(head->magic, want->magic, sizeof head->magic) != 0)
        return hd_err_set(err, "%s is no checkpoint of heddle", path);
    if (head->version != want->version)
        return hd_err_set(err,
                          "%s was made by another version of heddle (%.20s); this is %s: check "
                          "again from the start",
                          path, head->heddle, HD_VERSION);
    if (head->n_results == 0 || head->n_results > HD_MAX_JOBS || head->n_units == 0 ||
        head->n_units > HD_MAX_UNITS || head->sharing > head->n_units ||
        (!head->sharing && (head->n_results > 1 || head->n_units > 1)))
        return refuse_damaged(path, err);
    if (memcmp(head->build, want->build, sizeof head->build) != 0)
        return hd_err_set(err,
                          "%s is a checkpoint of another program: it was made with build %.32s, "
                          "this one is %.32s",
                          path, head->build, want->build);
    if (head->digest != want->digest)
        return hd_err_set(err,
                          "%s was made with other options, or other arguments of the program: "
                          "give the same",
                          path);
    return 0;
}

static int get(FILE *file, struct proof *proof, void *bytes, size_t n)
{
    if (fread(bytes, 1, n, file) != n)
        return -1;
    proof_add(proof, bytes, n);
    return 0;
}

/* Is the file with this head as it was written?  Its lengths say what was hashed at once. */
static bool is_whole(FILE *file, const struct head *head)
{
    struct proof proof = { .has_key = false };
    struct end end;
    bool whole = true;
    proof_add(&proof, head, sizeof *head);
    for (uint32_t i = 0; i < (uint32_t)head->n_results + head->n_units && whole; i++) {
        uint64_t n = 0, most = i < head->n_results ? MOST_RESULT : CHUNK;
        whole = get(file, &proof, &n, sizeof n) == 0;
        void *bytes = hd_alloc((n < most ? n : most) + 1);
        for (uint64_t done = 0, part; done < n && whole; done += part) {
            part = n - done < most ? n - done : most;
            whole = get(file, &proof, bytes, part) == 0;
        }
        free(bytes);
    }
    return whole && fread(&end, 1, sizeof end, file) == sizeof end && end.hash == proof.hash &&
           getc(file) == EOF;
}

/* Has this version of heddle written the file?  One field of its head may be damaged. */
static bool was_ours(const struct head *head, const struct head *want)
{
    int same = memcmp(head->magic, want->magic, sizeof head->magic) == 0;
    same += memcmp(head->heddle, want->heddle, sizeof head->heddle) == 0;
    return same + (head->version == want->version) >= 2;
}

/* Read n bytes of the file into `memory` from `at` on. */
static int get_bytes(FILE *file, struct proof *proof, int memory, uint64_t at, uint64_t n)
{
    uint64_t done = 0;
    char *chunk = hd_alloc(CHUNK);
    while (done < n) {
        size_t part = n - done < CHUNK ? (size_t)(n - done) : CHUNK;
        if (get(file, proof, chunk, part) != 0 ||
            pwrite(memory, chunk, part, (off_t)(at + done)) != (ssize_t)part)
            break;
        done += part;
    }
    free(chunk);
    return done == n ? 0 : -1;
}

static int get_length(FILE *file, struct proof *proof, uint64_t most, uint64_t *n)
{
    return get(file, proof, n, sizeof *n) != 0 || *n == 0 || *n > most ? -1 : 0;
}

/* Read a unit to the end of the memory, after everything that a new explorer may use. */
static int get_unit(FILE *file, struct proof *proof, struct hd_worker *worker)
{
    uint64_t n;
    if (get_length(file, proof, HD_TOOL_BYTES / 2, &n) != 0)
        return -1;
    worker->shared->unit_at = (HD_TOOL_BYTES - n) & ~4095ull;
    worker->shared->unit_bytes = n;
    worker->shared->takeover = HD_TAKEOVER_UNIT;
    return get_bytes(file, proof, worker->memory, worker->shared->unit_at, n);
}

/* A unit without a worker waits at the end of the tree's memory. */
static int get_waiting(FILE *file, struct proof *proof, const struct hd_crew *crew)
{
    struct hd_shared_tree_head *tree = crew->tree;
    uint64_t n;
    if (tree->n_slots == HD_MAX_UNITS ||
        get_length(file, proof, (HD_TREE_BYTES / 2 - tree->reserved) & ~4095ull, &n) != 0)
        return -1;
    tree->reserved += (n + 4095) & ~4095ull;
    struct hd_waiting_unit unit = { .at = HD_TREE_BYTES - tree->reserved, .bytes = n, .room = n };
    tree->units[tree->n_slots++] = unit;
    tree->n_units++;
    return get_bytes(file, proof, crew->memory, unit.at, n);
}

static int get_result(FILE *file, struct proof *proof, struct hd_worker *worker)
{
    uint64_t n = 0;
    if (get(file, proof, &n, sizeof n) != 0 || n > MOST_RESULT)
        return -1;
    void *bytes = hd_alloc(n + 1);
    int failed = get(file, proof, bytes, n);
    struct hd_pack p = hd_pack_reader(bytes, n);
    if (!failed)
        hd_worker_pack(worker->shared, &p);
    failed = failed || p.bad || p.at != p.end;
    free(bytes);
    return failed ? -1 : 0;
}

/* Returns 1 if the file is complete but not signed by this user, and 2 if the signature itself
 * is damaged. */
static int get_crew(FILE *file, struct proof *proof, const struct head *head,
                    struct hd_crew *crew)
{
    struct end end;
    for (uint32_t i = 0; i < head->n_results; i++)
        if (get_result(file, proof, &crew->members[i].worker) != 0)
            return -1;
    uint32_t direct = crew->n < head->sharing ? crew->n : head->sharing ? head->sharing : 1;
    for (uint32_t i = 0; i < head->n_units; i++)
        if (i < direct ? get_unit(file, proof, &crew->members[i].worker)
                       : get_waiting(file, proof, crew))
            return -1;
    bool has_key = proof->has_key;
    struct end want = proof_end(proof);
    if (fread(&end, 1, sizeof end, file) != sizeof end || end.hash != want.hash ||
        getc(file) != EOF)
        return -1;
    if (has_key && hd_blake2s_same(end.signature, want.signature))
        return 0;
    return has_key && hd_key_nearly(end.signature, want.signature) ? 2 : 1;
}

static int not_of_user(const char *path, struct hd_err *err)
{
    return hd_err_set(
        err,
        "%s was not made by this user: what it says is explored is not explored again; if "
        "you know where it is from, give --trust",
        path);
}

/* Make room for everything that is in the file. */
static int prepare(const struct head *head, struct hd_crew *crew, struct hd_err *err)
{
    const struct hd_options *options = &crew->members[0].worker.shared->options;
    if (!head->sharing && crew->n > 1 && options->filters & HD_FILTER_STATES)
        return hd_err_set(err, "the checkpoint has the states of one worker: use -j 1");
    if (head->sharing && hd_crew_share(crew, err) != 0)
        return -1;
    return hd_crew_keep(crew, head->n_results, err);
}

/* Workers that begin without a unit need what the others have found out. */
static void brief(const struct head *head, struct hd_crew *crew)
{
    const struct hd_worker_memory *first = crew->members[0].worker.shared;
    for (uint32_t i = head->n_results; i < crew->n; i++) {
        struct hd_worker_memory *shared = crew->members[i].worker.shared;
        shared->options.reuse.classes = first->options.reuse.classes;
        shared->options.n_parked = first->options.n_parked;
        shared->ctl.load_base = first->ctl.load_base;
        shared->readset = first->readset;
        shared->parts = shared->parts_found = first->parts;
    }
}

/* Can a worker have found what the file says? */
static int check(const struct hd_checkpoint *what, struct hd_crew *crew, uint32_t who,
                 const char *path, struct hd_err *err)
{
    struct hd_worker *worker = &crew->members[who].worker;
    hd_worker_seal(worker);
    const char *wrong = hd_shared_check(worker->shared, hd_program_info(what->program)->n_sites);
    if (wrong)
        return hd_err_set(err, "%s is damaged: %s", path, wrong);
    if (worker->shared->cnt.finished)
        return hd_err_set(err, "%s is of an exploration that has come to its end", path);
    return 0;
}

int hd_checkpoint_load(struct hd_checkpoint *what, struct hd_crew *crew, const char *path,
                       struct hd_err *err)
{
    struct head head = { .version = 0 }, want = make_head(what);
    struct proof proof;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return hd_err_set(
            err, "cannot read the checkpoint %s: %s%s", path, strerror(errno),
            errno == ENOENT ? " (a check that ends before its first save leaves none)" : "");
    proof_begin(&proof, false);
    int failed = get(file, &proof, &head, sizeof head) != 0
                     ? hd_err_set(err, "%s is no checkpoint of heddle", path)
                     : refuse(&head, &want, path, err);
    if (failed && was_ours(&head, &want) && !is_whole(file, &head))
        refuse_damaged(path, err);
    failed = failed || prepare(&head, crew, err);
    int got = failed ? 0 : get_crew(file, &proof, &head, crew);
    if (got < 0 || (got == 2 && !what->trust))
        failed = refuse_damaged(path, err);
    else if (got == 1 && !what->trust)
        failed = not_of_user(path, err);
    fclose(file);
    if (!failed)
        brief(&head, crew);
    for (uint32_t i = 0; i < crew->n_members && !failed; i++)
        failed = check(what, crew, i, path, err);
    if (failed)
        return -1;
    what->seconds = head.seconds;
    if (crew->tree)
        crew->tree->counted = hd_crew_counters(crew).executions; /* the bound may be new */
    return 0;
}

bool hd_checkpoint_is_of(const struct hd_checkpoint *what, const char *path)
{
    struct head head, want = make_head(what);
    struct hd_err ignored;
    FILE *file = fopen(path, "rbe");
    bool read = file && fread(&head, 1, sizeof head, file) == sizeof head;
    if (file)
        fclose(file);
    return read && refuse(&head, &want, path, &ignored) == 0;
}
