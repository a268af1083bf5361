import BasketConnection
import FileProvider

/// Why a call of the system failed, where that is not the server's word alone.
enum ProviderFailure: Error {
    /// Nobody is logged in, or the server does not take who was.
    case notLoggedIn
    /// The domain does not say what it must; which, in words.
    case misconfigured(String)
    /// There is no such item, or no such parent.
    case noSuchItem(NSFileProviderItemIdentifier)
    /// This item has the name.
    case collision(BasketItem)
    /// The item stays, and this is how it is now.
    case rejectedDeletion(BasketItem)
    case conflict
    case versionGone
    case noTrash
    /// The call cannot be understood, or asks for something that does not exist; what, in words.
    case unsupported(String)
    /// The server's refusal, once it is known what the call made of it.
    case refused(Reaction, ConnectionError)
}
