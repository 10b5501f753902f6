#include "instrument/sites.h"

#include "analyse/debug_types.h"
#include "base/demangle.h"
#include "base/err.h"
#include "instrument/cxx.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

void hd_sites_init(struct hd_sites *sites, LLVMContextRef context)
{
    *sites = (struct hd_sites){ 0 };
    hd_str_init(&sites->strings);
    hd_strmap_init(&sites->offsets);
    hd_strmap_init(&sites->functions);
    hd_strmap_init(&sites->ordered);
    hd_str_append_char(&sites->strings, 0);
    sites->name_kind = hd_names_kind(context);
    sites->room = 64;
    sites->items = hd_alloc(sites->room * sizeof *sites->items);
    sites->points = hd_alloc(sites->room * sizeof *sites->points);
    sites->points[0] = HD_NO_POINT;
    sites->n = 1; /* site 0: not known */
}

void hd_sites_release(struct hd_sites *sites)
{
    free(sites->items);
    free(sites->points);
    hd_str_release(&sites->strings);
    hd_strmap_release(&sites->offsets);
    hd_strmap_release(&sites->functions);
    hd_strmap_release(&sites->ordered);
}

uint32_t hd_sites_string(struct hd_sites *sites, const char *text)
{
    if (text[0] == 0)
        return 0;
    uint64_t *offset = hd_strmap_put(&sites->offsets, text);
    if (*offset == 0) {
        *offset = sites->strings.length;
        hd_str_append_bytes(&sites->strings, text, strlen(text) + 1);
    }
    return (uint32_t)*offset;
}

uint32_t hd_sites_pair(struct hd_sites *sites, const char *first, const char *second)
{
    char *key = hd_str_format("%s\n%s", first, second);
    uint64_t *offset = hd_strmap_put(&sites->offsets, key);
    if (*offset == 0) {
        *offset = sites->strings.length;
        hd_str_append_bytes(&sites->strings, first, strlen(first) + 1);
        hd_str_append_bytes(&sites->strings, second, strlen(second) + 1);
    }
    free(key);
    return (uint32_t)*offset;
}

uint32_t hd_sites_list(struct hd_sites *sites, const struct hd_strs *list)
{
    uint32_t offset = (uint32_t)sites->strings.length;
    for (size_t i = 0; i < list->n; i++)
        hd_str_append_bytes(&sites->strings, list->items[i], strlen(list->items[i]) + 1);
    return list->n ? offset : 0;
}

static uint32_t string_n(struct hd_sites *sites, const char *text, size_t n)
{
    char *copy = hd_str_format("%.*s", (int)n, text ? text : "");
    uint32_t offset = hd_sites_string(sites, copy);
    free(copy);
    return offset;
}

/* The path as the user typed it; the directory only when it says something. */
static uint32_t file_of(struct hd_sites *sites, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (file == NULL)
        return 0;
    unsigned n, dir_n;
    const char *name = LLVMDIFileGetFilename(file, &n);
    const char *dir = LLVMDIFileGetDirectory(file, &dir_n);
    if (dir_n == 0 || (dir_n == 1 && dir[0] == '.') || (n > 0 && name[0] == '/'))
        return string_n(sites, name, n);
    char *path = hd_str_format("%.*s/%.*s", (int)dir_n, dir, (int)n, name);
    uint32_t offset = hd_sites_string(sites, path);
    free(path);
    return offset;
}

/* Out of the library code that was put into its callers (cxx.c), to who called it. */
static LLVMMetadataRef of_program(LLVMMetadataRef location)
{
    LLVMMetadataRef outer;
    while (location && hd_cxx_is_library(LLVMDILocationGetScope(location)) &&
           (outer = LLVMDILocationGetInlinedAt(location)) != NULL)
        location = outer;
    return location;
}

const char *hd_sites_function(LLVMValueRef function, size_t *length)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (subprogram) {
        const char *name = hd_debug_name(LLVMGetModuleContext(LLVMGetGlobalParent(function)),
                                         subprogram, length);
        if (name)
            return name;
    }
    return LLVMGetValueName2(function, length);
}

/* The function of a scope by its qualified name, if it is one of C++; 0: it is not. */
static uint32_t qualified(struct hd_sites *sites, LLVMContextRef context, LLVMMetadataRef scope)
{
    size_t n = 0;
    const char *symbol = scope ? hd_names_linked(context, scope, &n) : NULL;
    if (!symbol || n < 2 || strncmp(symbol, "_Z", 2) != 0)
        return 0;
    char *mangled = hd_str_format("%.*s", (int)n, symbol);
    uint64_t *offset = hd_strmap_put(&sites->functions, mangled);
    if (*offset == 0) {
        struct hd_str readable;
        hd_str_init(&readable);
        hd_demangle_function(&readable, mangled, n);
        *offset = hd_sites_string(sites, readable.text);
        hd_str_release(&readable);
    }
    free(mangled);
    return (uint32_t)*offset;
}

uint32_t hd_sites_add(struct hd_sites *sites, LLVMValueRef inst, enum hd_op op, uint64_t size,
                      unsigned arg)
{
    if (sites->n == sites->room) {
        sites->room *= 2;
        sites->items = hd_realloc(sites->items, sites->room * sizeof *sites->items);
        sites->points = hd_realloc(sites->points, sites->room * sizeof *sites->points);
    }
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(inst);
    LLVMMetadataRef location = of_program(innermost);
    size_t n;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(inst));
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    struct hd_site site = { .op = (uint8_t)op, .size = (uint32_t)size };
    bool put = location && LLVMDILocationGetInlinedAt(location); /* into its caller */
    site.function = qualified(sites, context, put ? LLVMDILocationGetScope(location) : scope);
    if (!site.function) {
        const char *name = put ? hd_names_function(context, LLVMDILocationGetScope(location), &n)
                               : NULL;
        name = name ? name : hd_sites_function(function, &n);
        site.function = string_n(sites, name, n);
    }
    if (location) {
        unsigned column = LLVMDILocationGetColumn(location);
        site.line = LLVMDILocationGetLine(location);
        site.column = (uint16_t)(column > UINT16_MAX ? 0 : column);
        scope = LLVMDILocationGetScope(location);
    }
    site.file = file_of(sites, scope);
    const char *variable = hd_names_get(inst, sites->name_kind, arg, &n);
    site.variable = variable && location == innermost ? string_n(sites, variable, n) : 0;
    const char *type = hd_names_type(inst, &n);
    bool inlined = innermost && LLVMDILocationGetInlinedAt(innermost);
    if (type && !(inlined && *type == *HD_TYPE_RETURNED)) /* the call itself is gone */
        site.type = string_n(sites, type, n);
    const uint64_t *point = sites->code ? hd_ptrmap_get(&sites->code->ids, inst) : NULL;
    sites->points[sites->n] = point ? (uint32_t)*point : HD_NO_POINT;
    sites->items[sites->n] = site;
    return sites->n++;
}

/* The switch that leads to the block, if there is nothing else in between. */
static LLVMValueRef switch_to(LLVMBasicBlockRef block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
         use = LLVMGetNextUse(use))
        if (LLVMIsASwitchInst(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* clang makes an order that is known at run time only a switch over accesses, and that of a
 * compare-exchange a switch over switches.  All of them are one access of the source: the first
 * switch stands for it, otherwise the instruction itself. */
static LLVMValueRef access_of(LLVMValueRef inst)
{
    LLVMValueRef outer = switch_to(LLVMGetInstructionParent(inst));
    while (outer && outer != inst) {
        inst = outer;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
        outer = LLVMGetFirstInstruction(block) == inst ? switch_to(block) : NULL;
    }
    return inst;
}

/* Accesses that one macro makes have one line and column, and so has one access in every place
 * into which its function was inlined.  The former are numbered. */
static uint32_t nth_of_place(struct hd_sites *sites, LLVMValueRef inst,
                             const struct hd_site *site)
{
    LLVMMetadataRef location = of_program(LLVMInstructionGetDebugLoc(inst));
    LLVMMetadataRef into = location ? LLVMDILocationGetInlinedAt(location) : NULL;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    char *place = hd_str_format("%p %p %u %u %u", (void *)function, (void *)into, site->line,
                                site->column, site->op);
    char *access = hd_str_format("%s %p", place, (void *)access_of(inst));
    uint64_t *known = hd_strmap_put(&sites->ordered, access);
    uint64_t number = *known;
    if (number == 0) {
        number = ++*hd_strmap_put(&sites->ordered, place);
        *hd_strmap_put(&sites->ordered, access) = number;
    }
    free(place);
    free(access);
    return (uint32_t)number - 1;
}

void hd_sites_order(struct hd_sites *sites, LLVMValueRef inst, uint32_t site, uint32_t order)
{
    sites->items[site].order = (uint8_t)(order | HD_SITE_ORDERED);
    sites->items[site].nth = nth_of_place(sites, inst, &sites->items[site]);
}
