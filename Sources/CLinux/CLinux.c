#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

int basket_random(void *buffer, size_t count) {
    unsigned char *next = buffer;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        next += got;
        count -= (size_t)got;
    }
    return 0;
}

int64_t basket_available_bytes(const char *path) {
    struct statvfs facts;
    if (statvfs(path, &facts) != 0) return -1;
    return (int64_t)facts.f_bavail * (int64_t)facts.f_frsize;
}

int64_t basket_total_bytes(const char *path) {
    struct statvfs facts;
    if (statvfs(path, &facts) != 0) return -1;
    return (int64_t)facts.f_blocks * (int64_t)facts.f_frsize;
}

int basket_synchronize_disk(int file) { return syncfs(file); }

int64_t basket_next_data(int file, int64_t offset) {
    return lseek(file, offset, SEEK_DATA);
}

int64_t basket_next_hole(int file, int64_t offset) {
    return lseek(file, offset, SEEK_HOLE);
}

int basket_allocate(int file, int mode, int64_t offset, int64_t length) {
    return fallocate(file, mode, offset, length);
}

ssize_t basket_copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count) {
    return copy_file_range(source, source_offset, target, target_offset, count, 0);
}

ssize_t basket_get_attribute(const char *path, const char *name, void *value, size_t size) {
    return getxattr(path, name, value, size);
}

int basket_set_attribute(const char *path, const char *name, const void *value, size_t size) {
    return setxattr(path, name, value, size, 0);
}

int basket_remove_attribute(const char *path, const char *name) {
    return removexattr(path, name);
}

ssize_t basket_get_own_attribute(const char *path, const char *name, void *value, size_t size) {
    return lgetxattr(path, name, value, size);
}

int basket_set_own_attribute(const char *path, const char *name, const void *value, size_t size) {
    return lsetxattr(path, name, value, size, 0);
}

int basket_remove_own_attribute(const char *path, const char *name) {
    return lremovexattr(path, name);
}

ssize_t basket_list_own_attributes(const char *path, char *names, size_t size) {
    return llistxattr(path, names, size);
}

int basket_is_written(const char *path) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -1;
    // The kernel gives a lease for reading only while nobody can write. Should somebody open the file before it is
    // given back, the signal that says so is one that a process ignores, if it does not ask for it.
    int status = fcntl(file, F_SETSIG, SIGURG);
    if (status == 0) status = fcntl(file, F_SETLEASE, F_RDLCK);
    int failure = errno;
    if (status == 0) fcntl(file, F_SETLEASE, F_UNLCK);
    close(file);
    if (status == 0) return 0;
    if (failure == EAGAIN) return 1;
    errno = failure;
    return -1;
}

int basket_rename_exclusively(const char *path, const char *target) {
    int status = renameat2(AT_FDCWD, path, AT_FDCWD, target, RENAME_NOREPLACE);
    if (status == 0 || (errno != EINVAL && errno != ENOSYS)) return status;
    return basket_rename_by_claim(path, target);
}

int basket_rename_by_claim(const char *path, const char *target) {
    struct stat facts;
    if (lstat(path, &facts) != 0) return -1;
    int is_folder = S_ISDIR(facts.st_mode);
    if (is_folder ? mkdir(target, 0700) : link(path, target)) return -1;
    if ((is_folder ? rename(path, target) : unlink(path)) == 0) return 0;
    int failure = errno;
    if (is_folder) rmdir(target); else unlink(target);
    errno = failure;
    return -1;
}

void basket_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}

static _Thread_local bool may_wait = false;

void basket_let_this_thread_wait(void) {
    may_wait = true;
}

bool basket_this_thread_may_wait(void) {
    return may_wait;
}

int basket_semaphore_wait(sem_t *semaphore, int64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t fraction = until.tv_nsec + nanoseconds % 1000000000;
    until.tv_sec += nanoseconds / 1000000000 + fraction / 1000000000;
    until.tv_nsec = fraction % 1000000000;
    int result;
    do {
        result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
    } while (result != 0 && errno == EINTR);
    return result;
}

char *const *basket_environment(void) {
    return environ;
}

int basket_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int add(int set, int descriptor, uint64_t id, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.u64 = id}};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

int basket_epoll_watch_hang_up(int set, int descriptor, uint64_t id) {
    return add(set, descriptor, id, EPOLLRDHUP | EPOLLET);
}

int basket_epoll_watch_readable(int set, int descriptor, uint64_t id) {
    return add(set, descriptor, id, EPOLLIN);
}

int basket_epoll_forget(int set, int descriptor) {
    struct epoll_event unused = {0};
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &unused) == 0 ? 0 : errno;
}

int basket_epoll_wait(int set, struct basket_event *events, int capacity, int timeout) {
    struct epoll_event raw[64];
    int count = epoll_wait(set, raw, capacity < 64 ? capacity : 64, timeout);
    for (int index = 0; index < count; index++) {
        events[index].id = raw[index].data.u64;
        events[index].readable = (raw[index].events & EPOLLIN) != 0;
        events[index].hung_up = (raw[index].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    }
    return count < 0 ? 0 : count;
}

int basket_eventfd_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void basket_eventfd_signal(int descriptor) {
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;  // Only a full counter fails, and that is signalled already.
}

void basket_eventfd_clear(int descriptor) {
    uint64_t count;
    ssize_t got = read(descriptor, &count, sizeof count);
    (void)got;  // Only an empty counter fails, and that is clear already.
}

int basket_accept(int listening, struct sockaddr *address, unsigned int *size) {
    return accept4(listening, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

ssize_t basket_send_now(int socket, const void *bytes, size_t count) {
    return send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

ssize_t basket_receive_now(int socket, void *buffer, size_t capacity) {
    return recv(socket, buffer, capacity, MSG_DONTWAIT);
}

void basket_give_back_memory(void) {
    malloc_trim(0);
}

ssize_t basket_send_message(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr alignment;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t basket_receive_message(int socket, void *buffer, size_t capacity, int *descriptor) {
    struct iovec part = {.iov_base = buffer, .iov_len = capacity};
    union {
        struct cmsghdr alignment;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor = -1;
    ssize_t got;
    do {
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return got;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(head), sizeof *descriptor);
    return got;
}

int basket_peer(int socket, uid_t *user, pid_t *process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
}

int basket_start_program(
    pid_t *process, const char *path, char *const arguments[], char *const variables[], int third) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (third >= 0) failure = posix_spawn_file_actions_adddup2(&actions, third, 3);
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, third >= 0 ? 4 : 3);
    if (failure == 0) failure = posix_spawn(process, path, &actions, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int64_t basket_mounted_device(const char *folder) {
    struct statx facts;
    if (statx(AT_FDCWD, folder, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, 0, &facts) != 0) return -1;
    return facts.stx_dev_minor;
}

pid_t basket_thread_number(void) {
    return gettid();
}

void basket_return_memory(void) {
    malloc_trim(0);
}

int basket_memory_file(const char *name) {
    return memfd_create(name, 0);
}
