/* Preloaded into a server, it makes every fsync and fdatasync take 2 ms longer: a disk that waits for
   its platter, or for the other end of a network. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_for_the_disk(void) {
    struct timespec left = {0, 2000000};
    while (nanosleep(&left, &left) != 0) {}
}

int fsync(int descriptor) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_for_the_disk();
    return real(descriptor);
}

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_for_the_disk();
    return real(descriptor);
}
