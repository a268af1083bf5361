import FileProvider
import FileProviderReplica
import Foundation

extension Trouble {
    /// Whether it says nothing of the item.
    var isOfTheConnection: Bool {
        switch domain {
        case NSFileProviderErrorDomain:
            code == NSFileProviderError.Code.serverUnreachable.rawValue
        case NSCocoaErrorDomain: code == CocoaError.Code.xpcConnectionInterrupted.rawValue
        default: false
        }
    }
}
