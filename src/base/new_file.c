#define _GNU_SOURCE
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The number of the open file that the path names, or -1: to open /dev/stdout again would begin
 * at its start when it is a file. */
static int open_already(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *number = path + strlen(folders[i]);
        if (hd_str_starts(path, folders[i]) && *number && strlen(number) < 6 &&
            number[strspn(number, "0123456789")] == 0)
            return atoi(number);
    }
    return -1;
}

static int cannot(const char *path, int error, struct hd_err *err)
{
    return hd_err_set(err, "%s: cannot be written: %s", path, strerror(error));
}

static int begin_directly(struct hd_new_file *file, const char *path, struct hd_err *err)
{
    int number = open_already(path);
    fflush(NULL); /* what was printed before comes before */
    if (number >= 0)
        file->fd = fcntl(number, F_DUPFD_CLOEXEC, 3);
    else /* a pipe that nobody reads would be waited for without end */
        file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0 && errno == ENXIO)
        return hd_err_set(err,
                          "%s: cannot be written: nobody reads this pipe; start its reader "
                          "first",
                          path);
    if (number < 0 && file->fd >= 0)
        fcntl(file->fd, F_SETFL, fcntl(file->fd, F_GETFL) & ~O_NONBLOCK);
    return file->fd < 0 ? cannot(path, errno, err) : 0;
}

int hd_new_file_begin(struct hd_new_file *file, const char *path, struct hd_err *err)
{
    struct stat st;
    *file = (struct hd_new_file){ .fd = -1 };
    bool there = stat(path, &st) == 0;
    if (open_already(path) >= 0 || (there && !S_ISREG(st.st_mode))) {
        if (begin_directly(file, path, err) != 0)
            return -1;
        file->path = hd_strdup(path);
        return 0;
    }
    char *temp = hd_str_format("%s.XXXXXX", path);
    file->fd = mkostemp(temp, O_CLOEXEC); /* O_EXCL: it follows no link */
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = there ? st.st_mode & 0777 : 0666 & ~mask;
    if (file->fd < 0 || fchmod(file->fd, mode) != 0) {
        int error = errno;
        if (file->fd >= 0) {
            close(file->fd);
            unlink(temp);
        }
        free(temp);
        return cannot(path, error, err);
    }
    file->temp = temp;
    file->path = hd_strdup(path);
    return 0;
}

int hd_new_file_end(struct hd_new_file *file, bool failed, struct hd_err *err)
{
    int error = errno, status = 0;
    if (close(file->fd) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    if (!failed && file->temp && rename(file->temp, file->path) != 0) {
        failed = true;
        error = errno;
    }
    if (failed && file->temp)
        unlink(file->temp);
    if (failed)
        status = cannot(file->path, error, err);
    free(file->temp);
    free(file->path);
    *file = (struct hd_new_file){ .fd = -1 };
    return status;
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

int hd_fs_write(const char *path, const void *bytes, size_t n, struct hd_err *err)
{
    struct hd_new_file file;
    if (hd_new_file_begin(&file, path, err) != 0)
        return -1;
    return hd_new_file_end(&file, write_all(file.fd, bytes, n) != 0, err);
}
