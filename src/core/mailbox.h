/* Questions of the explorer to a strategy from outside, which has a process of its own
 * (docs/design/024-plugins.md).  The worker writes a question and passes the turn to the host;
 * the host writes the answer and passes it back.  Each checks every number that it reads. */
#ifndef HD_CORE_MAILBOX_H
#define HD_CORE_MAILBOX_H

#include "core/action.h"
#include "core/options.h"
#include "core/tset.h"

#define HD_MOST_ALTERNATIVES (65536 + HD_MAX_THREADS)
#define HD_MOST_OPENED 4096
#define HD_OBJECTION_BYTES 300

enum hd_whose { HD_TURN_NOBODY, HD_TURN_HOST, HD_TURN_WORKER, HD_TURN_GONE };

enum hd_question {
    HD_QUESTION_NODE,  /* in which order are the alternatives taken, and which are left out? */
    HD_QUESTION_ENDED, /* an execution is over: what is opened, and is that all? */
    HD_QUESTION_STATE, /* how promising is the state? */
    HD_QUESTION_JUDGE, /* an execution is complete: does the checker object to it? */
};

enum hd_ending { HD_ENDING_COMPLETE, HD_ENDING_VIOLATION, HD_ENDING_CUT };

struct hd_mailbox {
    uint32_t turn; /* enum hd_whose: a futex.  GONE: the host has ended, `error` says how */
    /* the question */
    uint32_t question; /* enum hd_question */
    uint32_t ending;   /* enum hd_ending */
    uint32_t depth;    /* of the path; shared->steps has the threads and choices, */
    uint32_t since;    /* and what is below this depth is as it was in the last question */
    uint32_t n_threads, last;
    uint32_t n; /* alternatives */
    uint64_t execution;
    struct hd_tset live, enabled;
    struct hd_action next[HD_MAX_THREADS];
    uint32_t alternatives[HD_MOST_ALTERNATIVES]; /* HD_STEP_PACK(thread, choice) each */
    struct hd_action path[HD_MAX_STEPS];
    /* the answer */
    uint32_t kept;                        /* so many alternatives are taken, in this order: */
    uint32_t order[HD_MOST_ALTERNATIVES]; /* numbers of alternatives, each once */
    uint32_t n_opened, stop;
    uint32_t rank;            /* of the state: the lower, the more promising */
    uint32_t objects, judged; /* the checker objects, after so many steps */
    char objection[HD_OBJECTION_BYTES];
    struct {
        uint32_t depth, thread;
    } opened[HD_MOST_OPENED];
    char error[300]; /* why there is no answer; "": there is one */
};

#endif
