/* Names are escaped here (base/shown.h): the raw names in a program never reach a terminal or a
 * file.
 *
 * Everything is read once, when the file is opened; texts point into libelf's data, which lives
 * until the program is closed.  Tables from the file are checked before use: an offset that
 * points nowhere reads as "not known". */
#include "supervise/program.h"
#include "supervise/dwarf_function.h"

#include "base/fs.h"
#include "base/nearest.h"
#include "base/shown.h"
#include "base/str.h"
#include "base/strmap.h"
#include "core/abi.h"
#include "core/op.h"
#include "supervise/dwarf_member.h"
#include "supervise/fork_server.h"
#include "supervise/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbols {
    struct hd_symbols variables, functions;
    struct hd_symbols thread_locals; /* by their offset in the program's part of a thread's */
};

struct hd_program {
    char *path, *name, *directory;
    int fd;
    Elf *elf;
    Dwarf *dwarf; /* NULL: no debug information */
    struct hd_program_info info;
    const struct hd_site *sites;
    const char *strings;
    struct symbols *symbols;           /* sorted when first needed */
    uint64_t thread_local_bytes;       /* of that part, which ends at the thread pointer */
    struct hd_dwarf_members *elements; /* filled when first needed */
    struct hd_dwarf_types *types;      /* likewise */
    uint32_t parked;                   /* hd_program_parked() */
    struct hd_fork_server *server;     /* hd_program_server() */
    bool strings_clean;                /* no string needs escapes */
    struct hd_strmap *shown;           /* names that need escapes, escaped */
};

/* The name as it is shown; it lives as long as the program. */
static const char *shown(const struct hd_program *p, const char *name)
{
    if (hd_shown_clean(name))
        return name;
    uint64_t *known = hd_strmap_put(p->shown, name);
    if (*known == 0)
        *known = (uint64_t)(uintptr_t)hd_shown_dup(name);
    return (const char *)(uintptr_t)*known;
}

static void shown_release(struct hd_strmap *map)
{
    for (size_t i = 0; i < map->room; i++)
        if (map->slots[i].key)
            free((char *)(uintptr_t)map->slots[i].value);
    hd_strmap_release(map);
}

static Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *header)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        const char *text;
        if (gelf_getshdr(scn, header) && (text = elf_strptr(elf, names, header->sh_name)) &&
            strcmp(text, name) == 0)
            return scn;
    }
    return NULL;
}

static const void *section_bytes(Elf *elf, const char *name, size_t *n)
{
    GElf_Shdr header;
    Elf_Scn *scn = section_named(elf, name, &header);
    Elf_Data *data = scn && header.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
    *n = data ? data->d_size : 0;
    return data ? data->d_buf : NULL;
}

static int not_ours(const struct hd_program *p, struct hd_err *err)
{
    return hd_err_set(err,
                      "%s was not built by heddle: build it with `heddle cc`, or give its C "
                      "files to `heddle check`",
                      p->name);
}

static int open_elf(struct hd_program *p, struct hd_err *err)
{
    struct stat st;
    p->fd = open(p->path, O_RDONLY | O_CLOEXEC);
    if (p->fd < 0 || fstat(p->fd, &st) != 0)
        return hd_err_set(err, "cannot open %s: %s", p->name, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return hd_err_set(err, "%s is a directory: give C files or a program built by heddle",
                          p->name);
    elf_version(EV_CURRENT);
    p->elf = elf_begin(p->fd, ELF_C_READ, NULL);
    GElf_Ehdr header;
    if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &header) ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return hd_err_set(err,
                          "%s is not a program: give C files (.c) or a program built by "
                          "`heddle cc`",
                          p->name);
    return 0;
}

static int read_tables(struct hd_program *p, struct hd_err *err)
{
    size_t n;
    const void *info = section_bytes(p->elf, HD_SECTION_INFO, &n);
    if (!info || n < sizeof p->info)
        return not_ours(p, err);
    memcpy(&p->info, info, sizeof p->info);
    if (p->info.magic != HD_PROGRAM_MAGIC)
        return not_ours(p, err);
    if (p->info.abi != HD_ABI_VERSION)
        return hd_err_set(err,
                          "%s was built by another version of heddle (interface %u, this one "
                          "has %u): build it again",
                          p->name, p->info.abi, HD_ABI_VERSION);
    size_t site_bytes, string_bytes;
    p->sites = section_bytes(p->elf, HD_SECTION_SITES, &site_bytes);
    p->strings = section_bytes(p->elf, HD_SECTION_STRINGS, &string_bytes);
    if (site_bytes / sizeof *p->sites < p->info.n_sites || string_bytes < p->info.n_strings ||
        p->info.n_strings == 0 || p->strings[p->info.n_strings - 1] != 0)
        return hd_err_set(err, "the tables of heddle in %s are damaged: build it again", p->name);
    p->strings_clean = true;
    for (uint32_t at = 0; at < p->info.n_strings && p->strings_clean;
         at += (uint32_t)strlen(p->strings + at) + 1)
        p->strings_clean = hd_shown_clean(p->strings + at);
    return 0;
}

static bool is_symbol_of(const GElf_Sym *sym, unsigned type)
{
    return GELF_ST_TYPE(sym->st_info) == type && sym->st_shndx != SHN_UNDEF && sym->st_value != 0;
}

static void read_symbols(struct hd_program *p)
{
    GElf_Shdr header;
    Elf_Scn *scn = section_named(p->elf, ".symtab", &header);
    Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
    if (!data || header.sh_entsize == 0)
        return;
    size_t n = data->d_size / header.sh_entsize; /* what is really there */
    for (size_t i = 0; i < n; i++) {
        GElf_Sym sym;
        const char *name;
        if (!gelf_getsym(data, (int)i, &sym) ||
            !(name = elf_strptr(p->elf, header.sh_link, sym.st_name)) || !*name)
            continue;
        bool thread_local = GELF_ST_TYPE(sym.st_info) == STT_TLS && sym.st_shndx != SHN_UNDEF;
        struct hd_symbols *into = is_symbol_of(&sym, STT_OBJECT) ? &p->symbols->variables
                                  : is_symbol_of(&sym, STT_FUNC) ? &p->symbols->functions
                                  : thread_local                 ? &p->symbols->thread_locals
                                                                 : NULL;
        if (into)
            hd_symbols_add(into, (struct hd_symbol){ sym.st_value, sym.st_size, shown(p, name) });
    }
}

static void read_thread_locals(struct hd_program *p)
{
    size_t n;
    GElf_Phdr part;
    if (elf_getphdrnum(p->elf, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (gelf_getphdr(p->elf, (int)i, &part) && part.p_type == PT_TLS && part.p_align)
            p->thread_local_bytes = (part.p_memsz + part.p_align - 1) / part.p_align *
                                    part.p_align;
}

int hd_program_open(struct hd_program **program, const char *path, const char *name,
                    struct hd_err *err)
{
    struct hd_program *p = hd_alloc(sizeof *p);
    p->parked = HD_FIRST_PARKED;
    p->path = hd_strdup(path);
    p->directory = hd_fs_dir(path);
    p->name = hd_strdup(name ? name : path);
    p->fd = -1;
    p->shown = hd_alloc(sizeof *p->shown);
    p->server = hd_alloc(sizeof *p->server);
    *program = NULL;
    if (open_elf(p, err) != 0 || read_tables(p, err) != 0) {
        hd_program_close(p);
        return -1;
    }
    p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
    p->elements = hd_alloc(sizeof *p->elements);
    p->types = hd_alloc(sizeof *p->types);
    p->symbols = hd_alloc(sizeof *p->symbols);
    read_symbols(p);
    read_thread_locals(p);
    *program = p;
    return 0;
}

void hd_program_close(struct hd_program *p)
{
    if (!p)
        return;
    if (p->symbols) {
        hd_symbols_release(&p->symbols->variables);
        hd_symbols_release(&p->symbols->functions);
        hd_symbols_release(&p->symbols->thread_locals);
    }
    free(p->symbols);
    if (p->elements)
        hd_dwarf_members_release(p->elements);
    free(p->elements);
    if (p->types)
        hd_dwarf_types_release(p->types);
    free(p->types);
    shown_release(p->shown);
    free(p->shown);
    hd_fork_server_end(p->server);
    free(p->server);
    dwarf_end(p->dwarf);
    elf_end(p->elf);
    if (p->fd >= 0)
        close(p->fd);
    free(p->path);
    free(p->name);
    free(p->directory);
    free(p);
}

const char *hd_program_path(const struct hd_program *p) { return p->path; }
const char *hd_program_name(const struct hd_program *p) { return p->name; }
const struct hd_program_info *hd_program_info(const struct hd_program *p) { return &p->info; }

static const char *string_at(const struct hd_program *p, uint32_t offset)
{
    const char *text = offset < p->info.n_strings ? p->strings + offset : "";
    return p->strings_clean ? text : shown(p, text);
}

uint32_t *hd_program_parked(struct hd_program *p) { return &p->parked; }
struct hd_fork_server *hd_program_server(const struct hd_program *p) { return p->server; }
const char *hd_program_directory(const struct hd_program *p) { return p->directory; }
const char *hd_program_told_apart(const struct hd_program *program)
{
    return string_at(program, program->info.told_apart);
}

const char *hd_program_unseen(const struct hd_program *p, uint32_t i)
{
    uint64_t at = p->info.unseen;
    while (i-- > 0 && at < p->info.n_strings)
        at += strlen(p->strings + at) + 1;
    return at < p->info.n_strings ? string_at(p, (uint32_t)at) : "";
}

void hd_program_build(const struct hd_program *p, char text[33])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof p->info.build_id; i++) {
        text[2 * i] = digits[p->info.build_id[i] >> 4];
        text[2 * i + 1] = digits[p->info.build_id[i] & 15];
    }
    text[32] = 0;
}

struct hd_place hd_program_site(const struct hd_program *p, uint32_t site)
{
    struct hd_place place = { .file = "", .function = "", .variable = "" };
    if (site == 0 || site >= p->info.n_sites)
        return place;
    struct hd_site s;
    memcpy(&s, &p->sites[site], sizeof s);
    place.file = string_at(p, s.file);
    place.function = string_at(p, s.function);
    place.variable = string_at(p, s.variable);
    place.line = s.line;
    place.column = s.column;
    place.nth = s.nth;
    place.access = s.op != HD_OP_NONE && s.op != HD_OP_FENCE;
    place.bytes = place.access ? s.size : 0;
    return place;
}

bool hd_program_order(const struct hd_program *p, uint32_t site, uint32_t *order, enum hd_op *op)
{
    if (site == 0 || site >= p->info.n_sites)
        return false;
    struct hd_site s;
    memcpy(&s, &p->sites[site], sizeof s);
    *order = s.order & ~HD_SITE_ORDERED;
    *op = (enum hd_op)s.op;
    return s.order & HD_SITE_ORDERED && s.op < HD_OP_COUNT;
}

/* Is the unit part of the runtime?  That is compiled in heddle's own tree, programs as if in
 * the current directory. */
static bool is_runtime(Dwarf_Die *cu)
{
    static const char *const folders[] = { "src/runtime/", "src/explore/", "src/core/" };
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attribute));
    const char *name = dwarf_diename(cu);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (name && directory && strcmp(directory, ".") != 0 && hd_str_starts(name, folders[i]))
            return true;
    return false;
}

bool hd_program_pc(struct hd_program *p, uint64_t pc, struct hd_place *place)
{
    *place = (struct hd_place){ .file = "", .function = "", .variable = "" };
    if (!p->dwarf || pc == 0)
        return false;
    /* clang writes no .debug_aranges, so the units are searched one by one */
    Dwarf_CU *unit = NULL;
    Dwarf_Die cu;
    while (dwarf_get_units(p->dwarf, unit, &unit, NULL, NULL, &cu, NULL) == 0) {
        if (dwarf_haspc(&cu, pc) != 1)
            continue;
        Dwarf_Line *line = dwarf_getsrc_die(&cu, pc);
        int number = 0, column = 0;
        if (is_runtime(&cu) || !line || dwarf_lineno(line, &number) != 0)
            return false;
        dwarf_linecol(line, &column);
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (file && hd_str_starts(file, "./"))
            file += 2; /* as the site table has it */
        place->file = shown(p, file ? file : "");
        place->function = shown(p, hd_dwarf_function(p->shown, &cu, pc));
        place->line = (uint32_t)number;
        place->column = (uint32_t)column;
        return true;
    }
    return false;
}

uint64_t hd_program_entry(const struct hd_program *p, uint64_t pc)
{
    const struct hd_symbol *found = hd_symbols_around(&p->symbols->functions, pc);
    return found ? found->address : 0;
}

const char *hd_program_object(const struct hd_program *p, uint64_t address, uint64_t *offset,
                              bool *unique)
{
    const struct hd_symbol *found = hd_symbols_around(&p->symbols->variables, address);
    if (!found)
        return NULL;
    bool many = false;
    hd_symbols_find(&p->symbols->variables, found->name, &many);
    *offset = address - found->address;
    *unique = !many;
    return found->name;
}

/* The section that holds the byte, if the program cannot change it. */
static Elf_Scn *constant_section(const struct hd_program *p, uint64_t address, GElf_Shdr *header)
{
    for (Elf_Scn *scn = elf_nextscn(p->elf, NULL); scn; scn = elf_nextscn(p->elf, scn))
        if (gelf_getshdr(scn, header) && header->sh_flags & SHF_ALLOC &&
            address >= header->sh_addr && address - header->sh_addr < header->sh_size)
            return header->sh_flags & (SHF_WRITE | SHF_EXECINSTR) ? NULL : scn;
    return NULL;
}

bool hd_program_is_constant(const struct hd_program *p, uint64_t address)
{
    GElf_Shdr header;
    return constant_section(p, address, &header) != NULL;
}

bool hd_program_text(const struct hd_program *p, uint64_t address, struct hd_str *out)
{
    enum { LONGEST = 24 };
    GElf_Shdr header;
    Elf_Scn *scn = constant_section(p, address, &header);
    Elf_Data *data = scn && header.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
    uint64_t at = address - (scn ? header.sh_addr : 0);
    if (!data || at >= data->d_size)
        return false;
    size_t n = strnlen((const char *)data->d_buf + at, data->d_size - at);
    hd_str_append_char(out, '"');
    hd_shown_bytes(out, (const char *)data->d_buf + at, n < LONGEST ? n : LONGEST);
    hd_str_append(out, n > LONGEST ? "\"…" : "\"");
    return true;
}

const char *hd_program_thread_local(const struct hd_program *p, uint64_t below, uint64_t *offset)
{
    const struct hd_symbol *found = below <= p->thread_local_bytes
                                        ? hd_symbols_around(&p->symbols->thread_locals,
                                                            p->thread_local_bytes - below)
                                        : NULL;
    if (found)
        *offset = p->thread_local_bytes - below - found->address;
    return found ? found->name : NULL;
}

bool hd_program_element(const struct hd_program *p, uint64_t address, uint64_t bytes,
                        struct hd_str *out)
{
    const struct hd_symbol *found = hd_symbols_around(&p->symbols->variables, address);
    return found && hd_dwarf_member_path(p->elements, p->dwarf, found->address,
                                         address - found->address, bytes, out);
}

bool hd_program_variable_type(const struct hd_program *p, uint64_t address, uint64_t *offset,
                              Dwarf_Die *type)
{
    const struct hd_symbol *found = hd_symbols_around(&p->symbols->variables, address);
    *offset = found ? address - found->address : 0;
    return found && hd_dwarf_variable_type(p->elements, p->dwarf, found->address, type);
}

const char *hd_program_type(const struct hd_program *p, uint32_t site)
{
    struct hd_site s;
    if (site == 0 || site >= p->info.n_sites)
        return "";
    memcpy(&s, &p->sites[site], sizeof s);
    return string_at(p, s.type);
}

const char *hd_program_local(const struct hd_program *p, uint32_t local, const char **type)
{
    const char *name = string_at(p, local);
    uint64_t behind = (uint64_t)local + strlen(p->strings + (*name ? local : 0)) + 1;
    *type = *name && behind < p->info.n_strings ? string_at(p, (uint32_t)behind) : "";
    return name;
}

bool hd_program_find_type(const struct hd_program *p, const struct hd_dwarf_key *key,
                          Dwarf_Die *type)
{
    return hd_dwarf_type_find(p->types, p->dwarf, key, type);
}

bool hd_program_address(const struct hd_program *p, uint64_t address, struct hd_str *out)
{
    const struct hd_symbol *found = hd_symbols_around(&p->symbols->functions, address);
    if (found && found->address == address) {
        hd_str_append(out, found->name);
        return true;
    }
    found = hd_symbols_around(&p->symbols->variables, address);
    if (!found)
        return false;
    uint64_t offset = address - found->address;
    hd_str_appendf(out, "&%s", found->name);
    if (!hd_dwarf_member_path(p->elements, p->dwarf, found->address, offset, UINT64_MAX, out) &&
        offset)
        hd_str_appendf(out, "+%llu", (unsigned long long)offset);
    return true;
}

bool hd_program_variable(const struct hd_program *p, const char *name, uint64_t *address)
{
    bool many;
    const struct hd_symbol *found = hd_symbols_find(&p->symbols->variables, name, &many);
    if (!found || many)
        return false;
    *address = found->address;
    return true;
}

bool hd_program_nth_variable(const struct hd_program *p, size_t i, const char **name,
                             uint64_t *address, uint64_t *size)
{
    const struct hd_symbol *s = hd_symbols_nth(&p->symbols->variables, i);
    if (!s)
        return false;
    *name = s->name;
    *address = s->address;
    *size = s->size;
    return true;
}

int hd_program_function(const struct hd_program *p, const char *name, uint64_t *address,
                        struct hd_err *err)
{
    bool many;
    const struct hd_symbol *found = hd_symbols_find(&p->symbols->functions, name, &many);
    if (found && many)
        return hd_err_set(err, "%s is the name of more than one function of %s: rename one", name,
                          p->name);
    if (found) {
        *address = found->address;
        return 0;
    }
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    /* symbols include heddle's own; functions with a site are the program's */
    for (uint32_t i = 1; i < p->info.n_sites; i++)
        hd_nearest_try(&nearest, hd_program_site(p, i).function);
    if (nearest.best)
        return hd_err_set(err, "%s is not a function of %s (nearest: %s)", name, p->name,
                          nearest.best);
    return hd_err_set(err, "%s is not a function of %s", name, p->name);
}

const void *hd_program_section(const struct hd_program *p, const char *name, size_t *bytes)
{
    return section_bytes(p->elf, name, bytes);
}
