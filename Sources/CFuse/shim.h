#pragma once
// libfuse's low-level API. The version is that of the oldest libfuse that can serve a mount whose descriptor somebody
// else holds.
#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// splice(2), which stands behind _GNU_SOURCE.
static inline ssize_t basket_splice(
    int source, off_t *source_offset, int target, off_t *target_offset, size_t count, unsigned flags) {
    return syscall(SYS_splice, source, source_offset, target, target_offset, count, flags);
}

/// Takes a descriptor that another process sends over a socket: itself, or -1.
static inline int basket_receive_descriptor(int socket) {
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    union {
        struct cmsghdr alignment;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head == NULL || head->cmsg_type != SCM_RIGHTS) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
}
