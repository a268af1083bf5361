import Foundation

/// Not Apple's: a progress that several threads may change and read at a time, children included.
///
/// On Apple's systems every `Progress` is one. Foundation on Linux says so too, and has no lock: two threads
/// that add children to one progress, or report for children of one, corrupt it and crash; so do a
/// cancellation and a child that finishes at that moment. Where all that touches a progress is one thread at
/// a time, a plain one will do. Otherwise all of a tree are of this class.
///
/// Handlers run outside the lock, on a queue of their own, once.
public final class SharedProgress: Progress, @unchecked Sendable {
    // Unchecked: everything that can be overridden runs under the lock, and the rest is `fraction`.

    /// One for all: a report goes on to the ancestors, and nobody could find the lock of a tree without
    /// walking the tree, which needs one. It is held for a few sums.
    private static let lock = NSRecursiveLock()

    private func alone<Value>(_ body: () -> Value) -> Value {
        Self.lock.withLock(body)
    }

    /// `fractionCompleted`, for several threads: that property cannot be overridden, and is only for who
    /// knows that nobody reports just now.
    public var fraction: Double { alone { fractionCompleted } }

    public override var totalUnitCount: Int64 {
        get { alone { super.totalUnitCount } }
        set { alone { super.totalUnitCount = newValue } }
    }

    public override var completedUnitCount: Int64 {
        get { alone { super.completedUnitCount } }
        set { alone { super.completedUnitCount = newValue } }
    }

    public override var isIndeterminate: Bool { alone { super.isIndeterminate } }
    public override var isFinished: Bool { alone { super.isFinished } }

    public override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
        alone { super.addChild(child, withPendingUnitCount: inUnitCount) }
    }

    public override func resignCurrent() {
        alone { super.resignCurrent() }
    }

    public override var kind: ProgressKind? {
        get { alone { super.kind } }
        set { alone { super.kind = newValue } }
    }

    public override var userInfo: [ProgressUserInfoKey: Any] { alone { super.userInfo } }

    public override func setUserInfoObject(_ objectOrNil: Any?, forKey key: ProgressUserInfoKey) {
        alone { super.setUserInfoObject(objectOrNil, forKey: key) }
    }

    public override var isCancellable: Bool {
        get { alone { super.isCancellable } }
        set { alone { super.isCancellable = newValue } }
    }

    public override var isCancelled: Bool {
        get { alone { super.isCancelled } }
        set { alone { super.isCancelled = newValue } }
    }

    public override var cancellationHandler: (@Sendable () -> Void)? {
        get { alone { super.cancellationHandler } }
        set { alone { super.cancellationHandler = newValue } }
    }

    public override func cancel() {
        alone {
            // Foundation on Linux would run the handlers again.
            guard !super.isCancelled else { return }
            super.cancel()
        }
    }

    /// Cancels, and leaves the handler to the caller.
    func cancelForCaller() -> (@Sendable () -> Void)? {
        alone {
            guard !super.isCancelled else { return nil }
            let handler = super.cancellationHandler
            super.cancellationHandler = nil
            super.cancel()
            return handler
        }
    }

    public override var isPausable: Bool {
        get { alone { super.isPausable } }
        set { alone { super.isPausable = newValue } }
    }

    public override var isPaused: Bool {
        get { alone { super.isPaused } }
        set { alone { super.isPaused = newValue } }
    }

    public override var pausingHandler: (@Sendable () -> Void)? {
        get { alone { super.pausingHandler } }
        set { alone { super.pausingHandler = newValue } }
    }

    public override var resumingHandler: (@Sendable () -> Void)? {
        get { alone { super.resumingHandler } }
        set { alone { super.resumingHandler = newValue } }
    }

    public override func pause() {
        alone { super.pause() }
    }

    public override func resume() {
        alone { super.resume() }
    }
}
