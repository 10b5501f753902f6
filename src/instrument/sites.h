/* The site table under construction (core/site.h). */
#ifndef HD_INSTRUMENT_SITES_H
#define HD_INSTRUMENT_SITES_H

#include "analyse/code.h"
#include "base/str.h"
#include "base/strmap.h"
#include "core/op.h"
#include "core/site.h"

#include <llvm-c/Core.h>
#include <stdint.h>

struct hd_sites {
    struct hd_site *items;
    uint32_t *points;           /* by site: its instruction's number, ~0: none */
    const struct hd_code *code; /* NULL: instructions have no numbers */
    uint32_t n, room;
    struct hd_str strings;
    struct hd_strmap offsets;   /* string -> offset */
    struct hd_strmap functions; /* mangled name of C++ -> offset of its readable one */
    struct hd_strmap ordered;   /* how many sites with an order a place of a function has */
    unsigned name_kind;         /* metadata kind of names.h */
};

void hd_sites_init(struct hd_sites *sites, LLVMContextRef context);
void hd_sites_release(struct hd_sites *sites);

/* A new site for the instruction; its id.  `arg`: whose name it has, as for hd_names_get(). */
uint32_t hd_sites_add(struct hd_sites *sites, LLVMValueRef inst, enum hd_op op, uint64_t size,
                      unsigned arg);

/* The site of the instruction is an atomic access or a fence whose order the source gives. */
void hd_sites_order(struct hd_sites *sites, LLVMValueRef inst, uint32_t site, uint32_t order);

uint32_t hd_sites_string(struct hd_sites *sites, const char *text);

/* The second string stands right behind the first one. */
uint32_t hd_sites_pair(struct hd_sites *sites, const char *first, const char *second);

/* Appends strings one after the other; returns the offset of the first. */
uint32_t hd_sites_list(struct hd_sites *sites, const struct hd_strs *list);

/* The name of the function in the source. */
const char *hd_sites_function(LLVMValueRef function, size_t *length);

#endif
