/* libFuzzer target: executables, above all heddle's own sections in them.  The seeds hold those and
 * the symbols alone: debug information is libdw's to read. */
#define _GNU_SOURCE
#include "supervise/program.h"

#include "core/site.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void look(struct hd_program *program)
{
    struct hd_place place;
    struct hd_str text;
    uint64_t address, offset;
    size_t length = 0;
    bool unique;
    uint32_t sites = hd_program_info(program)->n_sites;
    hd_str_init(&text);
    for (uint32_t i = 0; i < sites + 2 && i < 300; i++) {
        place = hd_program_site(program, i);
        length += strlen(place.file) + strlen(place.function) + strlen(place.variable);
        hd_program_point(program, i);
        length += strlen(hd_program_unseen(program, i));
    }
    for (uint64_t pc = 0; pc < 64; pc++) {
        hd_program_pc(program, pc * 61, &place);
        hd_program_entry(program, pc * 61);
        const char *name = hd_program_object(program, pc * 61, &offset, &unique);
        length += name ? strlen(name) : 0;
        hd_program_element(program, pc * 61, 0, &text);
        hd_program_address(program, pc * 61, &text);
    }
    hd_program_variable(program, "x", &address);
    size_t module;
    const char *bitcode = hd_program_module(program, &module);
    for (size_t i = 0; bitcode && i < module; i++)
        length += (unsigned char)bitcode[i];
    if (length == SIZE_MAX)
        abort();
    hd_str_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static int file = -1;
    struct hd_program *program;
    struct hd_err err = { "" };
    char path[40];
    if (file < 0)
        file = memfd_create("executable", 0);
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, n, 0) != (ssize_t)n)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (hd_program_open(&program, path, "p", &err) != 0) {
        if (!*err.text)
            abort();
        return 0;
    }
    look(program);
    hd_program_close(program);
    return 0;
}
