/* What a long step of the build is doing: one line of a terminal, cleared at its end. */
#ifndef HD_BASE_PROGRESS_H
#define HD_BASE_PROGRESS_H

/* Shows nothing if standard error is no terminal, or while the process has used little time. */
void hd_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Clears the line; to be called before anything else is printed. */
void hd_progress_end(void);

#endif
