/* Programs of papers, each with what its paper says of RC11, and what x86 does.  SC shows none
 * of the outcomes. */
#include "shapes.h"

/* A release sequence is headed by a release; who reads its end acquires what was before its
 * head. */
#define DATA "loc x f\nthread\nstore x 1 relaxed\n"
#define READER "thread\nr0 = load f acquire\nr1 = load x relaxed\n"

const struct ax_classic ax_classics[] = {
    /* Lahav et al., PLDI 2017, figure of Z6.U: the original C11 forbids it, Power shows it. */
    { "Z6.U",
      "loc x y\nthread\nstore x 1 seq_cst\nstore y 1 release\n"
      "thread\nr0 = add y 1 seq_cst\nr1 = load y relaxed\n"
      "thread\nstore y 3 seq_cst\nr0 = load x seq_cst\nexists 2:r0=1 2:r1=3 3:r0=0\n",
      { false, false, true } },
    /* The same paper: IRIW with acquire reads before the seq_cst ones. */
    { "IRIW-acq-sc",
      "loc x y\nthread\nstore x 1 seq_cst\nthread\nr0 = load x acquire\nr1 = load y seq_cst\n"
      "thread\nr0 = load y acquire\nr1 = load x seq_cst\nthread\nstore y 1 seq_cst\n"
      "exists 2:r0=1 2:r1=0 3:r0=1 3:r1=0\n",
      { false, false, true } },
    /* The same paper: fences are cumulative, which the original C11 did not say. */
    { "RWC+fences",
      "loc x y\nthread\nstore x 1 relaxed\n"
      "thread\nr0 = load x relaxed\nfence seq_cst\nr1 = load y relaxed\n"
      "thread\nstore y 1 relaxed\nfence seq_cst\nr0 = load x relaxed\n"
      "exists 2:r0=1 2:r1=0 3:r0=0\n",
      { false, false, false } },
    { "W+RWC+rel+acq+fences",
      "loc x y z\nthread\nstore x 1 relaxed\nstore z 1 release\n"
      "thread\nr0 = load z acquire\nfence seq_cst\nr1 = load y relaxed\n"
      "thread\nstore y 1 relaxed\nfence seq_cst\nr0 = load x relaxed\n"
      "exists 2:r0=1 2:r1=0 3:r0=0\n",
      { false, false, false } },
    /* The reason for po≠loc in the same paper's scb: between seq_cst accesses hb counts where
     * it begins and ends with po of two locations.  The first passes on at y, the second at x
     * itself. */
    { "RWC-passed-at-another-location",
      "loc x y z\nthread\nstore x 1 seq_cst\nstore y 1 release\n"
      "thread\nr0 = load y acquire\nr1 = load z seq_cst\n"
      "thread\nstore z 1 seq_cst\nr0 = load x seq_cst\nexists 2:r0=1 2:r1=0 3:r0=0\n",
      { false, false, false } },
    { "RWC-passed-at-the-same-location",
      "loc x z\nthread\nstore x 1 seq_cst\nstore x 2 release\n"
      "thread\nr0 = load x acquire\nr1 = load z seq_cst\n"
      "thread\nstore z 1 seq_cst\nr0 = load x seq_cst\nexists 2:r0=2 2:r1=0 3:r0=0\n",
      { false, false, true } },
    /* The Linux kernel's memory model: a chain of release and acquire with two links that are
     * not rf. */
    { "Z6.0+release+acquire+fence",
      "loc x y z\nthread\nstore x 1 relaxed\nstore y 1 release\n"
      "thread\nr0 = load y acquire\nstore z 1 release\n"
      "thread\nstore z 2 relaxed\nfence seq_cst\nr0 = load x relaxed\n"
      "exists 2:r0=1 3:r0=0 z=2\n",
      { false, false, true } },
    /* C++20 (P0982): a relaxed store of the same thread ends the release sequence, an RMW does
     * not. */
    { "release-sequence-store",
      DATA "store f 1 release\nstore f 2 relaxed\n" READER "exists 2:r0=2 2:r1=0\n",
      { false, false, true } },
    { "release-sequence-rmw",
      DATA "store f 1 release\nthread\nadd f 1 relaxed\n" READER "exists 3:r0=2 3:r1=0\n",
      { false, false, false } },
    { "release-sequence-two-rmws",
      DATA "store f 1 release\nthread\nr0 = cas f 1 2 relaxed relaxed\n"
           "thread\nr0 = cas f 2 3 relaxed relaxed\n" READER "exists 4:r0=3 4:r1=0\n",
      { false, false, false } },
    { "release-sequence-other-store",
      DATA
      "store f 1 release\nthread\nr0 = load f relaxed\nif r0 == 1\nstore f 2 relaxed\nend\n" READER
      "exists 3:r0=2 3:r1=0\n",
      { false, false, true } },
    { "release-sequence-acquire-rmw",
      DATA "add f 1 acquire\n" READER "exists 2:r0=1 2:r1=0\n",
      { false, false, true } },
    { "release-fence-one-store",
      DATA "fence release\nstore f 1 relaxed\n" READER "exists 2:r0=1 2:r1=0\n",
      { false, false, false } },
    { "acquire-fence-before-the-load",
      DATA "store f 1 release\nthread\nfence acquire\nr0 = load f relaxed\nr1 = load x relaxed\n"
           "exists 2:r0=1 2:r1=0\n",
      { false, false, true } },
    /* An RMW reads the newest write: two never read the same one. */
    { "two-increments",
      "loc x\nthread\nr0 = add x 1 relaxed\nthread\nr0 = add x 1 relaxed\nexists 1:r0=0 2:r0=0\n",
      { false, false, false } },
    /* A relaxed RMW is no fence in C11; on x86 it is one, and so is a compare-exchange that
     * fails. */
    { "SB+xchg",
      "loc x y\nthread\nxchg x 1 relaxed\nr0 = load y relaxed\n"
      "thread\nxchg y 1 relaxed\nr0 = load x relaxed\nexists 1:r0=0 2:r0=0\n",
      { false, false, true } },
    { "SB+failed-cas",
      "loc x y\nthread\nstore x 1 relaxed\nr0 = cas y 7 8 relaxed relaxed\n"
      "thread\nstore y 1 relaxed\nr0 = cas x 7 8 relaxed relaxed\nexists 1:r0=0 2:r0=0\n",
      { false, false, true } },
    { "SB+acq_rel-fences",
      "loc x y\nthread\nstore x 1 relaxed\nfence acq_rel\nr0 = load y relaxed\n"
      "thread\nstore y 1 relaxed\nfence acq_rel\nr0 = load x relaxed\nexists 1:r0=0 2:r0=0\n",
      { false, true, true } },
    /* A store is read by its own thread before it is in memory: SB+rfi (x86-TSO's n6 and n5).
     */
    { "SB+rfi",
      "loc x y\nthread\nstore x 1 relaxed\nr0 = load x relaxed\nr1 = load y relaxed\n"
      "thread\nstore y 1 relaxed\nr0 = load y relaxed\nr1 = load x relaxed\n"
      "exists 1:r0=1 1:r1=0 2:r0=1 2:r1=0\n",
      { false, true, true } },
    { "n6",
      "loc x y\nthread\nstore x 1 relaxed\nr0 = load x relaxed\nr1 = load y relaxed\n"
      "thread\nstore y 1 relaxed\nstore x 2 relaxed\nexists 1:r0=1 1:r1=0 x=1\n",
      { false, true, true } },
    { "n5",
      "loc x\nthread\nstore x 1 relaxed\nr0 = load x relaxed\n"
      "thread\nstore x 2 relaxed\nr0 = load x relaxed\nexists 1:r0=2 2:r0=1\n",
      { false, false, false } },
    /* A mutex passes what was done under it; a trylock that fails passes nothing. */
    { "mutex-passes",
      "loc x f\nmutex m\nthread\nlock m\nstore x 1 relaxed\nstore f 1 relaxed\nunlock m\n"
      "thread\nlock m\nr0 = load f relaxed\nunlock m\nr1 = load x relaxed\nexists 2:r0=1 2:r1=0\n",
      { false, false, false } },
    { "failed-trylock-passes-nothing",
      "loc x\nmutex m\nthread\nstore x 1 relaxed\nfence release\nlock m\n"
      "thread\nr0 = trylock m\nfence acquire\nr1 = load x relaxed\nexists 2:r0=0 2:r1=0\n",
      { false, false, true } },
    { "semaphore-passes",
      "loc x\nsem s\nthread\nstore x 1 relaxed\npost s\nthread\npost s\n"
      "thread\nwait s\nwait s\nr0 = load x relaxed\nexists 3:r0=0\n",
      { false, false, false } },
    { 0 },
};
