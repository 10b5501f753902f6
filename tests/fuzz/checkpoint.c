/* libFuzzer target: checkpoints.  The head is made right, as well as the hash at the end, so that the
 * fuzzer gets to what is between them; every eighth input is the whole file as it is.
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

#define END_BYTES 40 /* the hash and the signature */
#define PAGE 4096u

static struct hd_program *program;
static struct hd_crew crew;
static struct hd_options options = { .jobs = 1 };
static char *args[] = { (char[]){ "p" }, NULL };
static char head[4096], path[40];
static size_t head_bytes;
static int file;

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "checkpoint fuzzer: %s\n", why);
    exit(99);
}

/* What the head is worth is known from a checkpoint that is written here: all but the memory and
 * the end of one that is empty. */
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
    /* The first extent begins with its offset, 0, and a number of whole pages. */
    uint64_t extent[2];
    for (head_bytes = 96; head_bytes + sizeof extent < (size_t)got; head_bytes += 8) {
        memcpy(extent, head + head_bytes, sizeof extent);
        if (extent[0] == 0 && extent[1] && extent[1] % PAGE == 0 && extent[1] < 1u << 30)
            break;
    }
    file = memfd_create("checkpoint", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return 0;
}

/* The hash is made piece by piece, as the reader gets them. */
static uint64_t hash_of(const uint8_t *bytes, size_t n)
{
    uint64_t hash = hd_hash_bytes(0, head, head_bytes), extent[2];
    while (n >= sizeof extent) {
        memcpy(extent, bytes, sizeof extent);
        hash = hd_hash_bytes(hash, extent, sizeof extent);
        bytes += sizeof extent;
        n -= sizeof extent;
        if (extent[0] == ~0ull || extent[1] > n)
            break;
        hash = hd_hash_bytes(hash, bytes, extent[1]);
        bytes += extent[1];
        n -= extent[1];
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
    size_t before = raw ? 0 : head_bytes;
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
