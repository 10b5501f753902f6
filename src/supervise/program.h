/* An executable built by heddle, seen from outside: its site table, its symbols, its lines. */
#ifndef HD_SUPERVISE_PROGRAM_H
#define HD_SUPERVISE_PROGRAM_H

#include "base/err.h"
#include "base/str.h"
#include "core/finding.h"
#include "core/op.h"
#include "core/site.h"
#include "supervise/dwarf_types.h"
#include "supervise/dwarf_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_program;

/* A place in the source.  Texts are the program's, "" when not known; numbers 0 likewise. */
struct hd_fork_server;

struct hd_place {
    const char *file;
    const char *function;
    const char *variable;
    uint32_t line, column;
    uint32_t bytes; /* of an access */
    uint32_t nth;   /* of atomic accesses that one macro makes at one line and column */
    bool access;    /* a memory access that is instrumented */
};

/* Opens and checks the file: an ELF executable of this machine, built by a heddle of this ABI.
 * Messages call it `name`, or by its path when that is NULL. */
int hd_program_open(struct hd_program **program, const char *path, const char *name,
                    struct hd_err *err);
void hd_program_close(struct hd_program *program); /* NULL is fine */

const char *hd_program_path(const struct hd_program *program);
const char *hd_program_name(const struct hd_program *program);
const struct hd_program_info *hd_program_info(const struct hd_program *program);

/* The executable's folder.  Relative paths of source files are those of the folder that it was
 * linked in, which a program does not know: often this one, or one above. */
const char *hd_program_directory(const struct hd_program *program);

/* What the program's sites call the file that it names itself (__FILE__: as the compiler was
 * given it, wherever that ran); the path itself when that is not known. */
const char *hd_program_file(const struct hd_program *program, const char *path);

/* The thread-local blocks that a worker of this program is to prepare.  A search says here how
 * many threads it has met, so that the workers after it have neither too few nor too many. */
uint32_t *hd_program_parked(struct hd_program *program);

/* The process that its workers are copied from (supervise/program_start.h), which ends with the
 * program. */
struct hd_fork_server *hd_program_server(const struct hd_program *program);

/* With `n` of them a worker had too few: so many has the next one.  24 blocks take as long to
 * prepare as a third of the start of a worker does. */
#define HD_FIRST_PARKED 8
#define HD_MORE_PARKED(n)                                                                        \
    ((n) < HD_FIRST_PARKED      ? HD_FIRST_PARKED                                                \
     : (n) < HD_MAX_THREADS / 4 ? 4 * (n)                                                        \
                                : HD_MAX_THREADS)

/* Where the program looks at an address of a thread's own memory as a number; "": nowhere. */
const char *hd_program_told_apart(const struct hd_program *program);

/* The name of the i'th function that may be called unseen, i < info->n_unseen. */
const char *hd_program_unseen(const struct hd_program *program, uint32_t i);

/* The analysed module, as bitcode; NULL when there is none. */
const void *hd_program_module(const struct hd_program *program, size_t *bytes);

/* The number of the site's instruction in that module; ~0: not known. */
uint32_t hd_program_point(const struct hd_program *program, uint32_t site);

/* The sites that read what the value or the address at that site is made of (analyse/flow.h),
 * at most `most`; how many.  *all: there is nothing else that it is made of. */
uint32_t hd_program_flow(const struct hd_program *program, uint32_t site, enum hd_flow_of of,
                         uint32_t *sources, uint32_t most, bool *all);

/* The bytes of a section; NULL when there is none. */
const void *hd_program_section(const struct hd_program *program, const char *name, size_t *bytes);

/* The build id as 32 hex digits, with a NUL. */
void hd_program_build(const struct hd_program *program, char text[33]);

/* The place of a site.  Any number may be given; unknown fields are empty. */
struct hd_place hd_program_site(const struct hd_program *program, uint32_t site);

/* The memory order that the source gives to the atomic access or fence at that site, as in
 * core/memory_order.h, and which operation it is.  False when the site is none of these. */
bool hd_program_order(const struct hd_program *program, uint32_t site, uint32_t *order,
                      enum hd_op *op);

/* The place of an instruction, by its address in the file's own numbering, from the debug
 * information; inlined functions count.  False (and an empty place) when there is none, or when
 * it is heddle's own code that is linked in. */
bool hd_program_pc(struct hd_program *program, uint64_t pc, struct hd_place *place);

/* The first address of the function that contains pc (file's own numbering); 0 if it is not one
 * of the program's. */
uint64_t hd_program_entry(const struct hd_program *program, uint64_t pc);

/* The variable that holds the byte at `address` (file's own numbering); NULL when there is
 * none.  *unique says whether hd_program_variable() finds it by that name. */
const char *hd_program_object(const struct hd_program *program, uint64_t address,
                              uint64_t *offset, bool *unique);

/* Is the byte at `address` (file's own numbering) one that the program cannot change? */
bool hd_program_is_constant(const struct hd_program *program, uint64_t address);

/* Appends the constant characters at `address` (file's own numbering) as "text"; false: there
 * are none, or the program can change them. */
bool hd_program_text(const struct hd_program *program, uint64_t address, struct hd_str *out);

/* The thread-local variable that holds the byte `below` the thread pointer; NULL: none. */
const char *hd_program_thread_local(const struct hd_program *program, uint64_t below,
                                    uint64_t *offset);

/* Appends the element or member of a variable that the address is in, as the source would write
 * it after the variable's name: "[2].lock".  `bytes`: how much is meant
 * (supervise/dwarf_member.h).  False when the debug information does not say. */
bool hd_program_element(const struct hd_program *program, uint64_t address, uint64_t bytes,
                        struct hd_str *out);

/* The type of the variable that holds the byte at `address`, and the byte's offset in it. */
bool hd_program_variable_type(const struct hd_program *program, uint64_t address,
                              uint64_t *offset, Dwarf_Die *type);

/* Appends the value of `size` bytes that a step at the site has read or written, whose object
 * is `name`: 2.5, 'a', true, RUNNING, "text", {x = 1}.  `value`: its first 8 bytes.  UNKNOWN:
 * the debug information does not say, and nothing is appended. */
enum hd_value_kind hd_program_value(const struct hd_program *program, uint32_t site,
                                    const struct hd_name *name, uint64_t value, uint64_t size,
                                    struct hd_str *out);

/* The same for a value of that type (core/site.h). */
enum hd_value_kind hd_program_typed(const struct hd_program *program, const char *type,
                                    uint64_t value, uint64_t size, struct hd_str *out);

/* The type (core/site.h) of what the result of a call points to, or of the value that an access
 * has; "": not known. */
const char *hd_program_type(const struct hd_program *program, uint32_t site);

/* The name of a local, and its type, from where they are in the table of strings
 * (hd_name.made); "": not known. */
const char *hd_program_local(const struct hd_program *program, uint32_t local, const char **type);

/* Appends the name of what is at `offset` in a block of `size` bytes of that type:
 * "node#2->next", where `number` is "#2".  `bytes`: how much is meant, 0: not known.  False
 * when the debug information does not say. */
bool hd_program_block(const struct hd_program *program, const char *type, const char *number,
                      uint64_t size, uint64_t offset, uint64_t bytes, struct hd_str *out);

/* As hd_dwarf_type_find(). */
bool hd_program_find_type(const struct hd_program *program, const struct hd_dwarf_key *key,
                          Dwarf_Die *type);

/* Appends the element or member of a local of that type, or the offset if it is not known. */
void hd_program_inside(const struct hd_program *program, const char *type, uint64_t offset,
                       uint64_t bytes, struct hd_str *out);

/* Appends what the source would write for a pointer there: "&nodes[1]", "work" for a function.
 * False when there is nothing with a name. */
bool hd_program_address(const struct hd_program *program, uint64_t address, struct hd_str *out);

/* The address of the variable of that name; false when there is none, or more than one. */
bool hd_program_variable(const struct hd_program *program, const char *name, uint64_t *address);

/* The i'th variable, by address; false when there are no more. */
bool hd_program_nth_variable(const struct hd_program *program, size_t i, const char **name,
                             uint64_t *address, uint64_t *size);

/* The address of the function of that name; the error suggests the nearest one. */
int hd_program_function(const struct hd_program *program, const char *name, uint64_t *address,
                        struct hd_err *err);

#endif
