/* What the source calls the memory an instruction touches: "count", "q.head", "p->next",
 * "table[]".
 *
 * Names are found before locals are promoted, while every variable of the source is still a
 * stack slot with its name; they travel on as metadata `heddle.name` of the access (a list of
 * strings; calls have one per argument).  Accesses, locals and calls that return a pointer may
 * have a `heddle.type`: what core/site.h calls a type, of the value that is accessed, of the
 * local, or of what the result points to.
 * Of a call it is an attribute: metadata is lost when an inlined call becomes an invoke. */
#ifndef HD_INSTRUMENT_NAMES_H
#define HD_INSTRUMENT_NAMES_H

#include <llvm-c/Core.h>

/* The kinds of the metadata. */
#define HD_NAMES_TYPE "heddle.type"
unsigned hd_names_kind(LLVMContextRef context);

/* Attaches names to all accesses of the module. */
void hd_names_attach(LLVMModuleRef module);

/* The name attached to an instruction, NULL when there is none.  `arg`: of a call, what that
 * argument points to, or with HD_NAMES_ANY the first that has a name; otherwise 0. */
#define HD_NAMES_ANY (~0u)
const char *hd_names_get(LLVMValueRef inst, unsigned kind, unsigned arg, size_t *length);

/* The type that was found for an access, a local or a call; NULL: none. */
const char *hd_names_type(LLVMValueRef inst, size_t *length);

/* The name of the function of a debug scope; NULL: not known. */
const char *hd_names_function(LLVMContextRef context, LLVMMetadataRef scope, size_t *length);

/* The name that the linker knows the function of a debug scope by; NULL: not known. */
const char *hd_names_linked(LLVMContextRef context, LLVMMetadataRef scope, size_t *length);

#endif
