// A disk that loses what was written to a database's file: preloaded into a server, it makes fdatasync fail
// for files named basket.db, as long as the file is there that BASKET_TEST_LOSING names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *losing = getenv("BASKET_TEST_LOSING");
    if (losing && access(losing, F_OK) == 0) {
        char link[64], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length > 0) {
            path[length] = 0;
            const char *name = strrchr(path, '/');
            if (name && strcmp(name, "/basket.db") == 0) {
                errno = EIO;
                return -1;
            }
        }
    }
    return real(descriptor);
}
