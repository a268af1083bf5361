import Foundation

/// Not Apple's: an extension that knows how much room the provider has for the domain. The system tells it to programs
/// that ask how full the domain's folder is; without it, they are told of this machine's disk.
public protocol RoomReporting: NSFileProviderReplicatedExtension {
    /// Answers with nothing where the provider does not say. It is asked seldom, and answers within a second or not at all.
    func fetchRoom(
        completionHandler: @escaping @Sendable (ProviderRoom?, (any Error)?) -> Void
    ) -> Progress
}
