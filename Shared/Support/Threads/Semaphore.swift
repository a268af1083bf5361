import CLinux
import Glibc

/// Lets threads of our own wait for work. Never waited on by a task.
package final class Semaphore: @unchecked Sendable {
    // Unchecked: a `sem_t` is made for use from many threads at once, and its address never changes.
    private let handle: UnsafeMutablePointer<sem_t>

    package init(value: UInt32 = 0) {
        handle = .allocate(capacity: 1)
        sem_init(handle, 0, value)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    package func signal() {
        sem_post(handle)
    }

    package func wait() {
        while sem_wait(handle) != 0 && errno == EINTR {}
    }

    /// Waits no longer than that; false when nobody signalled meanwhile.
    package func wait(upTo limit: Duration) -> Bool {
        basket_semaphore_wait(handle, limit.wholeNanoseconds) == 0
    }
}
