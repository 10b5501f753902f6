/* Which objects belong to the program: resolves the symbols of objects and archive members as
 * linkers do, for bitcode and native code alike. */
#ifndef HD_COMPILE_RESOLVE_H
#define HD_COMPILE_RESOLVE_H

#include "base/err.h"
#include "base/strmap.h"
#include "compile/symbols.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct hd_object {
    char *name;           /* for messages: "a.c", "libx.a(y.o)" */
    LLVMModuleRef module; /* bitcode; NULL: native, or already linked */
    const char *bytes;    /* borrowed */
    size_t n;
    bool native;
    bool shared;   /* a native shared object */
    bool optional; /* taken only when it defines something wanted */
    bool extract;  /* a member of an archive that also holds bitcode */
    bool taken;
    struct hd_symbols symbols;
};

struct hd_resolver {
    LLVMContextRef context;
    struct hd_object *objects;
    size_t n;
    struct hd_strmap states;  /* name -> enum in resolve.c */
    struct hd_strmap definer; /* name -> index + 1 of the object with the strong definition */
};

void hd_resolver_init(struct hd_resolver *r, LLVMContextRef context);
void hd_resolver_release(struct hd_resolver *r);

/* `bytes` must outlive the resolver; bitcode has been tried (hd_bitcode_try()).  An object of
 * neither kind is an error. */
int hd_resolver_add(struct hd_resolver *r, const char *name, const char *bytes, size_t n,
                    bool optional, struct hd_err *err);
void hd_resolver_want(struct hd_resolver *r, const char *symbol);

/* Decides what is taken.  A symbol that two taken objects define is an error. */
int hd_resolver_run(struct hd_resolver *r, struct hd_err *err);

/* The object that defines the symbol, NULL when none that was taken does. */
const struct hd_object *hd_resolver_definer(const struct hd_resolver *r, const char *symbol);

/* Links the bitcode of all taken objects into `program`. */
int hd_resolver_link(struct hd_resolver *r, LLVMModuleRef program, struct hd_err *err);

#endif
