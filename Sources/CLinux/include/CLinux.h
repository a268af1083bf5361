#pragma once
// The Linux calls that Swift's Glibc module leaves out, because they stand behind _GNU_SOURCE or in
// a header that it does not include.
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Fills the buffer with random bytes from the kernel. 0, or an errno.
int basket_random(void *buffer, size_t count);

/// Bytes that an ordinary user may still write on the file system of `path`; -1 and errno when unknown.
int64_t basket_available_bytes(const char *path);

/// The size of the file system of `path`, in bytes; -1 and errno when unknown.
int64_t basket_total_bytes(const char *path);

/// Makes everything durable that was written to the file system of an open file. 0, or -1 and errno.
int basket_synchronize_disk(int file);

/// Where the next data of an open file begins, at or behind an offset; -1 and errno, which is ENXIO behind the
/// last of it. Moves the file's own position.
int64_t basket_next_data(int file, int64_t offset);

/// The same for the next hole; every file ends in one.
int64_t basket_next_hole(int file, int64_t offset);

/// fallocate(2): 0, or -1 and errno.
int basket_allocate(int file, int mode, int64_t offset, int64_t length);

/// copy_file_range(2): the bytes copied, or -1 and errno.
ssize_t basket_copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count);

/// getxattr(2), setxattr(2) and removexattr(2).
ssize_t basket_get_attribute(const char *path, const char *name, void *value, size_t size);
int basket_set_attribute(const char *path, const char *name, const void *value, size_t size);
int basket_remove_attribute(const char *path, const char *name);

/// lgetxattr(2), lsetxattr(2), lremovexattr(2) and llistxattr(2): a symlink is not followed.
ssize_t basket_get_own_attribute(const char *path, const char *name, void *value, size_t size);
int basket_set_own_attribute(const char *path, const char *name, const void *value, size_t size);
int basket_remove_own_attribute(const char *path, const char *name);
ssize_t basket_list_own_attributes(const char *path, char *names, size_t size);

/// renameat2(2) that replaces nothing, also where the file system does not know that. 0, or -1 and errno.
int basket_rename_exclusively(const char *path, const char *target);

/// The same without the kernel's help: the name is taken by something that can only be made anew. 0, or -1 and errno.
int basket_rename_by_claim(const char *path, const char *target);

/// Whether anybody has a file open to write to it: 1 or 0; -1 and errno where that cannot be told.
int basket_is_written(const char *path);

/// Names the calling thread, in at most 15 bytes, for whoever looks at the process from outside.
void basket_name_this_thread(const char *name);

/// Notes of the calling thread that it may wait for a disk, and whether that was noted.
void basket_let_this_thread_wait(void);
bool basket_this_thread_may_wait(void);

/// The minor number of the device that is mounted at a folder, without asking whoever answers for it; or -1.
int64_t basket_mounted_device(const char *folder);

/// The calling thread's number, as the kernel tells others of it.
pid_t basket_thread_number(void);

/// Gives back to the machine what this process has freed.
void basket_return_memory(void);

/// A file without a name, which programs that are started in this one's place have, too. -1 and errno where it fails.
int basket_memory_file(const char *name);

/// Waits for the semaphore, at most so long by the clock that never jumps. 0, or -1 and errno.
int basket_semaphore_wait(sem_t *semaphore, int64_t nanoseconds);

/// The variables that the process was started with, `NAME=value` each, ended by a null pointer.
char *const *basket_environment(void);

/// What an epoll set reported: the number that the descriptor was added with, and whether its other
/// side is still there.
struct basket_event {
    uint64_t id;
    /// There is something to read.
    int readable;
    /// The other side closed its half, or all of it, or the connection broke.
    int hung_up;
};

/// A new epoll set; -1 and errno.
int basket_epoll_create(void);

/// Tells once when the other side of `descriptor` goes away. 0, or an errno.
int basket_epoll_watch_hang_up(int set, int descriptor, uint64_t id);

/// Tells whenever `descriptor` can be read. 0, or an errno.
int basket_epoll_watch_readable(int set, int descriptor, uint64_t id);

/// Forgets a descriptor. 0, or an errno.
int basket_epoll_forget(int set, int descriptor);

/// Waits for events, up to `timeout` milliseconds or for ever when that is negative: how many came;
/// none on an interruption too.
int basket_epoll_wait(int set, struct basket_event *events, int capacity, int timeout);

/// A descriptor that becomes readable when it is signalled; -1 and errno.
int basket_eventfd_create(void);
void basket_eventfd_signal(int descriptor);
void basket_eventfd_clear(int descriptor);

/// The next connection of a listening socket, which a program started from here does not inherit; -1 and
/// errno.
struct sockaddr;
int basket_accept(int listening, struct sockaddr *address, unsigned int *size);

/// send(2) and recv(2) that never wait and never raise SIGPIPE: the bytes moved, or -1 and errno.
ssize_t basket_send_now(int socket, const void *bytes, size_t count);
ssize_t basket_receive_now(int socket, void *buffer, size_t capacity);

/// Gives memory that was freed back to the system.
void basket_give_back_memory(void);

/// Sends a message over a Unix socket that keeps messages apart, with an open file or, where that is -1, without one.
/// Never raises SIGPIPE. The bytes sent, or -1 and errno.
ssize_t basket_send_message(int socket, const void *bytes, size_t count, int descriptor);

/// Waits for a message of a Unix socket, and for the open file that came with it; `*descriptor` is -1 where none did. No
/// program that is started from here inherits it. The bytes received, 0 at the end, or -1 and errno.
ssize_t basket_receive_message(int socket, void *buffer, size_t capacity, int *descriptor);

/// Whose process is at the other end of a connected Unix socket. 0, or -1 and errno.
int basket_peer(int socket, uid_t *user, pid_t *process);

/// Starts a program that leads a process group of its own and hears all signals, with `third` as its descriptor 3. Of all
/// others it inherits the standard ones alone. 0, or an errno.
int basket_start_program(
    pid_t *process, const char *path, char *const arguments[], char *const variables[], int third);
