/* Strategies from outside (include/heddle/strategy.h, docs/design/024-plugins.md): a shared
 * object, or a script for the plug-in of its language. */
#ifndef HD_SUPERVISE_PLUGIN_H
#define HD_SUPERVISE_PLUGIN_H

#include "base/err.h"
#include "core/options.h"
#include "heddle/strategy.h"

#include <sys/types.h>

/* Does --strategy TEXT name a file: PATH.so or PATH.lua, with or without :ARGUMENT? */
bool hd_plugin_is(const char *text);

/* Fill in *plugin.  It is loaded in a process of its own, to learn what it declares.  -1 with
 * err if that does not work. */
int hd_plugin_find(struct hd_plugin *plugin, const char *text, struct hd_err *err);

/* Does it only order and check?  Then every schedule is explored as without it. */
bool hd_plugin_keeps_all(const struct hd_plugin *plugin);

/* May a reduction leave out executions that differ in the order of independent steps alone?  A
 * checker must say that it cannot tell them apart. */
bool hd_plugin_takes_reductions(const struct hd_plugin *plugin);

/* Its name for messages: the last part of its path. */
const char *hd_plugin_name(const struct hd_plugin *plugin);

/* In the process of the strategy: load it.  NULL with err. */
const struct heddle_strategy *hd_plugin_load(const struct hd_plugin *plugin, struct hd_err *err);

/* What the strategy's process has to do; both are shared with it. */
struct hd_plugin_work {
    const uint32_t *turn;  /* HD_TURN_HOST: it is asked something */
    const uint64_t *asked; /* how often it was */
};

/* Wait for the end of the strategy's process.  One that is asked something (`work` NULL: it is
 * being loaded) and sleeps or is stopped for that many seconds is ended: a limit of processor
 * time never reaches it.  How it ended, in words ("crashed: SIGSEGV"), goes into text; "" if
 * it ended with status 0. */
void hd_plugin_wait(pid_t pid, const struct hd_plugin_work *work, double seconds, char *text,
                    size_t room);

#endif
