/* The command line of the native linker, as clang writes it.
 *
 * To start clang takes 22 ms of processor time, which is longer than a small program takes to
 * link.  So clang is asked for the words (-###), with marks for what differs from program to
 * program, and they are stored.  They count as long as everything that clang looks at to find
 * them is as it was: clang itself and its libraries, the environment, and the directories in
 * which it looks for the linker, gcc's files and the system's. */
#ifndef HD_COMPILE_LINK_WORDS_H
#define HD_COMPILE_LINK_WORDS_H

#include "compile/build_cache.h"

#include <stdbool.h>

/* Each of the marks is one word, exactly once. */
#define HD_LINK_OUTPUT "heddle-output"
#define HD_LINK_DIRECTORIES "-Lheddle-directories" /* stands for those of -L */
#define HD_LINK_INPUTS "heddle-inputs"

/* For a position-independent executable with threads.  The first word is the path of the
 * linker.  False: clang does not say it, and has to link the program itself. */
bool hd_link_words(struct hd_build_cache *cache, const struct hd_toolchain *tools, bool cxx,
                   struct hd_strs *words);

#endif
