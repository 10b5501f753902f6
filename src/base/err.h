/* Errors of the environment (a missing file, a failing tool) travel as text in a struct hd_err;
 * bugs of heddle itself end the process at once. */
#ifndef HD_BASE_ERR_H
#define HD_BASE_ERR_H

/* Exit statuses (a contract with scripts). */
enum hd_exit {
    HD_EXIT_OK = 0,
    HD_EXIT_VIOLATION = 1,
    HD_EXIT_INPUT = 2,
    HD_EXIT_UNVERIFIED = 3,
    HD_EXIT_INTERNAL = 4,
};

struct hd_err {
    char text[1024]; /* one line, names the thing and the remedy; cut when longer */
};

/* Sets the text.  Always returns -1, so that callers may `return hd_err_set(…)`. */
int hd_err_set(struct hd_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "heddle: internal error: …" and ends the process with HD_EXIT_INTERNAL. */
_Noreturn void hd_bug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* malloc & co. that never return NULL: no memory ends the process with HD_EXIT_INPUT. */
void *hd_alloc(unsigned long bytes); /* zeroed */
void *hd_realloc(void *old, unsigned long bytes);
char *hd_strdup(const char *text);

#endif
