/* The table of the private view of files (private.h), in tool memory. */
#ifndef HD_RUNTIME_PRIVATE_STATE_H
#define HD_RUNTIME_PRIVATE_STATE_H

#include <stdint.h>

#define HD_PRIVATE_PATH 1024
#define HD_PRIVATE_LINK 32
#define HD_MAX_PRIVATE 128
#define HD_MAX_SAVED 128

enum hd_private_kind {
    HD_PRIVATE_FREE,
    HD_PRIVATE_FILE,
    HD_PRIVATE_DIRECTORY,
    HD_PRIVATE_GONE,
    HD_PRIVATE_SOCKET
};

struct hd_private {
    uint32_t kind;   /* enum hd_private_kind */
    uint32_t mode;   /* of a directory */
    int32_t fd;      /* of a file */
    uint32_t socket; /* of a socket: the number of its file in the model */
    char path[HD_PRIVATE_PATH];
};

/* The contents of a file in memory at the root. */
struct hd_saved_file {
    int32_t fd, copy; /* both are files in memory */
    uint32_t mode, pad;
    uint64_t inode, size;
};

struct hd_private_files {
    uint32_t n, n_root, n_saved, pad;
    uint64_t device; /* of files in memory; 0: none has been made */
    struct hd_private entry[HD_MAX_PRIVATE], root[HD_MAX_PRIVATE];
    struct hd_saved_file saved[HD_MAX_SAVED];
};

#endif
