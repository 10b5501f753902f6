/* libFuzzer target: checkpoints.  The head is made right, as well as the hash at the end, so that the
 * fuzzer gets to what is between them, the result of one worker and its work unit; every eighth input is the whole file as it is.
 * HEDDLE_FUZZ_PROGRAM names a program built by heddle. */
#define _GNU_SOURCE
#include "supervise/checkpoint.h"

#include "base/hash.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#define END_BYTES 40     /* the hash and the signature */
#define HEAD_BYTES 112   /* of struct head */
#define CHUNK (1u << 20) /* of the reader */

static struct hd_program *program;
static struct hd_crew crew;
static struct hd_options options = { .jobs = 1 };
static char *args[] = { (char[]){ "p" }, NULL };
static char head[HEAD_BYTES], path[40];
static int file;

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "checkpoint fuzzer: %s\n", why);
    exit(99);
}

/* What the head is worth is known from a checkpoint that is written here. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct hd_err err = { "" };
    const char *name = getenv("HEDDLE_FUZZ_PROGRAM");
    (void)argc;
    (void)argv;
    if (!name || hd_program_open(&program, name, NULL, &err) != 0)
        give_up(name ? err.text : "HEDDLE_FUZZ_PROGRAM names no program");
    char saved[] = "/tmp/heddle-fuzz.XXXXXX";
    int fd = mkstemp(saved);
    struct hd_checkpoint what = { .program = program, .args = args, .options = &options };
    if (fd < 0 || hd_crew_init(&crew, &options, NULL, &err) != 0 ||
        hd_checkpoint_save(&what, &crew, saved, &err) != 0)
        give_up(err.text);
    close(fd);
    fd = open(saved, O_RDONLY);
    ssize_t got = read(fd, head, sizeof head);
    close(fd);
    unlink(saved);
    if (got < HEAD_BYTES)
        give_up("the head is too short");
    file = memfd_create("checkpoint", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return 0;
}

/* The hash is made piece by piece, as the reader gets them. */
static uint64_t hash_of(const uint8_t *bytes, size_t n)
{
    uint64_t hash = hd_hash_bytes(0, head, sizeof head), length;
    for (uint32_t part = 0; part < 2 && n >= sizeof length; part++) {
        memcpy(&length, bytes, sizeof length);
        hash = hd_hash_bytes(hash, bytes, sizeof length);
        bytes += sizeof length;
        n -= sizeof length;
        for (uint64_t left = length; left && left <= n;) {
            uint64_t chunk = part == 1 && left > CHUNK ? CHUNK : left;
            hash = hd_hash_bytes(hash, bytes, chunk);
            bytes += chunk;
            n -= chunk;
            left -= chunk;
        }
    }
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct hd_err err = { "" };
    struct hd_checkpoint what = {
        .program = program, .args = args, .options = &options, .trust = true
    };
    char end[END_BYTES] = { 0 };
    bool raw = n > 0 && bytes[n - 1] % 8 == 7;
    uint64_t hash = hash_of(bytes, n);
    memcpy(end, &hash, sizeof hash);
    size_t before = raw ? 0 : sizeof head;
    if (ftruncate(file, 0) != 0 || pwrite(file, head, before, 0) != (ssize_t)before ||
        pwrite(file, bytes, n, (off_t)before) != (ssize_t)n ||
        (!raw && pwrite(file, end, sizeof end, (off_t)(before + n)) != sizeof end))
        return 0;
    if (hd_checkpoint_load(&what, &crew, path, &err) != 0 && !*err.text)
        abort();
    fallocate(crew.members[0].worker.memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
              (off_t)HD_TOOL_BYTES);
    return 0;
}
