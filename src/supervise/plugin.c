#define _GNU_SOURCE
#include "supervise/plugin.h"

#include "base/fs.h"
#include "base/str.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define LOAD_SECONDS 10 /* of processor time */

static const char *const endings[] = { ".so", ".lua" };

/* The length of the path in TEXT; 0: it names no file. */
static size_t path_length(const char *text)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        for (const char *at = text; (at = strstr(at, endings[i])); at++) {
            size_t n = strlen(endings[i]);
            if (at > text && (at[n] == 0 || at[n] == ':'))
                return (size_t)(at - text) + n;
        }
    return 0;
}

bool hd_plugin_is(const char *text) { return path_length(text) != 0; }

const char *hd_plugin_name(const struct hd_plugin *plugin) { return hd_fs_base(plugin->path); }

bool hd_plugin_keeps_all(const struct hd_plugin *plugin)
{
    uint32_t harmless = HD_PLUGIN_ORDERS | HD_PLUGIN_CHECKS;
    return plugin->claims & harmless && !(plugin->claims & ~(harmless | HD_PLUGIN_TRACES));
}

bool hd_plugin_takes_reductions(const struct hd_plugin *plugin)
{
    bool checks = plugin->claims & HD_PLUGIN_CHECKS;
    return hd_plugin_keeps_all(plugin) && (!checks || plugin->claims & HD_PLUGIN_TRACES);
}

static bool is_script(const struct hd_plugin *plugin)
{
    return hd_str_ends(plugin->path, ".lua");
}

/* A path for dlopen(), which would look elsewhere for a name without a slash; the caller
 * frees. */
static char *library_of(const struct hd_plugin *plugin)
{
    if (is_script(plugin))
        return hd_str_format("%s/lib/heddle/heddle-lua.so", hd_fs_root());
    return hd_str_format("%s%s", strchr(plugin->path, '/') ? "" : "./", plugin->path);
}

typedef const struct heddle_strategy *start_fn(struct heddle_start *start);

static start_fn *symbol_of(const struct hd_plugin *plugin, struct hd_err *err)
{
    char *path = library_of(plugin);
    start_fn *start = NULL;
    if (is_script(plugin) && !hd_fs_exists(path)) {
        hd_err_set(err,
                   "%s: scripts need the plug-in for Lua, which is not installed: install "
                   "liblua5.4-dev and build heddle again",
                   plugin->path);
        free(path);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *why = library ? NULL : dlerror();
    size_t n = strlen(path);
    if (why && strncmp(why, path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
        why += n + 2;
    if (!library)
        hd_err_set(err, "%s cannot be loaded: %s (%s)", plugin->path, why,
                   is_script(plugin)                 ? "install liblua5.4-0"
                   : strstr(why, "undefined symbol") ? "link what defines it"
                                                     : "build it with cc -shared -fPIC");
    else if (!(start = (start_fn *)dlsym(library, "heddle_strategy")))
        hd_err_set(err, "%s has no function heddle_strategy(): see heddle/strategy.h",
                   plugin->path);
    free(path);
    return start;
}

/* What it has must be what it declares. */
static int check(const struct hd_plugin *plugin, const struct heddle_strategy *s,
                 struct hd_err *err)
{
    const char *name = hd_plugin_name(plugin);
    if (s->version != HEDDLE_STRATEGY_VERSION)
        return hd_err_set(err,
                          "%s was built for version %u of heddle/strategy.h, this heddle has "
                          "version %u: build it again",
                          name, s->version, HEDDLE_STRATEGY_VERSION);
    if (s->prune && !(s->claims & HEDDLE_PRUNES))
        return hd_err_set(
            err,
            "%s has a function prune, but does not declare HEDDLE_PRUNES (in Lua \"prunes\")",
            name);
    if (!s->choose && !s->score && s->claims & (HEDDLE_ORDERS | HEDDLE_SAMPLES))
        return hd_err_set(err, "%s says no order: it has neither choose nor score", name);
    bool checks = s->claims & HEDDLE_CHECKS;
    if (checks != (s->judge != NULL))
        return hd_err_set(
            err, "%s %s", name,
            checks
                ? "declares HEDDLE_CHECKS, but has no function judge"
                : "has a function judge, but does not declare HEDDLE_CHECKS (in Lua \"checks\")");
    if (s->claims & HEDDLE_TRACES && !checks)
        return hd_err_set(err,
                          "%s declares HEDDLE_TRACES, which says what HEDDLE_CHECKS depends on, "
                          "and not HEDDLE_CHECKS",
                          name);
    bool ranks = s->claims & HEDDLE_RANKS;
    if (ranks != (s->rank != NULL))
        return hd_err_set(
            err, "%s %s", name,
            ranks ? "declares HEDDLE_RANKS, but has no function rank"
                  : "has a function rank, but does not declare HEDDLE_RANKS (in Lua \"ranks\")");
    if (ranks && (s->claims != HEDDLE_RANKS || s->choose || s->score || s->ran || s->back ||
                  s->ended || s->stop))
        return hd_err_set(err,
                          "%s ranks states, of which the search goes on from the best: leave out "
                          "all other claims and functions",
                          name);
    if (s->claims & HEDDLE_SAMPLES && s->claims & HEDDLE_PRUNES)
        return hd_err_set(err,
                          "%s declares HEDDLE_SAMPLES and HEDDLE_PRUNES: executions that are "
                          "sampled leave out nothing for good; choose one",
                          name);
    return 0;
}

/* What the strategy said, with its name in front unless it is there. */
static void say_why_none(const struct hd_plugin *plugin, const char *said, struct hd_err *err)
{
    const char *name = hd_plugin_name(plugin);
    bool named = strncmp(said, name, strlen(name)) == 0 ||
                 strncmp(said, plugin->path, strlen(plugin->path)) == 0;
    hd_err_set(err, "%s%s%s", named ? "" : name, named ? "" : ": ",
               *said ? said : "heddle_strategy() returned NULL; let it say why in start->error");
}

const struct heddle_strategy *hd_plugin_load(const struct hd_plugin *plugin, struct hd_err *err)
{
    struct heddle_start start = { .version = HEDDLE_STRATEGY_VERSION,
                                  .path = plugin->path,
                                  .argument = plugin->argument };
    start_fn *function = symbol_of(plugin, err);
    if (!function)
        return NULL;
    const struct heddle_strategy *s = function(&start);
    start.error[sizeof start.error - 1] = 0;
    if (!s)
        say_why_none(plugin, start.error, err);
    return s && check(plugin, s, err) == 0 ? s : NULL;
}

struct learnt {
    bool good;
    uint32_t claims;
    struct hd_err err;
};

static _Noreturn void learn(const struct hd_plugin *plugin, struct learnt *learnt)
{
    struct itimerval limit = { .it_value = { LOAD_SECONDS, 0 } };
    struct rlimit no_core = { 0, 0 };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    dup2(2, 1); /* standard output is for results */
    const struct heddle_strategy *s = hd_plugin_load(plugin, &learnt->err);
    if (s)
        learnt->claims = s->claims;
    learnt->good = s != NULL;
    fflush(NULL);
    _exit(0);
}

static int load_elsewhere(struct hd_plugin *plugin, struct hd_err *err)
{
    char how[100] = "";
    struct learnt *learnt = mmap(NULL, sizeof *learnt, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (learnt == MAP_FAILED)
        return hd_err_set(err, "cannot map shared memory: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        learn(plugin, learnt);
    if (pid > 0)
        hd_plugin_wait(pid, NULL, LOAD_SECONDS, how, sizeof how);
    plugin->claims = learnt->claims;
    int failed = 0;
    if (pid < 0)
        failed = hd_err_set(err, "cannot start %s: fork: %s", plugin->path, strerror(errno));
    else if (*how || (!learnt->good && !learnt->err.text[0])) {
        failed = hd_err_set(err, "%s: %s while it was loaded", plugin->path, how);
    } else if (!learnt->good)
        failed = hd_err_set(err, "%s", learnt->err.text);
    munmap(learnt, sizeof *learnt);
    return failed;
}

int hd_plugin_find(struct hd_plugin *plugin, const char *text, struct hd_err *err)
{
    size_t n = path_length(text);
    const char *argument = text[n] ? text + n + 1 : "";
    *plugin = (struct hd_plugin){ .used = 1 };
    if (n >= sizeof plugin->path || strlen(argument) >= sizeof plugin->argument)
        return hd_err_set(err, "--strategy %.60s…: the path or the argument is too long", text);
    memcpy(plugin->path, text, n);
    memcpy(plugin->argument, argument, strlen(argument));
    if (!hd_fs_exists(plugin->path))
        return hd_err_set(err, "--strategy %s: there is no such file", plugin->path);
    return load_elsewhere(plugin, err);
}
