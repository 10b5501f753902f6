/* What the link step needs from native objects. */
#ifndef HD_COMPILE_ELF_H
#define HD_COMPILE_ELF_H

#include "compile/symbols.h"

#include <stdbool.h>
#include <stddef.h>

bool hd_elf_is(const char *bytes, size_t n);
bool hd_elf_is_shared(const char *bytes, size_t n);

/* Adds the symbols a native object (of a shared one, the dynamic symbols) defines and wants. */
void hd_elf_symbols(const char *bytes, size_t n, struct hd_symbols *symbols);

/* The contents of the section of that name, inside `bytes`; NULL when there is none. */
const char *hd_elf_section(const char *bytes, size_t n, const char *name, size_t *size);

/* The bitcode in an object file of heddle cc -c; NULL when there is none. */
#define HD_SECTION_BITCODE ".heddle"
const char *hd_elf_bitcode(const char *bytes, size_t n, size_t *size);

/* Where in the file the name of that section stands; 0 when there is no such section. */
size_t hd_elf_name_of_section(const char *bytes, size_t n, const char *name);

#endif
