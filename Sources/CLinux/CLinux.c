#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/statvfs.h>
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

ssize_t basket_copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count) {
    return copy_file_range(source, source_offset, target, target_offset, count, 0);
}

void basket_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}
