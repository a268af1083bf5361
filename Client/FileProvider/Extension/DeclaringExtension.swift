import Foundation

/// Not Apple's: an extension that brings along what it declares beside its code. Elsewhere that lies in the
/// `Info.plist` of its bundle; here it is part of the module, so that whoever has the one has the other.
public protocol DeclaringExtension: NSFileProviderReplicatedExtension {
    /// The dictionary under `NSExtension`, or a whole `Info.plist` with that in it, as JSON or as a property list.
    static var declaration: Data { get }
}
