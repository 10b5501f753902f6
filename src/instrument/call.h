/* A call that is being rewritten: its arguments, and the memory that it accesses. */
#ifndef HD_INSTRUMENT_CALL_H
#define HD_INSTRUMENT_CALL_H

#include "analyse/libc.h"
#include "instrument/pass.h"

struct hd_call {
    struct hd_pass *p;
    struct hd_plan *plan;
    LLVMValueRef inst;
    const char *name; /* of the callee */
    uint32_t site;
};

/* Of argument i; not pointers are PRIVATE. */
enum hd_region hd_call_region(const struct hd_call *c, unsigned i);
bool hd_call_is_shared(const struct hd_call *c, unsigned i);

/* Announces the strings that a format makes the call read, and reads them: all but the last
 * into copies, which the call is given instead.  False, with nothing changed, when they are not
 * known.  `fixed`: the argument with the format. */
bool hd_call_format(struct hd_call *c, unsigned format, bool copy_all);

/* The site of what the call does to the memory of argument i. */
uint32_t hd_call_site(struct hd_call *c, enum hd_op op, unsigned i);

/* The call may set errno natively: log errno. */
void hd_call_keep_errno(struct hd_call *c);

/* Announces that the string in argument i will be read, up to `limit` bytes. */
void hd_call_will_read_string(struct hd_call *c, unsigned i, LLVMValueRef limit);

/* A copy on the stack of `bytes` bytes, alive to the end of the function, or of the loop's
 * iteration (hd_call_release_stack). */
LLVMValueRef hd_call_stack(struct hd_call *c, LLVMValueRef bytes);

/* New instructions go after the call (which must not be an invoke). */
void hd_call_behind(struct hd_call *c);

/* How many bytes of memory the call touches by that effect; of a string, its limit. */
LLVMValueRef hd_call_extent(struct hd_pass *p, LLVMValueRef call, const struct hd_effect *e);

/* Announce the effects of the row.  False when they are not known for this call. */
bool hd_call_effects(struct hd_call *c, const struct hd_libc *row);

#endif
