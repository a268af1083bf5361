/// Why a secret could not be asked for, or not be kept.
package enum SecretServiceError: Error, Equatable {
    /// Nobody keeps secrets here, or has a place for this one; why, in words.
    case absent(String)
    /// Whoever owns it has to unlock something before.
    case locked
    /// Whoever owns it would be asked something, and was not.
    case wantsPrompt
    /// It is not answered, or not as it should be; why, in words.
    case failed(String)

    init(_ error: BusError) {
        switch error {
        case .unreachable(let words): self = .absent(words)
        case .unanswered: self = .absent("it does not answer")
        case .refused(Self.isLocked, _): self = .locked
        case .refused(let name, let words):
            let isNobody =
                Self.nobody.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            self = isNobody ? .absent(words) : .failed("\(name): \(words)")
        case .badAnswer: self = .failed("the answer cannot be understood")
        case .noMemory: self = .failed("there is not enough memory")
        }
    }

    private static let isLocked = "org.freedesktop.Secret.Error.IsLocked"
    private static let nobody: Set = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]
}
