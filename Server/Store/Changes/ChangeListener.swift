/// One place where events arrive. Letting it go ends it.
package final class ChangeListener: Sendable {
    private let mailbox: Mailbox
    private let end: @Sendable () -> Void

    init(mailbox: Mailbox, end: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.end = end
    }

    deinit {
        end()
    }

    /// What has come since the last look, without waiting.
    package func take() -> [StoreEvent] {
        mailbox.take()
    }

    /// What has come; waits until there is something. Empty once the task is cancelled.
    package func next() async -> [StoreEvent] {
        while !Task.isCancelled {
            let events = mailbox.take()
            if !events.isEmpty { return events }
            await mailbox.wait()
        }
        return []
    }
}
