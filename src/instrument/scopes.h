/* Locals that are used after their scope has ended, by the function that declares them:
 *
 *     int *p;
 *     { int v = 1; p = &v; }
 *     return *p;
 *
 * Promotion turns the pointer, and then the local itself, into values, and nothing of the error
 * is left.
 *
 * 1. hd_scopes_hold     while every local is a stack slot: a local whose address is kept in a
 *                       variable is held, so that it is not promoted
 * 2. hd_scopes_settle   when the pointers are promoted: a held local that no access can reach
 *                       after the end of its scope is promoted after all
 * 3. hd_scopes_late     of a function: the accesses that may come too late, which bounds.c
 *                       checks at run time */
#ifndef HD_INSTRUMENT_SCOPES_H
#define HD_INSTRUMENT_SCOPES_H

#include "base/err.h"
#include "base/ptrmap.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

void hd_scopes_hold(LLVMModuleRef module);
int hd_scopes_settle(LLVMModuleRef module, struct hd_err *err);

/* Adds every access that may be reached from the end of the scope of the local that it is made
 * to, and not from a new beginning of it, and every such local. */
void hd_scopes_late(LLVMValueRef function, struct hd_ptrmap *late);

/* Is the instruction a call of an intrinsic, or of another function, whose name begins so? */
bool hd_scopes_is_marker(LLVMValueRef inst, const char *which);

#endif
