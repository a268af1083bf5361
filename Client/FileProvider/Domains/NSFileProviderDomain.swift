import Foundation
import Synchronization

/// One tree of items: an account, a location in a sidebar.
///
/// The settable properties are wishes: adding the domain again hands them to the system.
public final class NSFileProviderDomain: NSObject, Sendable {
    private let state: Mutex<State>

    private struct State {
        var record: DomainRecord
        weak var system: (any FileProviderSystem)?
    }

    /// How far the system keeps out of a test's way.
    public struct TestingModes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The domain works without anybody's consent.
        public static let alwaysEnabled = TestingModes(rawValue: 1 << 0)
        /// Nothing is scheduled but what the test runs. It cannot be taken back.
        public static let interactive = TestingModes(rawValue: 1 << 1)
    }

    /// A domain that the program adds.
    public init(identifier: NSFileProviderDomainIdentifier, displayName: String) {
        state = Mutex(
            State(record: DomainRecord(identifier: identifier, displayName: displayName)))
    }

    /// A domain on the volume of that URL, under an identifier that no other volume has.
    public init(displayName: String, userInfo: [AnyHashable: Any] = [:], volumeURL: URL?) {
        var record = DomainRecord(
            identifier: NSFileProviderDomainIdentifier(UUID().uuidString), displayName: displayName)
        record.userInfo = DomainUserInfo(userInfo)
        record.volumeURL = volumeURL
        state = Mutex(State(record: record))
    }

    /// A domain as the system knows it. Managers made for it speak to that system, without asking who is
    /// registered: several systems may have a domain of that name in one process.
    package init(record: DomainRecord, system: (any FileProviderSystem)? = nil) {
        state = Mutex(State(record: record, system: system))
    }

    /// Everything that the domain says, at one moment.
    package var record: DomainRecord { state.withLock { $0.record } }

    package var system: (any FileProviderSystem)? { state.withLock { $0.system } }

    public var identifier: NSFileProviderDomainIdentifier { record.identifier }
    /// What a person calls the domain.
    public var displayName: String { record.displayName }
    /// Whether the system keeps a copy of the tree. There are no others here.
    public var isReplicated: Bool { true }
    /// Whether the domain was disconnected: it can be browsed, and nothing is synchronised.
    public var isDisconnected: Bool { record.isDisconnected }
    /// Whether the person has the domain switched on.
    public var userEnabled: Bool { record.userEnabled }
    /// Changes when the system has built its knowledge of the domain anew.
    public var backingStoreIdentity: Data? { record.backingStoreIdentity }
    /// The volume that the domain lies on, if it is an external one.
    public var volumeUUID: UUID? { record.volumeUUID }
    /// The known folders that lie in the domain.
    public var replicatedKnownFolders: NSFileProviderKnownFolders { record.replicatedKnownFolders }

    /// Whether the domain is kept from people's eyes, though its files exist.
    public var isHidden: Bool {
        get { record.isHidden }
        set { state.withLock { $0.record.isHidden = newValue } }
    }

    public var testingModes: TestingModes {
        get { record.testingModes }
        set { state.withLock { $0.record.testingModes = newValue } }
    }

    /// Whether moving to the trash is a move to `trashContainer`.
    public var supportsSyncingTrash: Bool {
        get { record.supportsSyncingTrash }
        set { state.withLock { $0.record.supportsSyncingTrash = newValue } }
    }

    /// What the program wants to know again: strings, numbers, dates and data, by keys that are strings. A
    /// domain that holds anything else cannot be added.
    public var userInfo: [AnyHashable: Any]? {
        get { record.userInfo?.values }
        set {
            let kept = newValue.map(DomainUserInfo.init)
            state.withLock { $0.record.userInfo = kept }
        }
    }

    /// The known folders that the domain can hold.
    public var supportedKnownFolders: NSFileProviderKnownFolders {
        get { record.supportedKnownFolders }
        set { state.withLock { $0.record.supportedKnownFolders = newValue } }
    }

    /// Whether the server can search.
    public var supportsStringSearchRequest: Bool {
        get { record.supportsStringSearchRequest }
        set { state.withLock { $0.record.supportsStringSearchRequest = newValue } }
    }

    public override var description: String { "domain \(identifier.rawValue)" }
}
