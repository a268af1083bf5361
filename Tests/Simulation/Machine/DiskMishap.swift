import BasketSupport
import Glibc
import Synchronization

/// What is to go wrong with a disk: from some operation on it is full, or its machine is dead.
final class DiskMishap: Sendable {
    enum Kind {
        case full
        case death
    }

    private struct Plan {
        let kind: Kind
        var left: Int
        let happen: @Sendable () -> Void
    }

    private let state = Mutex<(plan: Plan?, hasHappened: Bool)>((nil, false))

    /// What the disk may refuse of one path alone.
    enum Operation {
        case look, rename, remove, setMode, setAttribute, synchronise
        /// Somebody has it open to write to it.
        case write
    }

    typealias Refusal = @Sendable (Operation, String) -> Int32?

    private let refusal = Mutex<Refusal?>(nil)
    private let folders = Mutex<[String]>([])

    /// Says with which error something is refused; nil where nothing is.
    func refuse(_ refusal: Refusal?) { self.refusal.withLock { $0 = refusal } }

    func refuse(_ operation: Operation, _ path: String) throws(FileError) {
        guard let code = refusal.withLock({ $0 })?(operation, path) else { return }
        throw FileError("reach", path, code: code)
    }

    /// The folders whose names were made durable, in that order.
    var synchronised: [String] { folders.withLock { $0 } }

    func noteSynchronised(_ folder: String) { folders.withLock { $0.append(folder) } }

    private let links = Mutex(true)
    private let volume = Mutex<String?>(nil)

    /// What lies in that folder lies on another volume.
    var otherVolume: String? {
        get { volume.withLock { $0 } }
        set { volume.withLock { $0 = newValue } }
    }

    func requireOneVolume(_ path: String, _ target: String) throws(FileError) {
        guard let otherVolume else { return }
        guard path.hasPrefix(otherVolume) == target.hasPrefix(otherVolume) else {
            throw FileError("rename", path, code: EXDEV)
        }
    }

    /// Whether one file cannot have two names, as on two volumes.
    var refusesLinks: Bool {
        get { !links.withLock { $0 } }
        set { links.withLock { $0 = !newValue } }
    }

    /// - Parameter count: so many operations work.
    func arm(_ kind: Kind, after count: Int, _ happen: @escaping @Sendable () -> Void = {}) {
        state.withLock { $0 = (Plan(kind: kind, left: count, happen: happen), false) }
    }

    /// Everything works again.
    /// - Returns: whether anything has failed.
    @discardableResult
    func disarm() -> Bool {
        state.withLock { state in
            defer { state = (nil, false) }
            return state.hasHappened
        }
    }

    /// Something is about to be changed.
    func step(_ path: String, takesRoom: Bool = false) throws(FileError) {
        let failing = state.withLock { state -> (plan: Plan, isFirst: Bool)? in
            guard var plan = state.plan, plan.kind == .death || takesRoom else { return nil }
            plan.left -= 1
            state.plan = plan
            guard plan.left < 0 else { return nil }
            defer { state.hasHappened = true }
            return (plan, !state.hasHappened)
        }
        guard let (plan, isFirst) = failing else { return }
        if isFirst { plan.happen() }
        throw FileError("reach", path, code: plan.kind == .full ? ENOSPC : EIO)
    }
}
