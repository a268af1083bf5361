/// Why nobody can look into a keyring now. It passes, and is no log-out.
package enum KeyringTrouble: Error, Equatable {
    case locked
    /// There is no desktop, or its keyring does not answer; why, in words.
    case unreachable(String)

    /// For people: what is so.
    package var message: String {
        switch self {
        case .locked: "The log-in is in the desktop's keyring, which is locked."
        case .unreachable(let why):
            "The log-in is in the desktop's keyring, which cannot be reached: \(why)."
        }
    }

    /// For people: what to do about it.
    package var remedy: String {
        switch self {
        case .locked:
            "Unlock it, by logging in to the desktop or with its program for passwords: all else follows by itself."
        case .unreachable:
            """
            It is there once you have logged in to the desktop: all else follows by itself. For a machine where nobody \
            does that, log in once more with ‘basket connect … --no-keyring’.
            """
        }
    }
}
