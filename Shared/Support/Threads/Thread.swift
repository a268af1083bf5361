import CLinux
import Glibc

/// A thread of our own, for loops that block. Everything else is a task.
package struct Thread: Sendable {
    private let handle: pthread_t

    /// Whether the calling thread is one of these: nobody else waits for it when it waits for a disk. A thread of Swift's
    /// own keeps tasks waiting.
    package static var mayWait: Bool { basket_this_thread_may_wait() }

    /// - Parameter name: what `top -H` shows; Linux keeps the first 15 bytes.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: body))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { box in
                let body = Unmanaged<Body>.fromOpaque(box!).takeRetainedValue()
                basket_name_this_thread(body.name)
                basket_let_this_thread_wait()
                body.run()
                return nil
            }, box.toOpaque())
        precondition(failure == 0, "the system gives no further thread")
        handle = thread
    }

    /// Waits for the end of the thread; once, and not from itself.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Instead of `join`, where nobody waits for its end: what the system keeps of it goes with it.
    package func detach() {
        pthread_detach(handle)
    }
}

private final class Body {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}
