/* What applications do with files, one after another, without an interpreter that takes longer than the
   file system does. Every content is made from the file's number, and looked at when it was read.

   file-load create|read FOLDER FIRST COUNT SIZE     files named after their numbers, from FIRST on
   file-load rename FOLDER FIRST COUNT               each gets another name
   file-load make|stream FILE SIZE                   one large file, from its start to its end
   file-load seen write|rename HERE THERE COUNT SECONDS
                                                     changes in HERE, until stat tells of them in THERE, or so
                                                     long; both have an empty file `seen-0`

   It prints the seconds that this took; `seen` prints the milliseconds of each change. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* So long it takes at most: a mount that does not answer must not hold up the others. */
enum { MOST_SECONDS = 300, PATH = 4096, PIECE = 1 << 20 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what, const char *path) {
    fprintf(stderr, "file-load: %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void differs(const char *path) {
    fprintf(stderr, "file-load: %s has another content than was written\n", path);
    exit(1);
}

/* No two files have a piece in common, and nothing makes them smaller. */
static void fill(char *bytes, size_t size, uint64_t number) {
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = (number << 32) + at + 0x9e3779b97f4a7c15;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
        word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
        word ^= word >> 31;
        memcpy(bytes + at, &word, size - at < 8 ? size - at : 8);
    }
}

static void write_all(int file, const char *bytes, size_t size, const char *path) {
    while (size > 0) {
        ssize_t done = write(file, bytes, size < PIECE ? size : PIECE);
        if (done < 0) fail("write", path);
        bytes += done;
        size -= done;
    }
}

/* What a file holds, to its end, which must be where it was said to be. */
static void read_all(int file, char *bytes, size_t size, const char *path) {
    size_t at = 0;
    ssize_t done;
    while ((done = read(file, bytes + at, size + 1 - at < PIECE ? size + 1 - at : PIECE)) > 0) {
        at += done;
        if (at > size) break;
    }
    if (done < 0) fail("read", path);
    if (at != size) differs(path);
}

static void *memory(size_t size) {
    void *bytes = malloc(size);
    if (!bytes) fail("allocate for", "contents");
    /* Its pages are the program's before the clock runs. */
    memset(bytes, 1, size);
    return bytes;
}

static double create(const char *folder, int first, int count, size_t size) {
    char path[PATH];
    char *bytes = memory(size);
    double taken = 0;
    for (int number = first; number < first + count; number++) {
        fill(bytes, size, number);
        snprintf(path, sizeof path, "%s/%06d", folder, number);
        double start = now();
        int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);
        if (file < 0) fail("create", path);
        write_all(file, bytes, size, path);
        if (close(file) != 0) fail("close", path);
        taken += now() - start;
    }
    return taken;
}

static double read_each(const char *folder, int first, int count, size_t size) {
    char path[PATH];
    char *bytes = memory(size + 1), *expected = memory(size);
    double taken = 0;
    for (int number = first; number < first + count; number++) {
        fill(expected, size, number);
        snprintf(path, sizeof path, "%s/%06d", folder, number);
        double start = now();
        int file = open(path, O_RDONLY);
        if (file < 0) fail("open", path);
        read_all(file, bytes, size, path);
        close(file);
        taken += now() - start;
        if (memcmp(bytes, expected, size) != 0) differs(path);
    }
    return taken;
}

static double rename_each(const char *folder, int first, int count) {
    char path[PATH], other[PATH];
    struct stat found;
    double start = now();
    for (int number = first; number < first + count; number++) {
        snprintf(path, sizeof path, "%s/%06d", folder, number);
        snprintf(other, sizeof other, "%s/%06d-renamed", folder, number);
        if (rename(path, other) != 0) fail("rename", path);
    }
    double taken = now() - start;
    for (int number = first; number < first + count; number++) {
        snprintf(path, sizeof path, "%s/%06d", folder, number);
        snprintf(other, sizeof other, "%s/%06d-renamed", folder, number);
        if (stat(other, &found) != 0) fail("find", other);
        if (stat(path, &found) == 0) fail("still find", path);
    }
    return taken;
}

static double make(const char *path, size_t size) {
    char *bytes = memory(size);
    fill(bytes, size, 0);
    double start = now();
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (file < 0) fail("create", path);
    write_all(file, bytes, size, path);
    if (close(file) != 0) fail("close", path);
    return now() - start;
}

static double stream(const char *path, size_t size) {
    char *bytes = memory(size + 1), *expected = memory(size);
    fill(expected, size, 0);
    double start = now();
    int file = open(path, O_RDONLY);
    if (file < 0) fail("open", path);
    read_all(file, bytes, size, path);
    close(file);
    double taken = now() - start;
    if (memcmp(bytes, expected, size) != 0) differs(path);
    return taken;
}

static void pause_for(long microseconds) {
    struct timespec left = {0, microseconds * 1000};
    nanosleep(&left, NULL);
}

/* Waits until a file is there and of that size, or until then. */
static void await(const char *path, off_t size, double end) {
    struct stat found;
    while ((stat(path, &found) != 0 || found.st_size != size) && now() < end) {
        /* The machine is also theirs who bring the change. */
        pause_for(100);
    }
}

static void seen(int is_write, const char *here, const char *there, int count, int seconds) {
    char path[PATH], other[PATH];
    struct stat found;
    snprintf(path, sizeof path, "%s/seen-0", here);
    snprintf(other, sizeof other, "%s/seen-0", there);
    if (stat(path, &found) != 0) fail("find", path);
    if (stat(other, &found) != 0) fail("find", other);
    for (int number = 1; number <= count; number++) {
        /* Nothing of the change before is still under way. */
        pause_for(50000);
        double start = now();
        if (is_write) {
            int file = open(path, O_WRONLY | O_APPEND);
            if (file < 0 || write(file, "x", 1) != 1 || close(file) != 0) fail("write", path);
            await(other, number, start + seconds);
        } else {
            char next[PATH];
            snprintf(next, sizeof next, "%s/seen-%d", here, number);
            if (rename(path, next) != 0) fail("rename", path);
            strcpy(path, next);
            snprintf(other, sizeof other, "%s/seen-%d", there, number);
            await(other, 0, start + seconds);
        }
        printf("%.3f\n", (now() - start) * 1000);
    }
}

int main(int count, char **words) {
    const char *work = count > 1 ? words[1] : "";
    alarm(MOST_SECONDS);
    if (count == 6 && !strcmp(work, "create")) {
        printf("%.6f\n", create(words[2], atoi(words[3]), atoi(words[4]), atoll(words[5])));
    } else if (count == 6 && !strcmp(work, "read")) {
        printf("%.6f\n", read_each(words[2], atoi(words[3]), atoi(words[4]), atoll(words[5])));
    } else if (count == 5 && !strcmp(work, "rename")) {
        printf("%.6f\n", rename_each(words[2], atoi(words[3]), atoi(words[4])));
    } else if (count == 4 && !strcmp(work, "make")) {
        printf("%.6f\n", make(words[2], atoll(words[3])));
    } else if (count == 4 && !strcmp(work, "stream")) {
        printf("%.6f\n", stream(words[2], atoll(words[3])));
    } else if (count == 7 && !strcmp(work, "seen")) {
        seen(!strcmp(words[2], "write"), words[3], words[4], atoi(words[5]), atoi(words[6]));
    } else {
        fprintf(stderr, "file-load: see its first lines for what it takes\n");
        return 2;
    }
    return 0;
}
