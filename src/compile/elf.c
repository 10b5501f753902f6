#include "compile/elf.h"

#include "base/err.h"

#include <gelf.h>
#include <string.h>

bool hd_elf_is(const char *bytes, size_t n)
{
    return n >= sizeof(Elf64_Ehdr) && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

bool hd_elf_is_shared(const char *bytes, size_t n)
{
    Elf64_Ehdr header;
    if (!hd_elf_is(bytes, n))
        return false;
    memcpy(&header, bytes, sizeof header);
    return header.e_type == ET_DYN;
}

static Elf *begin(const char *bytes, size_t n)
{
    if (!hd_elf_is(bytes, n) || elf_version(EV_CURRENT) == EV_NONE)
        return NULL;
    return elf_memory((char *)bytes, n);
}

static void add_symbol(struct hd_symbols *symbols, const GElf_Sym *sym, const char *name)
{
    unsigned bind = GELF_ST_BIND(sym->st_info);
    if (bind == STB_LOCAL || name == NULL || name[0] == 0)
        return;
    if (sym->st_shndx == SHN_UNDEF) {
        if (bind == STB_GLOBAL)
            hd_strs_add(&symbols->wanted, name);
    } else if (bind == STB_WEAK || sym->st_shndx == SHN_COMMON) {
        hd_strs_add(&symbols->weak, name);
    } else {
        hd_strs_add(&symbols->strong, name);
    }
}

static void add_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                      struct hd_symbols *symbols)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (data == NULL || header->sh_entsize == 0)
        return;
    size_t n = (size_t)(header->sh_size / header->sh_entsize);
    for (size_t i = 0; i < n; i++) {
        GElf_Sym sym;
        if (gelf_getsym(data, (int)i, &sym) == NULL)
            return;
        add_symbol(symbols, &sym, elf_strptr(elf, header->sh_link, sym.st_name));
    }
}

void hd_elf_symbols(const char *bytes, size_t n, struct hd_symbols *symbols)
{
    Elf *elf = begin(bytes, n);
    if (elf == NULL)
        return;
    GElf_Word wanted = hd_elf_is_shared(bytes, n) ? SHT_DYNSYM : SHT_SYMTAB;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == wanted)
            add_table(elf, section, &header, symbols);
    }
    elf_end(elf);
}

const char *hd_elf_section(const char *bytes, size_t n, const char *name, size_t *size)
{
    const char *found = NULL;
    size_t names;
    Elf *elf = begin(bytes, n);
    if (elf == NULL)
        return NULL;
    if (elf_getshdrstrndx(elf, &names) == 0) {
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
                continue;
            const char *text = elf_strptr(elf, names, header.sh_name);
            if (text == NULL || strcmp(text, name) != 0)
                continue;
            if (header.sh_offset > n || header.sh_size > n - header.sh_offset)
                continue;
            found = bytes + header.sh_offset;
            *size = (size_t)header.sh_size;
            break;
        }
    }
    elf_end(elf);
    return found;
}

const char *hd_elf_bitcode(const char *bytes, size_t n, size_t *size)
{
    const char *found = hd_elf_is_shared(bytes, n)
                            ? NULL
                            : hd_elf_section(bytes, n, HD_SECTION_BITCODE, size);
    return found && *size ? found : NULL;
}

size_t hd_elf_name_of_section(const char *bytes, size_t n, const char *name)
{
    size_t found = 0, names;
    GElf_Shdr strings, header;
    Elf *elf = begin(bytes, n);
    if (elf == NULL)
        return 0;
    if (elf_getshdrstrndx(elf, &names) == 0 && gelf_getshdr(elf_getscn(elf, names), &strings)) {
        for (Elf_Scn *section = NULL; !found && (section = elf_nextscn(elf, section)) != NULL;) {
            const char *text = gelf_getshdr(section, &header)
                                   ? elf_strptr(elf, names, header.sh_name)
                                   : NULL;
            if (text && strcmp(text, name) == 0)
                found = (size_t)(strings.sh_offset + header.sh_name);
        }
    }
    elf_end(elf);
    return found < n ? found : 0;
}
