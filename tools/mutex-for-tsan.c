// Tells the thread sanitizer about Swift's Mutex. On Linux a contended Mutex is locked and unlocked
// inside of the standard library, which is not instrumented: the sanitizer sees nothing, and takes
// what the Mutex protects for a race. Loaded before the standard library, these stand in front of
// its slow paths and say what they did; the fast paths are inlined, where the sanitizer sees them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// In the programs that are not sanitized, such as swift itself, these are missing.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void basket_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool basket_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void basket_unlock(SELF) __asm__(UNLOCK);

SWIFT void basket_lock(uint32_t thread, SELF) {
    SWIFT void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    real(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool basket_try_lock(SELF) {
    SWIFT bool (*real)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool locked = real(self);
    if (locked && __tsan_acquire) __tsan_acquire(self);
    return locked;
}

SWIFT void basket_unlock(SELF) {
    SWIFT void (*real)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    real(self);
}
