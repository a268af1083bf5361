#pragma once
// libfuse's low-level API. The version is that of the oldest libfuse that can serve a mount whose descriptor somebody
// else holds.
#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// splice(2), which stands behind _GNU_SOURCE.
static inline ssize_t basket_splice(
    int source, off_t *source_offset, int target, off_t *target_offset, size_t count, unsigned flags) {
    return syscall(SYS_splice, source, source_offset, target, target_offset, count, flags);
}
