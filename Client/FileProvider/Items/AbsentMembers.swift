import Foundation
import Synchronization

/// Remembers which optional members the classes of items leave out.
///
/// The value for a member that was left out is an ordinary value: nobody could tell a provider that says
/// "no attributes" from one that knows nothing of attributes, and the second must not cost anybody theirs.
/// But whoever runs a default knows that there was nothing better. So a class is asked once for each member,
/// and the default, if it is the one who answers, leaves a note.
final class AbsentMembers: Sendable {
    static let shared = AbsentMembers()

    /// What is known of a class.
    private struct Knowledge {
        var absent: NSFileProviderItemMembers = []
        var asked: NSFileProviderItemMembers = []
    }

    /// As many entries as there are classes of items.
    private let known = Mutex<[ObjectIdentifier: Knowledge]>([:])
    /// How many are asking just now: without any, a default leaves no note and costs nothing.
    private let asking = Atomic(0)

    /// Left by the default of a member.
    func note(_ member: NSFileProviderItemMembers, of type: AnyClass) {
        guard asking.load(ordering: .acquiring) > 0 else { return }
        known.withLock {
            _ = $0[ObjectIdentifier(type), default: Knowledge()].absent.insert(member)
        }
    }

    /// The member's value, or nil if the class leaves it out.
    func value<Value>(
        of member: NSFileProviderItemMembers, of type: AnyClass, read: () -> Value
    ) -> Value? {
        let id = ObjectIdentifier(type)
        let before = known.withLock { $0[id] } ?? Knowledge()
        if before.asked.contains(member) {
            return before.absent.contains(member) ? nil : read()
        }
        asking.add(1, ordering: .acquiringAndReleasing)
        let value = read()
        asking.subtract(1, ordering: .acquiringAndReleasing)
        let isAbsent = known.withLock { known in
            known[id, default: Knowledge()].asked.insert(member)
            return known[id]?.absent.contains(member) ?? false
        }
        return isAbsent ? nil : value
    }
}

extension NSFileProviderItemProtocol {
    /// The value of a member that the class leaves out.
    func absent<Value>(_ member: NSFileProviderItemMembers, _ value: @autoclosure () -> Value)
        -> Value
    {
        AbsentMembers.shared.note(member, of: type(of: self))
        return value()
    }

    /// The value of a member, or nil if the class leaves it out.
    func present<Value>(
        _ member: NSFileProviderItemMembers,
        _ read: (Self) -> Value
    ) -> Value? {
        AbsentMembers.shared.value(of: member, of: type(of: self)) { read(self) }
    }
}

extension NSFileProviderItemVersion {
    /// The version of items whose class has none.
    static let unversioned = NSFileProviderItemVersion(
        contentVersion: Data(), metadataVersion: Data())
}
