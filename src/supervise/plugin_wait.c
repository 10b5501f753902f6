#define _GNU_SOURCE
#include "core/mailbox.h"
#include "supervise/plugin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#define LOOKS_PER_SECOND 4

/* What one look sees. */
struct look {
    char state;     /* as in /proc: R, S, D, T, … ; 0: it is gone */
    uint64_t ticks; /* of processor time */
    uint64_t asked;
    bool has_work;
};

static struct look look_at(pid_t pid, const struct hd_plugin_work *work)
{
    struct look look = { .has_work = true };
    char path[40], text[1024];
    unsigned long long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = 0;
    if (file)
        fclose(file);
    const char *name = strrchr(text, ')'); /* a name may have blanks and parentheses itself */
    if (!name || sscanf(name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                        &look.state, &user, &system) != 3)
        look.state = 0;
    look.ticks = user + system;
    if (work) {
        look.has_work = __atomic_load_n(work->turn, __ATOMIC_ACQUIRE) == HD_TURN_HOST;
        look.asked = __atomic_load_n(work->asked, __ATOMIC_RELAXED);
    }
    return look;
}

/* Has it done nothing since the look before, although it was its turn?  One that waits for a
 * processor (R) or a disk (D) is not at fault. */
static bool is_idle(const struct look *now, const struct look *before)
{
    return now->has_work && before->has_work && now->asked == before->asked &&
           now->ticks == before->ticks && (now->state == 'S' || now->state == 'T');
}

static void wake(int unused) { (void)unused; }

/* Let waitpid() return now and then. */
static void begin_looks(struct sigaction *before)
{
    struct sigaction action = { .sa_handler = wake }; /* without SA_RESTART */
    struct itimerval often = { { 0, 1000000 / LOOKS_PER_SECOND },
                               { 0, 1000000 / LOOKS_PER_SECOND } };
    sigaction(SIGALRM, &action, before);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void end_looks(const struct sigaction *before)
{
    struct itimerval never = { 0 };
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, before, NULL);
}

static void say_how(int status, double seconds, char *text, size_t room)
{
    const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
    *text = 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
        snprintf(text, room, "no answer for %g s of processor time (--hang)", seconds);
    else if (WIFSIGNALED(status))
        snprintf(text, room, "the strategy crashed: SIG%s", name ? name : "?");
    else if (WEXITSTATUS(status))
        snprintf(text, room, "the strategy ended its process with status %d",
                 WEXITSTATUS(status));
}

void hd_plugin_wait(pid_t pid, const struct hd_plugin_work *work, double seconds, char *text,
                    size_t room)
{
    struct sigaction before;
    struct look last = look_at(pid, work);
    double idle = 0;
    int status = 0;
    char state = 0;
    begin_looks(&before);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        struct look now = look_at(pid, work);
        idle = is_idle(&now, &last) ? idle + 1.0 / LOOKS_PER_SECOND : 0;
        last = now;
        if (idle < seconds || state)
            continue;
        state = now.state;
        kill(pid, SIGKILL);
    }
    end_looks(&before);
    say_how(status, seconds, text, room);
    if (state)
        snprintf(text, room, "no answer for %g s (--hang): its process %s", seconds,
                 state == 'T' ? "was stopped (SIGSTOP)" : "waits for something");
}
