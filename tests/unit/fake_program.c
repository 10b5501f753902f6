#include "fake_program.h"

#include "core/abi.h"
#include "core/filters.h"
#include "core/searches.h"

__attribute__((section(HD_SECTION_INFO), used)) const struct hd_program_info fake_program_info = {
    .magic = HD_PROGRAM_MAGIC,
    .abi = HD_ABI_VERSION,
    .n_filters = HD_N_FILTERS,
    .n_searches = HD_N_SEARCHES,
    .n_sites = 2,
    .n_strings = 16,
    .build_id = { 0xab, 1 },
    .n_unseen = 1,
    .unseen = 7,
};
__attribute__((section(HD_SECTION_SITES), used)) static const struct hd_site sites[2] = {
    [1] = { .file = 1, .function = 5, .variable = 13, .line = 12, .column = 3 },
};
__attribute__((section(HD_SECTION_STRINGS),
               used)) static const char strings[16] = "\0a.c\0f\0extrn\0x\0";

int fake_counter;
int fake_table[4];
