/* LLVM's reader trusts its input: damaged bitcode may crash it, make it loop or let it ask for
 * all memory.  So a child process reads it first, with bounds. */
#include "compile/bitcode.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEAST_SECONDS 60u
#define LEAST_MEMORY (8ull << 30)

/* LLVM drops debug information that is wrong and only warns; a reader that takes functions one
 * by one would keep it. */
static void listen(LLVMDiagnosticInfoRef info, void *context)
{
    int *damaged = context;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    *damaged |= severity == LLVMDSError || severity == LLVMDSWarning;
}

static void bound(size_t n)
{
    rlim_t seconds = LEAST_SECONDS + n / 100000;
    struct rlimit no_core = { 0, 0 }, time = { seconds, seconds };
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &time);
#if !__has_feature(address_sanitizer)
    struct rlimit memory = { LEAST_MEMORY + 1000ull * n, LEAST_MEMORY + 1000ull * n };
    setrlimit(RLIMIT_AS, &memory);
#endif
}

/* Reads all of it, and checks what has been read. */
static _Noreturn void read_all(const char *bytes, size_t n)
{
    LLVMModuleRef module;
    int damaged = 0;
    LLVMContextRef context = LLVMContextCreate();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    for (int sig = 1; sig < 32; sig++)
        signal(sig, SIG_DFL);
    bound(n);
    LLVMContextSetDiagnosticHandler(context, listen, &damaged);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, n, "");
    if (LLVMParseBitcodeInContext2(context, buffer, &module) != 0)
        _exit(1);
    _exit(damaged || LLVMVerifyModule(module, LLVMReturnStatusAction, NULL));
}

int hd_bitcode_try(const char *name, const char *bytes, size_t n, struct hd_err *err)
{
    int status;
    LLVMGetVersion(NULL, NULL, NULL); /* heddle ends here if there is no LLVM */
    pid_t pid = fork();
    if (pid == 0)
        read_all(bytes, n);
    if (pid < 0)
        return hd_err_set(err, "%s: bitcode cannot be tried: fork: %s", name, strerror(errno));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return hd_err_set(err, "%s: bitcode cannot be tried: wait: %s", name,
                              strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return hd_err_set(err,
                      "%s: bitcode cannot be read: it is damaged%s; compile it again with "
                      "heddle cc",
                      name, WIFSIGNALED(status) ? " (LLVM crashes when it reads it)" : "");
}
