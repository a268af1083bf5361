import Foundation

extension NSError {
    /// What to do about it, where the extension says that itself.
    var remedy: String? { userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String }
}
