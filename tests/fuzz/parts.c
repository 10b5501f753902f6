/* libFuzzer target: what one process of a split search sends another: work units, results and messages between
 * ranks.  The first byte says which.  Head and hash are made right, so that the fuzzer gets to what is between them;
 * with bit 3 of that byte the whole is taken as it is.  HEDDLE_FUZZ_PROGRAM names a program built by heddle. */
#define _GNU_SOURCE
#include "supervise/parts.h"
#include "base/fs.h"
#include "base/hash.h"
#include "supervise/errand.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static struct hd_program *program;
static struct hd_options options = { .jobs = 1 };
static char *args[] = { (char[]){ "p" }, NULL };
static char path[] = "heddle-fuzz-part";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct hd_err err = { "" };
    const char *name = getenv("HEDDLE_FUZZ_PROGRAM");
    (void)argc;
    (void)argv;
    if (!name || hd_program_open(&program, name, NULL, &err) != 0) {
        fprintf(stderr, "parts fuzzer: %s\n",
                name ? err.text : "HEDDLE_FUZZ_PROGRAM names no program");
        exit(99);
    }
    return 0;
}

static void try_message(const uint8_t *bytes, size_t n, bool raw)
{
    struct hd_err err = { "" };
    struct hd_errand errand;
    struct hd_str message;
    uint64_t hash = hd_hash_bytes(n, bytes, n);
    hd_str_init(&message);
    hd_str_append_bytes(&message, bytes, n);
    if (!raw)
        hd_str_append_bytes(&message, &hash, sizeof hash);
    if (hd_errand_read(&errand, message.text, message.length, &err) != 0 && !*err.text)
        abort();
    hd_errand_release(&errand);
    hd_str_release(&message);
}

static void try_file(const uint8_t *bytes, size_t n, enum hd_sealed_kind kind, bool raw)
{
    struct hd_err err = { "" };
    struct hd_checkpoint what = {
        .program = program, .args = args, .options = &options, .trust = true
    };
    struct hd_str payload;
    hd_str_init(&payload);
    hd_str_append_bytes(&payload, bytes, n);
    int failed = raw ? hd_fs_write(path, bytes, n, &err)
                     : hd_sealed_write(path, kind, &what, &payload, &err);
    hd_str_release(&payload);
    if (failed)
        return;
    if (kind == HD_SEALED_UNIT) {
        struct hd_part_unit unit = { .classes = 0 };
        hd_str_init(&unit.bytes);
        failed = hd_part_unit_read(path, &unit, &what, &err);
        hd_part_unit_release(&unit);
    } else {
        struct hd_part_result result = { .n_left = 0 };
        hd_str_init(&result.workers);
        failed = hd_part_result_read(path, kind == HD_SEALED_MANIFEST, &result, &what, &err);
        hd_part_result_release(&result);
    }
    if (failed && !*err.text)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n < 1)
        return 0;
    uint32_t which = bytes[0] % 4;
    bool raw = bytes[0] & 8;
    if (which == HD_N_SEALED)
        try_message(bytes + 1, n - 1, raw);
    else
        try_file(bytes + 1, n - 1, (enum hd_sealed_kind)which, raw);
    return 0;
}
