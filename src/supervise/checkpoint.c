#define _GNU_SOURCE
#include "supervise/checkpoint.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/key.h"
#include "base/str.h"
#include "base/version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC "heddle-checkpoint\n"
#define PAGE 4096u
#define LAST (~0ull)

struct head {
    char magic[24];
    char heddle[24]; /* version */
    uint32_t memory; /* HD_SHARED_VERSION */
    uint32_t jobs;
    uint64_t memory_bytes; /* of struct hd_worker_memory: another layout is another version */
    char build[40];
    uint64_t digest;
    double seconds;
};

struct extent {
    uint64_t offset, bytes;
};

/* What shapes the search: options without what may change between two parts. */
static uint64_t digest(const struct hd_checkpoint *what)
{
    struct hd_options o = *what->options;
    o.mode = o.n_parked = o.n_script = o.jobs = 0;
    o.max_executions = o.max_work = 0;
    o.reuse.classes = 0; /* the mode decides, with what the search comes to */
    o.lock_sets = 0;
    uint64_t h = hd_shared_checksum(&o);
    for (char *const *arg = what->args + 1; what->args[0] && *arg; arg++)
        h = hd_hash_bytes(h, *arg, strlen(*arg) + 1);
    return h;
}

static struct head make_head(const struct hd_checkpoint *what)
{
    struct head head = { .memory = HD_SHARED_VERSION,
                         .jobs = what->options->jobs > 1 ? what->options->jobs : 1,
                         .memory_bytes = sizeof(struct hd_worker_memory),
                         .seconds = what->seconds };
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    snprintf(head.heddle, sizeof head.heddle, "%s", HD_VERSION);
    char build[33];
    hd_program_build(what->program, build);
    memcpy(head.build, build, sizeof build);
    head.digest = digest(what);
    return head;
}

/* What shows that the file is whole, and that this user has written it. */
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
    struct hd_err ignored; /* the signature says that there was no key */
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

static bool all_zero(const char *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* The pages of [begin, end) of the memory that hold something, in extents. */
static int put_pages(struct writer *w, int memory, uint64_t begin, uint64_t end)
{
    char *at = mmap(NULL, end - begin, PROT_READ, MAP_SHARED | MAP_NORESERVE, memory,
                    (off_t)begin);
    if (at == MAP_FAILED)
        return -1;
    uint64_t n = end - begin;
    for (uint64_t i = 0; i < n; i += PAGE) {
        uint64_t last = i;
        while (last < n && !all_zero(at + last))
            last += PAGE;
        if (last == i)
            continue;
        struct extent extent = { begin + i, last - i };
        put(w, &extent, sizeof extent);
        put(w, at + i, last - i);
        i = last;
    }
    munmap(at, n);
    return 0;
}

static int put_memory(struct writer *w, int memory)
{
    static const struct extent last = { LAST, 0 };
    off_t begin, end = 0;
    while ((begin = lseek(memory, end, SEEK_DATA)) >= 0) {
        end = lseek(memory, begin, SEEK_HOLE);
        if (end < 0 || put_pages(w, memory, (uint64_t)begin, (uint64_t)end) != 0)
            return -1;
    }
    if (errno != ENXIO)
        return -1;
    put(w, &last, sizeof last);
    return 0;
}

static int put_crew(struct writer *w, const struct hd_crew *crew)
{
    int failed = 0;
    for (uint32_t i = 0; i < crew->n && !failed; i++)
        failed = put_memory(w, crew->members[i].worker.memory);
    return failed || crew->n == 1 ? failed : put_memory(w, crew->memory);
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

static int refuse(const struct head *head, const struct head *want, const char *path,
                  struct hd_err *err)
{
    if (memcmp(head->magic, want->magic, sizeof head->magic) != 0)
        return hd_err_set(err, "%s is no checkpoint of heddle", path);
    if (memcmp(head->heddle, want->heddle, sizeof head->heddle) != 0 ||
        head->memory != want->memory || head->memory_bytes != want->memory_bytes)
        return hd_err_set(err,
                          "%s was made by another version of heddle (%.20s); this is %s: check "
                          "again from the start",
                          path, head->heddle, HD_VERSION);
    if (memcmp(head->build, want->build, sizeof head->build) != 0)
        return hd_err_set(err,
                          "%s is a checkpoint of another program: it was made with build %.32s, "
                          "this one is %.32s",
                          path, head->build, want->build);
    if (head->jobs != want->jobs)
        return hd_err_set(err, "%s was made with %u worker%s: give -j %u", path, head->jobs,
                          head->jobs == 1 ? "" : "s", head->jobs);
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

/* One extent into the memory. */
static int get_pages(FILE *file, struct proof *proof, const struct extent *e, int memory,
                     uint64_t size)
{
    if (e->offset % PAGE || e->bytes % PAGE || e->bytes == 0 || e->offset > size ||
        e->bytes > size - e->offset)
        return -1;
    char *at = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory,
                    (off_t)e->offset);
    if (at == MAP_FAILED)
        return -1;
    int failed = get(file, proof, at, e->bytes);
    munmap(at, e->bytes);
    return failed;
}

static int get_memory(FILE *file, struct proof *proof, int memory, uint64_t size)
{
    struct extent e;
    while (get(file, proof, &e, sizeof e) == 0) {
        if (e.offset == LAST)
            return 0;
        if (get_pages(file, proof, &e, memory, size) != 0)
            return -1;
    }
    return -1;
}

/* 1: it is whole, but nobody knows who made it. */
static int get_crew(FILE *file, struct proof *proof, struct hd_crew *crew)
{
    struct end end;
    for (uint32_t i = 0; i < crew->n; i++)
        if (get_memory(file, proof, crew->members[i].worker.memory, HD_TOOL_BYTES) != 0)
            return -1;
    if (crew->n > 1 && get_memory(file, proof, crew->memory, HD_TREE_BYTES) != 0)
        return -1;
    bool has_key = proof->has_key;
    struct end want = proof_end(proof);
    if (fread(&end, 1, sizeof end, file) != sizeof end || end.hash != want.hash ||
        getc(file) != EOF)
        return -1;
    return has_key && hd_blake2s_same(end.signature, want.signature) ? 0 : 1;
}

static int not_of_user(const char *path, struct hd_err *err)
{
    return hd_err_set(
        err,
        "%s was not made by this user: it holds memory of the search, and could make "
        "it do anything; if you know where it is from, give --trust",
        path);
}

/* What the file says of one worker is its own but for what is ours. */
static int adopt(const struct hd_checkpoint *what, struct hd_crew *crew, uint32_t who,
                 const char *path, struct hd_err *err)
{
    struct hd_worker *worker = &crew->members[who].worker;
    const char *wrong = hd_shared_check(worker->shared, hd_program_info(what->program)->n_sites);
    if (wrong)
        return hd_err_set(err, "%s is damaged: %s", path, wrong);
    if (worker->shared->cnt.finished)
        return hd_err_set(err, "%s is of an exploration that has come to its end", path);
    worker->shared->worker = who;
    worker->shared->tree_memory = crew->memory;
    worker->shared->options.max_executions = what->options->max_executions;
    worker->shared->options.max_work = what->options->max_work;
    hd_worker_seal(worker);
    return 0;
}

int hd_checkpoint_load(struct hd_checkpoint *what, struct hd_crew *crew, const char *path,
                       struct hd_err *err)
{
    struct head head = { .memory = 0 }, want = make_head(what);
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
    int got = failed ? 0 : get_crew(file, &proof, crew);
    if (got < 0)
        failed = hd_err_set(err, "%s is damaged", path);
    else if (got == 1 && !what->trust)
        failed = not_of_user(path, err);
    fclose(file);
    for (uint32_t i = 0; i < crew->n && !failed; i++)
        failed = adopt(what, crew, i, path, err);
    if (failed)
        return -1;
    what->seconds = head.seconds;
    hd_crew_go_on(crew);
    return 0;
}
