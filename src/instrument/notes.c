#include "instrument/notes.h"

#include "base/str.h"
#include "instrument/names.h"

#include <string.h>

enum how { ALWAYS, FD, STREAM };

static const struct noted {
    const char *name;
    enum hd_note_kind kind;
    enum how how;
    unsigned argument;
} table[] = {
#define HD_NOTED(name, kind, how, argument) { name, HD_NOTE_##kind, how, argument },
#include "instrument/notes.def"
#undef HD_NOTED
};

static const struct noted *find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

bool hd_note_wanted(const char *name) { return find(name) != NULL; }

LLVMValueRef hd_note_site(struct hd_pass *p, LLVMValueRef inst, const char *name)
{
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, HD_NAMES_ANY);
    p->sites.items[site].variable = hd_sites_string(&p->sites, name);
    return hd_pass_u32(p, site);
}

void hd_note_reached(struct hd_pass *p, LLVMValueRef inst, enum hd_note_kind kind,
                     const char *name)
{
    LLVMValueRef args[] = { hd_pass_u32(p, kind), hd_note_site(p, inst, name) };
    hd_pass_before(p, inst);
    hd_pass_hook(p, "__heddle_reached", p->nothing, args, 2);
}

/* A function without such an argument reads descriptor 0, whatever file that is.  A call whose
 * declaration differs from the library's is counted in any case. */
void hd_note_call(struct hd_pass *p, LLVMValueRef call, const char *name)
{
    const struct noted *row = find(name);
    if (row == NULL)
        return;
    bool has = row->how != ALWAYS && row->argument < LLVMGetNumArgOperands(call);
    LLVMValueRef argument = has ? LLVMGetOperand(call, row->argument) : NULL;
    LLVMTypeRef wanted = row->how == STREAM ? p->pointer : p->i32;
    if (row->how == ALWAYS && row->kind == HD_NOTE_INPUT) {
        argument = hd_pass_u32(p, 0);
        has = true;
    }
    if (!has || LLVMTypeOf(argument) != wanted) {
        hd_note_reached(p, call, row->kind, name);
        return;
    }
    LLVMValueRef args[] = { argument, hd_note_site(p, call, name) };
    hd_pass_before(p, call);
    hd_pass_hook(p, row->how == STREAM ? "__heddle_reads_stream" : "__heddle_reads_fd",
                 p->nothing, args, 2);
}

/* Instructions that read a clock, a random number, the processor or the kernel; and directives
 * that write an instruction as numbers. */
static const char *const uncontrolled[] = {
    "rdtsc",    "rdtscp",   "rdrand",   "rdrandw",  "rdrandl", "rdrandq", "rdseed", "rdseedw",
    "rdseedl",  "rdseedq",  "rdpmc",    "rdpid",    "rdpru",   "cpuid",   "xgetbv", "syscall",
    "sysenter", "int",      "in",       "out",      "xbegin",  "xtest",   "sgdt",   "sidt",
    "sldt",     "rdfsbase", "rdgsbase", "umonitor", "umwait",  "tpause",  ".byte",  ".word",
    ".short",   ".long",    ".quad",    ".octa",    ".insn",   ".incbin", ".value", ".hword",
};

const char *hd_note_uncontrolled_code(const char *code, size_t n)
{
    static const char blanks[] = " \t\n\r,;{}|";
    const char *end = code + n;
    while (code < end) {
        size_t length = 0;
        while (code + length < end && !strchr(blanks, code[length]))
            length++;
        for (size_t i = 0; i < sizeof uncontrolled / sizeof *uncontrolled; i++)
            if (strlen(uncontrolled[i]) == length && strncmp(code, uncontrolled[i], length) == 0)
                return uncontrolled[i];
        code += length + 1;
    }
    return NULL;
}

const char *hd_note_uncontrolled_intrinsic(const char *name)
{
    static const char *const list[] = {
        "llvm.x86.rdtsc",    "llvm.x86.rdrand",       "llvm.x86.rdseed",
        "llvm.x86.rdpmc",    "llvm.x86.rdpid",        "llvm.x86.rdpru",
        "llvm.x86.xgetbv",   "llvm.x86.xbegin",       "llvm.x86.xtest",
        "llvm.x86.umwait",   "llvm.x86.tpause",       "llvm.x86.rdfsbase",
        "llvm.x86.rdgsbase", "llvm.readcyclecounter", "llvm.readsteadycounter"
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (hd_str_starts(name, list[i]))
            return name + strlen("llvm.") + (hd_str_starts(name, "llvm.x86.") ? 4 : 0);
    return NULL;
}
