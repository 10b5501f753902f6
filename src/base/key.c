#define _GNU_SOURCE
#include "base/key.h"

#include "base/fs.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* heddle's folder for the user's settings; the caller frees.  NULL: the environment names
 * none. */
static char *folder(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        return hd_str_format("%s/heddle", config);
    return home && *home == '/' && access(home, X_OK) == 0
               ? hd_str_format("%s/.config/heddle", home)
               : NULL;
}

/* A complete file appears under the name or none, and one that is there already stays. */
static int create_key(const char *directory, const char *path)
{
    uint8_t bytes[HD_KEY_BYTES];
    if (hd_fs_make_folder(directory) != 0 || getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return -1;
    char *temp = hd_str_format("%s.%d", path, (int)getpid());
    unlink(temp); /* of a process of that number that was killed */
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int failed = fd < 0 || write(fd, bytes, sizeof bytes) != sizeof bytes;
    int e = errno;
    explicit_bzero(bytes, sizeof bytes);
    if (fd >= 0 && close(fd) != 0 && !failed) {
        failed = 1;
        e = errno;
    }
    if (!failed && link(temp, path) != 0 && errno != EEXIST) {
        failed = 1;
        e = errno;
    }
    if (fd >= 0)
        unlink(temp);
    free(temp);
    errno = e;
    return failed ? -1 : 0;
}

static int read_key(const char *path, struct hd_key *key, struct hd_err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return hd_err_set(err, "%s: %s", path, strerror(errno));
    const char *wrong = NULL;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        wrong = "is no regular file";
    else if (st.st_uid != geteuid())
        wrong = "belongs to another user";
    else if (st.st_mode & 077)
        wrong = "can be read by others: remove it, and a new one is made";
    else if (st.st_size != HD_KEY_BYTES || read(fd, key->bytes, HD_KEY_BYTES) != HD_KEY_BYTES)
        wrong = "is damaged: remove it, and a new one is made";
    close(fd);
    return wrong ? hd_err_set(err, "%s %s", path, wrong) : 0;
}

int hd_key_get(struct hd_key *key, bool create, struct hd_err *err)
{
    char *directory = folder();
    if (!directory)
        return hd_err_set(err, "neither HOME nor XDG_CONFIG_HOME names a folder");
    char *path = hd_str_format("%s/key", directory);
    int failed = 0;
    if (create && access(path, F_OK) != 0 && create_key(directory, path) != 0)
        failed = hd_err_set(err, "%s cannot be made: %s", path, strerror(errno));
    failed = failed ? failed : read_key(path, key, err);
    free(path);
    free(directory);
    return failed;
}

void hd_key_begin(struct hd_blake2s *state, const struct hd_key *key, const char *what)
{
    hd_blake2s_init(state, key->bytes, sizeof key->bytes);
    hd_blake2s_add(state, what, strlen(what) + 1);
}

bool hd_key_nearly(const uint8_t *signature, const uint8_t *other)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < HD_BLAKE2S_BYTES; i++)
        same += signature[i] == other[i];
    return same > HD_BLAKE2S_BYTES / 2;
}
