#include "compile/build_cache.h"

#include <string.h>

/* Options whose whole effect shows in the preprocessed source, in the command line of clang's
 * compiler or in the object file.  Others may read or write files. */
static const struct {
    const char *text;
    bool prefix, separate; /* separate: if nothing is joined to it, an argument follows */
} harmless[] = {
    { "-D", true, true },
    { "-U", true, true },
    { "-I", true, true },
    { "-isystem", true, true },
    { "-iquote", true, true },
    { "-idirafter", true, true },
    { "-include", false, true },
    { "-imacros", false, true },
    { "-isysroot", false, true },
    { "--sysroot=", true, false },
    { "-nostdinc", true, false },
    { "-undef", false, false },
    { "-std=", true, false },
    { "--std=", true, false },
    { "-stdlib=", true, false },
    { "-ansi", false, false },
    { "-pedantic", true, false },
    { "-w", false, false },
    { "-pthread", false, false },
    { "-target", false, true },
    { "--target=", true, false },
    { "--param", false, true },
    { "-Qunused-arguments", false, false },
    { "-MD", false, false },
    { "-MMD", false, false },
    { "-MP", false, false },
    { "-MF", true, true },
    { "-MT", true, true },
    { "-MQ", true, true },
    { "-m", true, false }, /* the processor; others are refused below */
    { "-fno-", true, false },
    { "-fpic", false, false },
    { "-fPIC", false, false },
    { "-fpie", false, false },
    { "-fPIE", false, false },
    { "-fplt", false, false },
    { "-fwrapv", false, false },
    { "-ftrapv", false, false },
    { "-fcommon", false, false },
    { "-fexceptions", false, false },
    { "-fnon-call-exceptions", false, false },
    { "-frtti", false, false },
    { "-fblocks", false, false },
    { "-fbuiltin", false, false },
    { "-ffreestanding", false, false },
    { "-fhosted", false, false },
    { "-fcoroutines", false, false },
    { "-fchar8_t", false, false },
    { "-fms-extensions", false, false },
    { "-fgnu89-inline", false, false },
    { "-fsigned-char", false, false },
    { "-funsigned-char", false, false },
    { "-fshort-enums", false, false },
    { "-fshort-wchar", false, false },
    { "-fsized-deallocation", false, false },
    { "-faligned-new", false, false },
    { "-faligned-allocation", false, false },
    { "-fthreadsafe-statics", false, false },
    { "-fstrict-", true, false },
    { "-fvisibility", true, false },
    { "-fdata-sections", false, false },
    { "-ffunction-sections", false, false },
    { "-fomit-frame-pointer", false, false },
    { "-foptimize-sibling-calls", false, false },
    { "-fdelete-null-pointer-checks", false, false },
    { "-fmath-errno", false, false },
    { "-ffast-math", false, false },
    { "-ffp-contract=", true, false },
    { "-ffp-model=", true, false },
    { "-finline-", true, false },
    { "-funroll-loops", false, false },
    { "-fvectorize", false, false },
    { "-ftree-", true, false },
    { "-funwind-tables", false, false },
    { "-fasynchronous-unwind-tables", false, false },
    { "-fstack-clash-protection", false, false },
    { "-fsemantic-interposition", false, false },
    { "-fmerge-all-constants", false, false },
    { "-fzero-initialized-in-bss", false, false },
    { "-fzero-call-used-regs=", true, false },
    { "-ftls-model=", true, false },
    { "-fpack-struct", true, false },
    { "-ftrivial-auto-var-init=", true, false },
    { "-ffile-prefix-map=", true, false },
    { "-fdebug-prefix-map=", true, false },
    { "-fmacro-prefix-map=", true, false },
    { "-ftemplate-depth=", true, false },
    { "-fconstexpr-", true, false },
    { "-fbracket-depth=", true, false },
    { "-fdiagnostics-color", true, false },
    { "-fcolor-diagnostics", false, false },
    { "-fdiagnostics-show-", true, false },
    { "-fmessage-length=", true, false },
    { "-ferror-limit=", true, false },
};

static bool is_warning(const char *option)
{
    return hd_str_starts(option, "-W") && !hd_str_starts(option, "-Wp,") &&
           !hd_str_starts(option, "-Wa,");
}

/* How many words it takes: 0, 1 or 2. */
static size_t words_of(const char *option)
{
    if (is_warning(option))
        return 1;
    if (hd_str_starts(option, "-mllvm") || hd_str_starts(option, "-module"))
        return 0;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (strcmp(option, harmless[i].text) == 0)
            return harmless[i].separate ? 2 : 1;
        if (harmless[i].prefix && hd_str_starts(option, harmless[i].text))
            return 1;
    }
    return 0;
}

const char *hd_unit_unknown_option(const struct hd_strs *flags)
{
    for (size_t i = 0, n; i < flags->n; i += n) {
        n = words_of(flags->items[i]);
        if (n == 0 || i + n > flags->n)
            return flags->items[i];
    }
    return NULL;
}
