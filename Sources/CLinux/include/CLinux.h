#pragma once
// The Linux calls that Swift's Glibc module leaves out, because they stand behind _GNU_SOURCE or in
// a header that it does not include.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Fills the buffer with random bytes from the kernel. 0, or an errno.
int basket_random(void *buffer, size_t count);

/// Bytes that an ordinary user may still write on the file system of `path`; -1 and errno when unknown.
int64_t basket_available_bytes(const char *path);

/// The size of the file system of `path`, in bytes; -1 and errno when unknown.
int64_t basket_total_bytes(const char *path);

/// copy_file_range(2): the bytes copied, or -1 and errno.
ssize_t basket_copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count);

/// Names the calling thread, in at most 15 bytes, for whoever looks at the process from outside.
void basket_name_this_thread(const char *name);
