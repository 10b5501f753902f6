#include "compile/diagnostics.h"

#include <string.h>

static void listen(LLVMDiagnosticInfoRef info, void *context)
{
    struct hd_err *said = context;
    char *text = LLVMGetDiagInfoDescription(info);
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && !*said->text) {
        hd_err_set(said, "%s", text);
        for (char *at = said->text; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
        for (size_t n = strlen(said->text); n && said->text[n - 1] == ' '; n--)
            said->text[n - 1] = 0;
    }
    LLVMDisposeMessage(text);
}

void hd_diagnostics_keep(LLVMContextRef context, struct hd_err *said)
{
    LLVMContextSetDiagnosticHandler(context, listen, said);
}

void hd_diagnostics_end(LLVMContextRef context)
{
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
}
